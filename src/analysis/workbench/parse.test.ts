import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomDeclarations, seeded } from '#testing/random-declarations.ts';
import { runs } from '#testing/runs.ts';
import { emitBtf } from './emit.ts';
import { MAX_TEXT, parseDeclarations } from './parse.ts';
import { compileDeclarations } from './workbench.ts';

function problemsOf(text: string): string[] {
  return parseDeclarations(text).problems.map(
    ({ message, start, end }) => `${message} @ ${text.slice(start, end)}`,
  );
}

describe('parseDeclarations', () => {
  it.each([
    ['struct s { int a }; ', '; was expected, not } @ }'],
    ['struct s { foo a; };', 'foo is not a known type @ foo'],
    ['struct s { int a; int a; };', 'a second member a @ a'],
    ['struct s { int a : 33; };', 'this type has 32 bits @ 33'],
    ['struct s { float a : 3; };', 'only whole numbers can be bit-fields @ a'],
    ['struct s { int a : 0; };', 'a bit-field of no bits has no name @ a'],
    ['struct s { struct t b; };', 'the type of b is not complete, so its size is not known @ b'],
    ['struct s { int f(void); };', 'f is a function, and members are values: point at it @ f'],
    ['struct s { int n; char a[]; int b; };', 'nothing may follow an array without a length @ int'],
    [
      'struct s { int a; } __attribute__((noreturn));',
      'only packed, aligned and preserve_access_index are supported, not noreturn @ noreturn',
    ],
    ['struct s { int a; } __aligned(3);', 'an alignment is a power of two, up to 65536 @ 3'],
    ['struct s { int a[2;', '] was expected, not ; @ ;'],
    ['union s; struct s { int a; };', 's is a union already @ s'],
    ['enum e { };', 'an enum needs a name for a value @ {'],
    ['enum e { A, A };', 'A is declared twice @ A'],
    ['int x; long x;', 'x is declared twice @ x'],
    ['typedef int t; typedef long t;', 't is another type already @ t'],
    ['unsigned float x;', 'unsigned float is not a type @ unsigned'],
    ['int a[099];', 'a number that begins with 0 is octal, and has no 8 and no 9 @ 099'],
    ['int;', 'this declares nothing @ int'],
    ['int f(int a, ...) { }', 'BPF functions cannot be variadic @ f'],
    ['int f(int a) { return a; }', 'a number was expected, not a @ a'],
    ['int f(void) { int a; }', 'a function body is empty or returns a constant here @ {'],
    ['int x { }', '; was expected, not { @ {'],
    [
      'int f(int a, int b, int c, int d, int e, int g) { }',
      'BPF functions have 5 parameters at most @ f',
    ],
    [
      'struct s { int a; }; struct s f(void) { }',
      'functions with struct or union values are not supported @ f',
    ],
    ['void x;', 'the type of x is not complete @ x'],
  ])('%s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  // Clang 19 writes the same BTF with and without it.
  it.each([
    'struct s { int a; } __attribute__((preserve_access_index));',
    'struct __attribute__((__preserve_access_index__)) s { int a; };',
    'struct s { int a; } __attribute__((preserve_access_index, aligned(4)));',
  ])('takes preserve_access_index, which does not change BTF: %s', (text) => {
    const { btf, problems } = compileDeclarations(text, 'little');
    expect(problems).toEqual([]);
    expect(btf).toEqual(compileDeclarations('struct s { int a; };', 'little').btf);
  });

  it('goes on behind what it cannot read', () => {
    const { declared, problems } = parseDeclarations('struct a { int x; } @; struct b { int y; };');
    expect(problems).toHaveLength(1);
    expect(declared).toHaveLength(1);
  });

  it('rejects a text that was not typed', () => {
    expect(problemsOf(' '.repeat(MAX_TEXT + 1))).toHaveLength(1);
  });

  it.each([
    ['parentheses', `int ${'('.repeat(9000)}x${')'.repeat(9000)};`],
    ['pointers', `int ${'*'.repeat(9000)}x;`],
    ['structs', `${'struct { '.repeat(5000)}int x; ${'} m; '.repeat(5000)}`],
    ['dimensions', `int x${'[1]'.repeat(20_000)};`],
    ['minus signs', `int x[${'-'.repeat(9000)}1];`],
    [
      'structs by value',
      Array.from({ length: 3000 }, (_, i) => `struct a${i + 1}{struct a${i} x;};`)
        .join('')
        .replace('struct a0 x', 'int x'),
    ],
  ])('stands a text of many %s', (_, text) => {
    const { declared, layouts } = parseDeclarations(text);
    expect(emitBtf(declared, layouts).length).toBeGreaterThanOrEqual(0);
  });

  it('reads any text, and what it declares can be written', () => {
    const pieces = [
      'struct',
      's',
      '{',
      '}',
      ';',
      'int',
      '*',
      '(',
      ')',
      '[',
      ']',
      '3',
      ',',
      ':',
      'enum',
      '=',
      'typedef',
      'const',
      'union',
      'void',
      '__packed',
      '...',
      '-',
      'u32',
      '@',
    ];
    const texts = fc
      .array(fc.constantFrom(...pieces), { maxLength: 40 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        const { btf, problems } = compileDeclarations(text, 'big');
        expect(btf.length).toBeGreaterThanOrEqual(24);
        for (const { start, end } of problems) expect(end).toBeGreaterThan(start);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('reports what BTF cannot describe', () => {
    const { btf, problems } = compileDeclarations(
      'struct s { char a[9000000]; int b : 3; }; int x;',
      'little',
    );
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^BTF cannot store this: .*bits_offset/),
    ]);
    expect(btf.length).toBeGreaterThan(24);
  });

  it('reads damaged declarations', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const text = randomDeclarations(seed);
      const random = seeded(seed + 1000);
      const at = Math.floor(random() * text.length);
      const { declared, layouts } = parseDeclarations(
        text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 4)),
      );
      expect(() => emitBtf(declared, layouts)).not.toThrow();
    }
  });
});
