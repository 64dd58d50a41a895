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
  it.each(['int s8(int x) { return x; }', 'unsigned int u32;', 'struct s { int a; } size_t;'])(
    'lets a name of the text replace a type that needs no header, as clang does: %s',
    (text) => {
      expect(problemsOf(text)).toEqual([]);
    },
  );

  it('has no such type behind that name', () => {
    expect(problemsOf('typedef signed char s8; int s8(void);')).toEqual([
      's8 is declared twice @ s8',
    ]);
    expect(problemsOf('int s8(void); s8 v;')).toEqual(['s8 is not a known type @ s8']);
  });

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
      'int v __attribute__((vector_size(16)));',
      'the attribute vector_size is not supported @ vector_size',
    ],
    ['struct s { int a; } __attribute__((mode(TI)));', 'mode TI is not supported @ TI'],
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
    ['int f(int a) { return a;', 'this { has no } @ {'],
    ['int f(void); long f(void);', 'f is declared twice @ f'],
    ['class c { };', 'class is C++, and only C is compiled here @ class'],
    ['extern "C" int f(void);', 'extern "C" is C++, and only C is compiled here @ extern'],
    ['int a[1 / 0];', 'a division by 0 @ /'],
    ['int a[sizeof(struct t)];', 'the type is not complete, so its size is not known @ struct'],
    [
      'struct s { int a; }; int b[offsetof(struct s, c)];',
      'no member is called c @ offsetof(struct s, c)',
    ],
    ['_Static_assert(2 * 2 == 5, "sums");', 'this assertion is false: 4 == 5 (sums) @ 2 * 2 == 5'],
    ['struct s { int a; _Static_assert(0); };', 'this assertion is false: 0 @ 0'],
    ['#if 1\nint a;', 'this condition has no #endif @ if'],
    ['#define F(a) a\nint x F(1, 2);', 'F takes 1 arguments, not 2 @ F'],
    ['int x;\n#define F(a) a\nF(1', 'the arguments of F have no ) @ F'],
    ['#error "no"', '#error "no" @ #'],
    ['int q[2.5];', 'a whole number was expected @ 2.5'],
    ['int many[] = value;', 'the length of many cannot be read from its initializer @ many'],
    ['int x { }', '; was expected, not { @ {'],
    [
      'int f(int a, int b, int c, int d, int e, int g) { }',
      'BPF functions have 5 registers for parameters @ f',
    ],
    [
      'struct s { int a; }; struct s f(void) { }',
      'BPF functions cannot return a struct or union @ f',
    ],
    ['void x;', 'the type of x is not complete @ x'],
  ])('%s', (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  // clang 19 writes the same BTF with and without preserve_access_index.
  it.each([
    'struct s { int a; } __attribute__((preserve_access_index));',
    'struct __attribute__((__preserve_access_index__)) s { int a; };',
    'struct s { int a; } __attribute__((preserve_access_index, aligned(4)));',
  ])('takes preserve_access_index, which does not change BTF: %s', (text) => {
    const { btf, problems } = compileDeclarations(text, 'little');
    expect(problems).toEqual([]);
    expect(btf).toEqual(compileDeclarations('struct s { int a; };', 'little').btf);
  });

  it.each([
    [
      '#include <net/sock.h>\n',
      'net/sock.h is not included here: add it as a file, or declare what you use of it',
    ],
    ['int f(int a) { return a; }', 'function bodies are not compiled'],
    ['int x __attribute__((shiny));', 'the attribute shiny is not known here and left out'],
  ])('compiles %j and says what is left out', (text, start) => {
    const { problems, notes } = parseDeclarations(text);
    expect(problems).toEqual([]);
    expect(notes.map(({ message }) => message)).toEqual([expect.stringContaining(start)]);
  });

  it.each([
    'struct s { int a; };',
    'typedef int t;',
    'enum e { A };',
    'int v;',
    'int f(void) { return 0; }',
  ])('goes on with %s behind a function that it cannot read', (text) => {
    const { declared, problems } = parseDeclarations(`int g(foo x)\n{\n\treturn 1;\n}\n${text}`);
    expect(problems).toHaveLength(1);
    expect(declared).toHaveLength(1);
  });

  it('goes on behind what it cannot read', () => {
    const { declared, problems } = parseDeclarations('struct a { int x; } @; struct b { int y; };');
    expect(problems).toHaveLength(1);
    expect(declared).toHaveLength(1);
  });

  it.each([
    '_Alignas(',
    '_Alignas(sizeof(',
    '_Atomic(',
    'typeof(',
    'typeof(sizeof(',
    'enum a:',
    'enum { a = sizeof(',
    'struct {',
    'int f(int (*',
    'int (',
    'int a[sizeof(',
    'int a[(int)',
    'int a[-',
    'int a[!',
    'int a[1?',
    'int a = {',
    'int a[',
    '__attribute__((aligned(',
    '[[gnu::aligned(',
    '_Static_assert(',
    '#if (',
    '#if defined(',
  ])('reads %s, repeated 4,000 times, without following it', (opening) => {
    const first = opening.startsWith('int a[') && opening !== 'int a[' ? 'int a[' : '';
    const repeated = opening.startsWith('#if ') ? opening.slice(4) : opening.slice(first.length);
    const start = opening.startsWith('#if ') ? '#if ' : first;
    expect(problemsOf(start + repeated.repeat(4000))).not.toEqual([]);
  });

  it.each([
    ['typedef int t0;', (i: number) => `typedef t${i} t${i + 1};`, 1],
    ['typedef int t0;', (i: number) => `typedef const t${i} t${i + 1};`, 2],
    ['typedef int t0;', (i: number) => `typedef t${i} *t${i + 1};`, 2],
    ['typedef int t0;', (i: number) => `typedef t${i} t${i + 1}[1];`, 2],
    ['typedef int t0;', (i: number) => `typedef _Atomic(t${i}) t${i + 1};`, 2],
    ['typedef int t0(void);', (i: number) => `typedef t${i} *t${i + 1}(void);`, 3],
  ])('writes types of up to 1,000 levels, as %s', (first, next, levels) => {
    const chain = (count: number) =>
      first + Array.from({ length: count }, (_, i) => next(i)).join('');
    const most = Math.floor((1000 - levels) / levels);
    expect(compileDeclarations(chain(most), 'little').problems).toEqual([]);
    const { problems } = compileDeclarations(chain(4000), 'little');
    expect(problems[0]?.message).toBe('the type has more than 1000 levels');
  });

  it('compares each two types once', () => {
    const chain = (name: string) =>
      Array.from(
        { length: 200 },
        (_, i) => `typedef int ${name}${i + 1}(${name}${i} *, ${name}${i} *);`,
      ).join('');
    const text = `typedef int a0(int); typedef int b0(int); ${chain('a')} ${chain('b')}`;
    expect(problemsOf(`${text} extern a200 f; extern b200 f;`)).toEqual([]);
    expect(problemsOf(`${text} extern a200 f; extern b199 f;`)).toHaveLength(1);
  });

  it('reads a body with many brackets that do not close', () => {
    const { declared } = parseDeclarations(`int f(void) {${'static int a['.repeat(4000)}}`);
    expect(declared).toMatchObject([{ name: 'f' }]);
  });

  it('rejects a text that was not typed', () => {
    expect(problemsOf(' '.repeat(MAX_TEXT + 1))).toHaveLength(1);
  });

  it.each([
    ['parentheses', `int ${'('.repeat(9000)}x${')'.repeat(9000)};`],
    ['pointers', `int ${'*'.repeat(9000)}x;`],
    ['macros', `#define a b\n#define b a\nint ${'a '.repeat(9000)};`],
    [
      'macros that double',
      `${Array.from({ length: 40 }, (_, i) => `#define m${i} m${i + 1} m${i + 1}\n`).join('')}int m0;`,
    ],
    ['calls of macros', `#define f(a) a\nint ${'f('.repeat(9000)}1${')'.repeat(9000)};`],
    ['conditions', '#if 1\n'.repeat(9000)],
    ['initializers', `int x[] = ${'{'.repeat(9000)}${'}'.repeat(9000)};`],
    ['declarations of one name', 'extern int x;\n'.repeat(7000)],
    ['attributes', `int x ${'__attribute__((a)) '.repeat(5000)};`],
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

  it.each(["0'", "0'0", "int x; 0'", "int f(void) { 0'1", "{ 0' }"])('refuses %s', (text) => {
    expect(parseDeclarations(text).problems).not.toEqual([]);
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
      '\n#define m(a) a',
      '\n#if',
      '\n#endif\n',
      'm',
      '"x"',
      'sizeof',
      '__attribute__((packed))',
      'extern',
      'static',
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
