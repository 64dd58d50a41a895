import { describe, expect, it } from 'vitest';
import { commentsIn, cWordGroup, isDeclarationWord, isReserved, tokensOf } from './tokens.ts';

const texts = (text: string) => tokensOf(text).map((token) => token.text);

describe('tokensOf', () => {
  it('leaves comments out, and ends with an end', () => {
    expect(texts('int /* a */ x; // b')).toEqual(['int', 'x', ';', '']);
  });

  it('takes any text', () => {
    expect(tokensOf('\u00e9"').map(({ kind }) => kind)).toEqual(['unknown', 'unknown', 'end']);
  });
});

it('finds the comments between two tokens', () => {
  const text = 'a /* b */ // c\nd';
  const parts = commentsIn(text, 1, text.length - 1).map(({ start, end }) =>
    text.slice(start, end),
  );
  expect(parts).toEqual(['/* b */', '// c']);
  expect(commentsIn(text, 0, 1)).toEqual([]);
});

it.each([
  ['struct', 'declaration', true, true],
  ['int', 'type', true, true],
  ['inline', 'specifier', true, true],
  ['__attribute__', 'attribute', true, true],
  ['sizeof', 'code', true, false],
  ['__packed', 'macro', false, true],
  ['packed', 'name', false, false],
  ['pid', null, false, false],
] as const)('knows the word %s', (word, group, reserved, declaration) => {
  expect(cWordGroup(word)).toBe(group);
  expect(isReserved(word)).toBe(reserved);
  expect(isDeclarationWord(word)).toBe(declaration);
});
