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

/** Returns a definition of the macro F whose body is `part` `count` times. */
function define(part: string, count: number): string {
  return `#define F(x) ${part.repeat(count)}x\n`;
}

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

  const range = (count: number) => Array.from({ length: count }, (_, i) => i);
  const DEEP = 'macros are nested too deep';
  const MUCH = 'macros make too much of this text';
  it.each([
    ['macros that are each other', range(4000).map((i) => `#define m${i} m${i + 1}\n`), 'm0', DEEP],
    [
      'macros with arguments that are each other',
      range(4000).map((i) => `#define m${i}(x) m${i + 1}(x)\n`),
      'm0(1)',
      DEEP,
    ],
    ['calls in arguments', ['#define F(x) x\n'], `${'F('.repeat(1000)}1${')'.repeat(1000)}`, DEEP],
    ['a long argument that is repeated', [define('x ', 4000)], `F(${'1 '.repeat(4000)})`, MUCH],
    [
      'a long argument of empty macros that is repeated',
      ['#define E\n', define('x ', 4000)],
      `F(${'E '.repeat(4000)})`,
      MUCH,
    ],
    ['a long string that is repeated', [define('#x ', 4000)], `F(${'1 '.repeat(4000)})`, MUCH],
    ['a name that is pasted many times', [define('x##', 4000)], 'F(a)', MUCH],
    [
      'variable arguments that are repeated',
      [`#define F(...) ${'__VA_ARGS__ '.repeat(4000)}\n`],
      `F(${'1,'.repeat(4000)}1)`,
      MUCH,
    ],
  ])('limits the work of %s', (_what, macros, use, problem) => {
    for (const text of [`${macros.join('')}${use}\n`, `${macros.join('')}#if ${use}\n#endif\n`]) {
      const { tokens, problems } = preprocess(`${text}#if 1\nint after;\n#endif`);
      expect(problems.map(({ message }) => message)).toContain(problem);
      expect(tokens.slice(-4, -1).map((token) => token.text)).toEqual(['int', 'after', ';']);
    }
  });

  it('reads 9,000 conditions in each other', () => {
    const text = `${'#if 1\n'.repeat(9000)}int x;\n${'#endif\n'.repeat(9000)}`;
    expect(words(text)).toBe('int x ;');
  });

  it('splits a header into tokens once, however often it is included', () => {
    let reads = 0;
    const header = {
      name: 'x.h',
      get text() {
        reads++;
        return `/* ${'long '.repeat(20)} */\n#ifdef A\nint a;\n#endif\n`;
      },
    };
    const text = `${'#include "x.h"\n'.repeat(500)}#define A\n#include "x.h"\n`;
    const { tokens, problems } = preprocess(text, 'little', null, [header]);
    expect(problems).toEqual([]);
    expect(tokens.map((token) => token.text)).toEqual(['int', 'a', ';', '']);
    expect(reads).toBeLessThan(5);
  });

  it.each([
    ['a header that includes itself', ['#include "h0.h"'], 'headers are nested too deep'],
    [
      '4,000 headers in each other',
      range(4000).map((i) => `#include "h${i + 1}.h"`),
      'headers are nested too deep',
    ],
    [
      'a header that includes itself twice',
      ['#include "h0.h"\n#include "h0.h"'],
      'headers make too much of this text',
    ],
  ])('refuses %s', (_what, texts, problem) => {
    const headers = texts.map((text, i) => ({ name: `h${i}.h`, text }));
    const { problems } = preprocess('#include "h0.h"\nint after;', 'little', null, headers);
    expect(problems.map(({ message }) => message)).toContain(problem);
  });
});
