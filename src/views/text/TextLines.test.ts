import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linePieces } from './TextLines.tsx';

const roles = (text: string) =>
  linePieces(text, '', false)
    .filter(({ role }) => role !== 'plain')
    .map((piece) => [piece.role, piece.text]);

it.each([
  [
    'C',
    '\tconst struct foo *next_2[16];',
    [
      ['keyword', 'const'],
      ['keyword', 'struct'],
      ['number', '16'],
    ],
  ],
  ['a directive', '#ifndef __VMLINUX_H__', [['directive', '#ifndef']]],
  ['pahole', '\tint a; /*     0     4 */', [['comment', '/*     0     4 */']]],
  [
    'raw',
    "[12] STRUCT 'foo' size=8 vlen=1",
    [
      ['key', '[12]'],
      ['keyword', 'STRUCT'],
      ['string', "'foo'"],
      ['key', 'size'],
      ['number', '8'],
      ['key', 'vlen'],
      ['number', '1'],
    ],
  ],
  [
    'JSON',
    '{"id":1,"name":"a\\"b"}',
    [
      ['key', '"id"'],
      ['number', '1'],
      ['key', '"name"'],
      ['string', '"a\\"b"'],
    ],
  ],
])('distinguishes the tokens of %s', (_what, text, expected) => {
  expect(roles(text)).toEqual(expected);
});

it('marks matches, also across tokens', () => {
  const pieces = linePieces('struct foo; STRUCT foo', 'struct f', false);
  const found = [0, 1].map((match) =>
    pieces
      .filter((piece) => piece.match === match)
      .map(({ text }) => text)
      .join(''),
  );
  expect(found).toEqual(['struct f', 'STRUCT f']);
  expect(
    linePieces('struct f STRUCT f', 'struct f', true).filter(({ match }) => match === 1),
  ).toEqual([]);
});

it('gives the line again, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string({ maxLength: 2 }),
      fc.boolean(),
      (text, query, matchCase) => {
        const pieces = linePieces(text, query, matchCase);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(pieces.every((piece) => text.startsWith(piece.text, piece.at))).toBe(true);
      },
    ),
  );
});
