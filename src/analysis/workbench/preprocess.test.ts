import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hasClang } from '#testing/clang-types.ts';
import { preprocess } from './preprocess.ts';

function words(text: string): string {
  const { tokens, problems } = preprocess(text);
  expect(problems).toEqual([]);
  return tokens
    .map((token) => token.text)
    .join(' ')
    .trim();
}

/** Texts and what `clang -E` makes of them. */
const TEXTS: readonly (readonly [text: string, made: string])[] = [
  ['#define A 1\nA B', '1 B'],
  ['#define A B\n#define B A\nA B', 'A B'],
  ['#define F(x) [x]\nF(1) F (2) F', '[ 1 ] [ 2 ] F'],
  ['#define F(x, y) y x\nF((a, b), c)', 'c ( a , b )'],
  ['#define F(x) #x\nF(a  +   "b\\n")', '"a + \\"b\\\\n\\""'],
  ['#define F(a, b) a##b\nF(x, 1) F(, y) F(z, )', 'x1 y z'],
  ['#define F(a, ...) a(__VA_ARGS__)\nF(p) F(q, 1, 2)', 'p ( ) q ( 1 , 2 )'],
  ['#define F(a, r...) a(0, ## r)\nF(p) F(q, 1, 2)', 'p ( 0 ) q ( 0 , 1 , 2 )'],
  ['#define G F\n#define F(x) x+1\nG(2)', '2 + 1'],
  ['#define F(x) x F\nF(1)(2)(3)', '1 F ( 2 ) ( 3 )'],
  ['#define X 3\n#define C(a, b) C_(a, b)\n#define C_(a, b) a##b\nC(v, X)', 'v3'],
  ['#ifdef A\n1\n#else\n2\n#endif\n3', '2 3'],
  [
    '#define A 2\n#if A == 2 && !defined(B) && defined A\nyes\n#elif 1\nno\n#else\nno\n#endif',
    'yes',
  ],
  ['#if 0\n#if 1\na\n#endif\n#else\nb\n#endif', 'b'],
  ['#if UNKNOWN\na\n#elif (1 ? 2 : 0) > 1\nb\n#endif', 'b'],
  ['#define A\n#undef A\n#ifndef A\na\n#endif', 'a'],
  ['#define LONG a \\\n  b\nLONG', 'a b'],
  ['#if __has_attribute(btf_decl_tag)\na\n#endif', 'a'],
  ['#define A __COUNTER__\nA A', '0 1'],
  ['#define EMPTY\n#define F(x) x\nF(EMPTY) F()a', 'a'],
];

describe('preprocess', () => {
  it.each(TEXTS)('%j', (text, made) => {
    expect(words(text)).toBe(made);
  });

  it.skipIf(!hasClang)('does as clang -E', () => {
    for (const [text] of TEXTS) {
      const clang = execFileSync('clang-19', ['-E', '-P', '--target=bpf', '-x', 'c', '-'], {
        input: `${text}\n`,
        encoding: 'utf8',
      });
      expect(words(text), text).toBe(words(clang));
    }
  });

  it('keeps the place of what a macro makes', () => {
    const text = '#define F(x) x y\nF(1);';
    const { tokens } = preprocess(text);
    expect(tokens.map(({ start, end }) => text.slice(start, end))).toEqual([
      'F(1)',
      'F(1)',
      ';',
      '',
    ]);
  });
});
