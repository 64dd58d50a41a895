import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDeclarations } from '#analysis/workbench/parse.ts';
import { editorPieces, indentBehind, lineCount, placeOf, wordAt } from './DeclarationEditor.tsx';

describe('places', () => {
  it('count lines and columns from 1', () => {
    const text = 'ab\n\ncd';
    expect([0, 2, 3, 4, 6, 99].map((at) => placeOf(text, at))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 3, column: 3 },
      { line: 3, column: 3 },
    ]);
    expect(['', 'a', 'a\n', 'a\n\nb'].map(lineCount)).toEqual([1, 1, 2, 3]);
  });
});

describe('pieces', () => {
  const roles = (text: string) =>
    editorPieces(text, [])
      .filter(({ role }) => role !== 'plain')
      .map((piece) => [piece.role, piece.text.trim()]);

  it('mark keywords, numbers and comments', () => {
    expect(roles('struct s { u8 a[0x10]; }; // said\n/* and\n more */ int x;')).toEqual([
      ['keyword', 'struct'],
      ['number', '0x10'],
      ['comment', '// said\n/* and\n more */'],
      ['keyword', 'int'],
    ]);
  });

  it('are marked where something is wrong, to the character', () => {
    const text = 'struct s { foo a; };';
    const { problems } = parseDeclarations(text);
    const wrong = editorPieces(text, problems).filter(({ isWrong }) => isWrong);
    expect(wrong.map((piece) => [piece.start, piece.text])).toEqual([[11, 'foo']]);
  });

  it('give the text again, whatever it is and whatever is marked', () => {
    const range = fc
      .tuple(fc.integer({ min: -5, max: 60 }), fc.nat(20))
      .map(([start, length]) => ({ start, end: start + length }));
    const word = fc.constantFrom(
      'struct',
      ' s',
      '{',
      '/*',
      '*/',
      '// x',
      '\n',
      '\t',
      '0x1',
      'ä',
      '\u202e',
      '\ud800',
    );
    const words = fc.array(word, { maxLength: 20 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(words, fc.array(range, { maxLength: 5 }), (text, wrong) => {
        const pieces = editorPieces(text, wrong);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        expect(new Set(pieces.map(({ start }) => start)).size).toBe(pieces.length);
      }),
    );
  });

  it('are few for a long text', () => {
    expect(editorPieces('int a;'.repeat(10_000), [])).toHaveLength(1);
  });
});

it('the word at a caret is the one around it, or before it', () => {
  const text = 'u32 pid;';
  expect([0, 3, 4, 6, 7, 8].map((at) => wordAt(text, at))).toEqual([
    'u32',
    'u32',
    'pid',
    'pid',
    'pid',
    '',
  ]);
});

it('a new line goes on as deep as the one before, and deeper behind a brace', () => {
  const text = 'struct s {\n\tint a;\n  char b; {';
  expect([0, 10, 18, 27, text.length].map((at) => indentBehind(text, at))).toEqual([
    '',
    '\t',
    '\t',
    '  ',
    '  \t',
  ]);
});
