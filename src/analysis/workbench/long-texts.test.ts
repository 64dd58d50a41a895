import { describe, expect, it } from 'vitest';
import { tokensOf } from '#analysis/c/tokens.ts';
import type { SourceFile } from './sources.ts';
import { compileDeclarations } from './workbench.ts';

const repeat = (count: number, part: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join('');

function problemsOf(text: string, headers: readonly SourceFile[] = []): string[] {
  return compileDeclarations(text, 'little', null, headers).problems.map(({ message }) => message);
}

/** Returns the milliseconds of processor time that a call takes. */
function timeOf(call: () => unknown): number {
  const { user } = process.cpuUsage();
  call();
  return (process.cpuUsage().user - user) / 1000;
}

/** Texts by a number of parts, whose length is in proportion to the number. */
const TEXTS: readonly (readonly [what: string, text: (n: number) => string, n: number])[] = [
  ['digits of a number', (n) => `int a = 0x${'1'.repeat(20 * n)};`, 400],
  ['comments without an end', (n) => `int a; ${'/* '.repeat(10 * n)}`, 200],
  ['comments in a comment', (n) => `int a; // ${'/* '.repeat(20 * n)}\n`, 400],
  ['quotes in a string without an end', (n) => `int a; "${'\\"'.repeat(10 * n)}`, 200],
  ['quotes in a character without an end', (n) => `int a; '${"\\'".repeat(10 * n)}`, 200],
  [
    'static variables of a function',
    (n) =>
      `${repeat(n, (i) => `int a${i};`)} void f(void) {${repeat(n, (i) => `static int b${i};`)}}`,
    500,
  ],
  ['static variables of one name', (n) => `void f(void) {${'static int b;'.repeat(n)}}`, 1500],
  ['names that a call passes', (n) => `void f(void) { g(${repeat(n, (i) => `a${i},`)} a); }`, 2000],
  ['assignments in brackets', (n) => `void f(void) {${'a['.repeat(n)}0${']=0'.repeat(n)};}`, 500],
  [
    'calls of inlined functions',
    (n) =>
      `void g0(void);${repeat(n, (i) => `static inline void g${i + 1}(void) {g${i}();}`)}${repeat(n, (i) => `void h${i}(void) {g${n}();}`)}`,
    500,
  ],
  [
    'typedefs again',
    (n) => `${repeat(n, (i) => `typedef int a${i};`)}${repeat(n, (i) => `typedef int a${i};`)}`,
    2000,
  ],
  [
    'uses of a large enum',
    (n) => `enum e {${repeat(n, (i) => `A${i},`)}};${repeat(n, (i) => `enum e x${i};`)}`,
    500,
  ],
  [
    'offsets in a large struct',
    (n) =>
      `struct s {${repeat(n, (i) => `int m${i};`)}};${repeat(n, (i) => `int x${i}[__builtin_offsetof(struct s, m${n - 1})];`)}`,
    400,
  ],
  [
    'values of a large struct',
    (n) => `struct s {${repeat(n, (i) => `int m${i};`)}} x = {${'0,'.repeat(n)}};`,
    1000,
  ],
  [
    'named values of a large struct',
    (n) => `struct s {${repeat(n, (i) => `int m${i};`)}} x = {${repeat(n, (i) => `.m${i} = 0,`)}};`,
    500,
  ],
  [
    'a designator of many steps',
    (n) =>
      `struct s0 {int a[1];};${repeat(n, (i) => `struct s${i + 1} {struct s${i} a[1];};`)}struct s${n} x = {${'.a[0]'.repeat(n)}.a[0] = 0};`,
    300,
  ],
  [
    'variables of a large struct',
    (n) =>
      `struct s {${repeat(n, (i) => `int m${i};`)}};${repeat(n, (i) => `static struct s x${i};`)}`,
    500,
  ],
  ['unknown attributes', (n) => repeat(n, (i) => `int x${i} __attribute__((u${i}));`), 1000],
  ['factors of a double', (n) => `int a[${'1e308 * '.repeat(n)}1.0];`, 500],
];

describe('compileDeclarations, on long texts', () => {
  it.each(TEXTS)('takes time in proportion to their length: %s', (_, text, n) => {
    const [short, long] = [text(n), text(12 * n)];
    problemsOf(short);
    const least = Math.max(
      timeOf(() => problemsOf(short)),
      5,
    );
    // 144 times as long if the time were in proportion to the square.
    expect(timeOf(() => problemsOf(long))).toBeLessThan(60 * least);
  });

  it('reads headers and lines in proportion to the length', () => {
    const headers = Array.from({ length: 200 }, (_, i) => ({
      name: `${i}/a.h`,
      text: '__LINE__;',
    }));
    const text = (n: number) =>
      '#include "199/a.h"\nint __LINE__;\n'.repeat(n) + '\n'.repeat(40 * n);
    problemsOf(text(100), headers);
    const least = Math.max(
      timeOf(() => problemsOf(text(100), headers)),
      5,
    );
    expect(timeOf(() => problemsOf(text(1200), headers))).toBeLessThan(60 * least);
  });

  it('finds names in unnamed structs that are members twice, and twice in these', () => {
    const chain = repeat(60, (i) => `struct { typeof(v${i}); typeof(v${i}); } v${i + 1};`);
    const start = `struct { int a[0]; } v0; ${chain}`;
    const [problem] = problemsOf(`${start} int x[__builtin_offsetof(typeof(v60), q)];`);
    expect(problem).toBe('no member is called q');
    expect(problemsOf(`${start} typeof(v60) x = { .q = 1 };`)).toEqual(['no member is called q']);
    expect(problemsOf(`${start} int x[__builtin_offsetof(typeof(v60), a) + 1];`)).toEqual([]);
  });

  it('takes the members of a struct that is defined after a question about it', () => {
    const text = 'struct s; int a[__builtin_offsetof(struct s, y)]; struct s { int x, y; };';
    const { problems, btf } = compileDeclarations(
      `${text} int b[__builtin_offsetof(struct s, y)];`,
      'little',
    );
    expect(problems.map(({ message }) => message)).toEqual(['no member is called y']);
    expect(btf).toEqual(
      compileDeclarations(
        'struct s { int x, y; }; int b[__builtin_offsetof(struct s, y)];',
        'little',
      ).btf,
    );
  });

  it.each([
    ['dimensions', `int v0[1]; ${repeat(70, (i) => `typeof(v${i}) v${i + 1}[1];`)}`, 64],
    ['parameters', `void f(${'int,'.repeat(127)} int);`, 127],
    ['tags', `int a __attribute__((${repeat(65, (i) => `btf_decl_tag("${i}"),`)}));`, 64],
    ['tags', `int __attribute__((${repeat(65, (i) => `btf_type_tag("${i}"),`)})) *a;`, 64],
    ['tags', repeat(65, (i) => `extern int a __attribute__((btf_decl_tag("${i}")));`), 64],
  ])('limits %s', (what, text, most) => {
    expect(problemsOf(text)[0]).toBe(`more than ${most} ${what}`);
  });

  it('writes as many types as a kernel reads', () => {
    const start = `int v[1]${'[1]'.repeat(62)};`;
    const text = `${start}${repeat(17_000, (i) => `typeof(v) w${i}[${i}];`)}`;
    expect(problemsOf(text)).toEqual(['BTF cannot store this: more than 1048575 types']);
  });
});

describe('tokensOf', () => {
  it('reads literals and comments around those without an end', () => {
    const texts = (text: string) => tokensOf(text).map((token) => token.text);
    expect(texts('"a\\"b" "c\\"d\n"e"')).toEqual(['"a\\"b"', '"', 'c', '\\', '"', 'd', '"e"', '']);
    expect(texts("'a' 'b\n'c'")).toEqual(["'a'", "'", 'b', "'c'", '']);
    expect(texts('/* a */ b /* c')).toEqual(['b', '/', '*', 'c', '']);
    expect(texts('0x1.8p3 0x.8p3 0x1p3 0x12u')).toEqual([
      '0x1.8p3',
      '0x.8p3',
      '0x1p3',
      '0x12u',
      '',
    ]);
  });

  it('sees the end of a line after a comment that has the start of another', () => {
    expect(tokensOf('a // /*\n /* b */ c')[1]?.before).toBe('\n');
  });
});
