import { describe, expect, it } from 'vitest';
import { ourLines } from '#testing/clang-types.ts';
import { parseDeclarations } from './parse.ts';
import { includedSource, sourcePlace, sourceStarts } from './sources.ts';

const FILES = [
  { name: 'maps.h', text: '' },
  { name: 'lib/maps.h', text: '' },
  { name: 'lib/a.h', text: '' },
];

describe('includedSource', () => {
  it.each([
    ['maps.h', '', 0],
    ['maps.h', 'lib/a.h', 1],
    ['../maps.h', 'lib/a.h', 0],
    ['lib/maps.h', '', 1],
    ['a.h', '', 2],
    ['other/a.h', '', -1],
  ])('finds %s from %j', (path, from, index) => {
    expect(includedSource(FILES, path, from)).toBe(index);
  });
});

it('places follow each other, with one character between files', () => {
  const starts = sourceStarts(5, [{ name: 'a.h', text: 'abc' }, ...FILES.slice(0, 1)]);
  expect(starts).toEqual([6, 10]);
  expect(sourcePlace(starts, 5)).toEqual({ file: -1, offset: 5 });
  expect(sourcePlace(starts, 7)).toEqual({ file: 0, offset: 1 });
  expect(sourcePlace(starts, 10)).toEqual({ file: 1, offset: 0 });
});

describe('local headers', () => {
  const compile = (text: string, files: Record<string, string>) =>
    parseDeclarations(
      text,
      'little',
      null,
      Object.entries(files).map(([name, header]) => ({ name, text: header })),
    );

  it('are included, and only the types that are used are written', async () => {
    const { declared, problems, notes, layouts } = compile('#include "a.h"\nstruct used u;', {
      'a.h': '#ifndef A_H\n#define A_H\n#include "sub/b.h"\nstruct unused { int a; };\n#endif',
      'sub/b.h': '#pragma once\n#include "../a.h"\nstruct used { int b; };',
    });
    expect([...problems, ...notes]).toEqual([]);
    const lines = (await ourLines(declared, layouts)).join('\n');
    expect(lines).toContain("STRUCT 'used'");
    expect(lines).not.toContain('unused');
  });

  it('have problems with places in the header', () => {
    const text = '#include "a.h"\n';
    const { problems } = compile(text, { 'a.h': 'int ok;\nnothing x;' });
    expect(problems).toMatchObject([{ start: text.length + 1 + 8 }]);
  });

  it('replace the headers that the workbench has', () => {
    const { problems } = compile('#include <bpf/bpf_helpers.h>\nmine x;', {
      'bpf/bpf_helpers.h': 'typedef int mine;',
    });
    expect(problems).toEqual([]);
  });

  it('count __LINE__ in their file', () => {
    const { problems } = compile('#include "a.h"\n\n_Static_assert(__LINE__ == 3);', {
      'a.h': '\n_Static_assert(__LINE__ == 2);\n',
    });
    expect(problems).toEqual([]);
  });

  it('that double at each level end in a problem', () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [
        `h${i}.h`,
        `#include "h${i + 1}.h"\n#include "h${i + 1}.h"\n${';'.repeat(999)}`,
      ]),
    );
    const { problems } = compile('#include "h0.h"\n', { ...files, 'h30.h': 'int a;' });
    expect(problems.map(({ message }) => message)).toContain('headers make too much of this text');
  });

  it('have their own name as __FILE__, which is told to be a path in clang', () => {
    const text = '#include "lib/a.h"\nchar a[sizeof(__FILE__)];';
    const { declared, notes } = compile(text, { 'lib/a.h': 'char h[sizeof(__FILE__)];' });
    const lengths = declared.map((item) =>
      item.what === 'variable' && item.type?.kind === 'array' ? item.type.dimensions : [],
    );
    expect(lengths).toEqual([['lib/a.h'.length + 1], ['a.c'.length + 1]]);
    expect(notes.map(({ message }) => message)).toEqual([
      '__FILE__ is "lib/a.h" here: clang writes the path of its argument',
    ]);
  });

  it('that are missing are named beside the problem that follows', () => {
    const { problems, notes } = compile('#include "gone.h"\nunknown x;', {});
    expect(problems).toHaveLength(1);
    expect(notes[0]?.message).toMatch(/^gone.h is not included here/);
  });
});

describe('static functions', () => {
  const notesOf = (text: string) => parseDeclarations(text).notes.map(({ message }) => message);

  it('that are called once after many returns are named: clang inlines less there', () => {
    const call = (returns: number) =>
      `extern int get(int); static int late(int a) { ${'a = get(a);'.repeat(4)} return a; }
int f(int a) { ${'if (get(a)) return 1; '.repeat(returns)} return late(a); }`;
    expect(notesOf(call(9))).toContainEqual(expect.stringContaining('function late, called once,'));
    expect(notesOf(call(1))).not.toContainEqual(expect.stringContaining('late'));
  });

  it.each([
    ['', 1],
    ['inline __attribute__((always_inline)) ', 0],
    ['__attribute__((noinline)) ', 0],
  ])('called twice with %j are a guess by name or not', (words, count) => {
    const body = 'a = a * 3 + 1; if (a > 7) a -= 2; return a + 1;';
    const text = `static ${words}int g(int a) { ${body} }\nint f(int a) { return g(a) + g(a + 1); }`;
    const guesses = notesOf(text).filter((note) => note.includes('the static function g,'));
    expect(guesses).toHaveLength(count);
    for (const guess of guesses) expect(guess).toContain('__always_inline or __noinline');
  });

  it('are kept if they are large and called twice', async () => {
    const text = `static int g(int a) { ${'a = a * 3 + 1; '.repeat(40)} return a; }
static int once(int a) { ${'a = a * 3 + 1; '.repeat(10)} return a; }
int f(int a) { return g(a) + g(a + 1) + once(a); }`;
    const { declared, layouts } = parseDeclarations(text);
    const lines = (await ourLines(declared, layouts)).join('\n');
    expect(lines).toContain("FUNC 'g' type_id=");
    expect(lines).not.toContain("FUNC 'once'");
  });

  it('in a function that is called twice may be there twice, too', () => {
    const text = `extern int get(int); static int deep(int a) { ${'a = get(a);'.repeat(4)} return a; }
static int g(int a) { a = a * 3 + 1; if (a > 7) a -= 2; return deep(a); }
int f(int a) { return g(a) + g(a + 1); }`;
    expect(notesOf(text)).toContainEqual(expect.stringContaining('function deep, called once,'));
  });
});

describe('static variables of functions', () => {
  const use = 'extern int use(const char *s);\n';
  const block = (text: string) => `{ static const char t[] = "${text}"; use(t); }`;
  const notesOf = (body: string, start: RegExp) =>
    parseDeclarations(`${use}int f(int a) { ${body} return 0; }`)
      .notes.map(({ message }) => message)
      .filter((message) => start.test(message));

  it.each([
    [`${block('a')} if (a) ${block('b')}`, 1],
    [`if (a) use("x"); ${block('b')}`, 1],
    [`${block('a')} if (a) use("x");`, 0],
  ])('after a condition may be left out: %j', (body, count) => {
    const notes = notesOf(body, /code that never runs/);
    expect(notes).toHaveLength(count);
    for (const note of notes) expect(note).toMatch(/a guess: f\.t$/);
  });

  it.each([
    ['int b[3] = { 1, 2, 3 };', 1],
    ['struct { int a[9]; } b; b = (typeof(b)) { { 1 } };', 1],
    ['int b[3] = {}; int c[3] = { 0 };', 0],
    ['static int b[3] = { 1, 2, 3 };', 0],
    ['if (a) { use("x"); }', 0],
  ])('have numbers that constants of local variables change: %j', (body, count) => {
    const notes = notesOf(`${body} ${block('a')} ${block('b')}`, /also numbers constants/);
    expect(notes).toHaveLength(count);
    for (const note of notes) expect(note).toMatch(/a guess: f\.t$/);
  });
});
