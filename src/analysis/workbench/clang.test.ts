/**
 * Compares the BTF of the workbench with clang's, for texts generated from seeds. To run more
 * seeds: `BTFSCOPE_DECLARATIONS=2000 npx vitest run src/analysis/workbench`. The golden file is
 * clang's output, written with `BTFSCOPE_WRITE_GOLDEN=1`.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  clangLines,
  hasClang,
  hasLibbpf,
  ourLines,
  recordsByName,
  sourceFor,
} from '#testing/clang-types.ts';
import { randomDeclarations } from '#testing/random-declarations.ts';
import { isLong, runs } from '#testing/runs.ts';
import { parseDeclarations } from './parse.ts';

/** Texts with instructions that the default cpu of BPF does not have. */
const OTHER_TARGETS = ['cpu_v4.bpf.c', 'native.c'];

const COUNT = Number(process.env.BTFSCOPE_DECLARATIONS ?? runs(60));

/** Hashes of clang's output, one per seed from 1 on: machines without clang compare with them. */
const GOLDEN = fileURLToPath(new URL('clang.golden.txt', import.meta.url));
const GOLDEN_COUNT = 300;
const hashOf = (lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);

it(`is what clang wrote for ${GOLDEN_COUNT} random texts`, async () => {
  const golden = readFileSync(GOLDEN, 'utf8').trim().split('\n');
  expect(golden).toHaveLength(GOLDEN_COUNT);
  for (const [i, hash] of golden.entries()) {
    const text = randomDeclarations(i + 1);
    const { declared, problems, layouts } = parseDeclarations(text);
    expect(problems, text).toEqual([]);
    expect(hashOf(await ourLines(declared, layouts)), text).toBe(hash);
  }
});

/** Texts with clang's output. The first one is `t2.c` of the kernel's Documentation/bpf/btf.rst. */
const WHOLE_TEXTS: readonly (readonly [text: string, lines: string])[] = [
  [
    `typedef int __int32;
struct t2 {
  int a2;
  int (*f2)(char q1, __int32 q2, ...);
  int (*f3)();
} g2;
int main() { return 0; }
int test() { return 0; }`,
    `[1] FUNC_PROTO '(anon)' ret_type_id=2 vlen=0
[2] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED
[3] FUNC 'main' type_id=1 linkage=global
[4] FUNC_PROTO '(anon)' ret_type_id=2 vlen=0
[5] FUNC 'test' type_id=4 linkage=global
[6] STRUCT 't2' size=24 vlen=3
\t'a2' type_id=2 bits_offset=0
\t'f2' type_id=7 bits_offset=64
\t'f3' type_id=11 bits_offset=128
[7] PTR '(anon)' type_id=8
[8] FUNC_PROTO '(anon)' ret_type_id=2 vlen=3
\t'(anon)' type_id=9
\t'(anon)' type_id=10
\t'(anon)' type_id=0
[9] INT 'char' size=1 bits_offset=0 nr_bits=8 encoding=SIGNED
[10] TYPEDEF '__int32' type_id=2
[11] PTR '(anon)' type_id=12
[12] FUNC_PROTO '(anon)' ret_type_id=2 vlen=1
\t'(anon)' type_id=0
[13] VAR 'g2' type_id=6, linkage=global
[14] DATASEC '.bss' size=0 vlen=1
\ttype_id=13 offset=0 size=24`,
  ],
  [
    `struct s { int a; } __attribute__((preserve_access_index));
struct __attribute__((preserve_access_index)) u { int a; } g;
static int st(int a) { return 0; }
int f(struct s *p, const int n, char b[4]) { return 0; }
void g3(void) {}
const long after;`,
    `[1] PTR '(anon)' type_id=2
[2] STRUCT 's' size=4 vlen=1
\t'a' type_id=3 bits_offset=0
[3] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED
[4] CONST '(anon)' type_id=3
[5] PTR '(anon)' type_id=6
[6] INT 'char' size=1 bits_offset=0 nr_bits=8 encoding=SIGNED
[7] FUNC_PROTO '(anon)' ret_type_id=3 vlen=3
\t'p' type_id=1
\t'n' type_id=4
\t'b' type_id=5
[8] FUNC 'f' type_id=7 linkage=global
[9] FUNC_PROTO '(anon)' ret_type_id=0 vlen=0
[10] FUNC 'g3' type_id=9 linkage=global
[11] STRUCT 'u' size=4 vlen=1
\t'a' type_id=3 bits_offset=0
[12] VAR 'g' type_id=11, linkage=global
[13] CONST '(anon)' type_id=14
[14] INT 'long' size=8 bits_offset=0 nr_bits=64 encoding=SIGNED
[15] VAR 'after' type_id=13, linkage=global
[16] DATASEC '.bss' size=0 vlen=1
\ttype_id=12 offset=0 size=4
[17] DATASEC '.rodata' size=0 vlen=1
\ttype_id=15 offset=0 size=8`,
  ],
  // This text is from the section on access strings in LLVM's BPF relocation document.
  [
    `struct sample {
    int a;
    int b;
    struct { int c[10]; };
} __attribute__((preserve_access_index));
struct sample *s;`,
    `[1] PTR '(anon)' type_id=2
[2] STRUCT 'sample' size=48 vlen=3
\t'a' type_id=3 bits_offset=0
\t'b' type_id=3 bits_offset=32
\t'(anon)' type_id=4 bits_offset=64
[3] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED
[4] STRUCT '(anon)' size=40 vlen=1
\t'c' type_id=5 bits_offset=0
[5] ARRAY '(anon)' type_id=3 index_type_id=6 nr_elems=10
[6] INT '__ARRAY_SIZE_TYPE__' size=4 bits_offset=0 nr_bits=32 encoding=(none)
[7] VAR 's' type_id=1, linkage=global
[8] DATASEC '.bss' size=0 vlen=1
\ttype_id=7 offset=0 size=8`,
  ],
];

it.each(WHOLE_TEXTS)('is what clang wrote for %s', async (text, golden) => {
  const { declared, problems, layouts } = parseDeclarations(text);
  expect(problems).toEqual([]);
  expect((await ourLines(declared, layouts)).join('\n')).toBe(golden);
});

/** Folder of programs and clang's output, which `BTFSCOPE_WRITE_GOLDEN=1` writes. */
const PROGRAMS = fileURLToPath(new URL('../../../testdata/src/workbench/', import.meta.url));
const PROGRAMS_GOLDEN = fileURLToPath(new URL('programs.golden.txt', import.meta.url));
const programs = readdirSync(PROGRAMS)
  .sort()
  .map((name) => ({ name, text: readFileSync(PROGRAMS + name, 'utf8') }));

it(`is what clang wrote for ${programs.length} programs`, async () => {
  const ours: string[] = [];
  for (const { name, text } of programs) {
    const { declared, problems, layouts } = parseDeclarations(text);
    expect(problems, name).toEqual([]);
    ours.push(`== ${name}`, ...(await ourLines(declared, layouts)));
  }
  expect(`${ours.join('\n')}\n`).toBe(readFileSync(PROGRAMS_GOLDEN, 'utf8'));
});

/**
 * Sources of objects, with headers in place of `#include`: the samples, and ten tools like
 * libbpf-tools, compiled with libbpf's headers. clang orders the types of CO-RE accesses
 * differently, so records are compared without ids.
 */
const SOURCES = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES_GOLDEN = fileURLToPath(new URL('sources.golden.txt', import.meta.url));
const sources = ['public/samples/src', 'testdata/src/programs', 'testdata/src/tools']
  .flatMap((folder) =>
    readdirSync(SOURCES + folder)
      .filter((name) => name.endsWith('.c') && !OTHER_TARGETS.includes(name))
      .sort()
      .map((name) => `${folder}/${name}`),
  )
  .map((name) => ({ name, text: withHeaders(name) }));

function withHeaders(name: string, seen = new Set<string>()): string {
  const folders = [name.replace(/[^/]*$/, ''), 'public/samples/src/include/'];
  return readFileSync(SOURCES + name, 'utf8').replace(/^#include "(.*)"$/gm, (line, header) => {
    const path = folders.map((folder) => folder + header).find((at) => existsSync(SOURCES + at));
    if (path === undefined) return line;
    if (seen.has(path)) return '';
    seen.add(path);
    return withHeaders(path, seen);
  });
}

it(`is what clang wrote for ${sources.length} sources, but for ids`, async () => {
  const lines: string[] = [];
  for (const { name, text } of sources) {
    const { declared, problems, layouts } = parseDeclarations(text);
    expect(problems, name).toEqual([]);
    lines.push(`${hashOf(recordsByName(await ourLines(declared, layouts)))} ${name}`);
  }
  expect(`${lines.join('\n')}\n`).toBe(readFileSync(SOURCES_GOLDEN, 'utf8'));
});

/**
 * Constructs from `constructs.txt`. Each has a line of `===` and a title, then C. A line `!
 * message` states the error if the construct is not supported; `~ message` states the note if
 * clang's BTF differs. All constructs without such a line are compared with clang.
 */
const CONSTRUCTS = readFileSync(new URL('constructs.txt', import.meta.url), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((block) => {
    const [name = '', ...lines] = block.trimEnd().split('\n');
    const messages = (mark: string) =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    const text = lines.filter((line) => !/^[!~] /.test(line)).join('\n');
    return { name, text, problems: messages('! '), notes: messages('~ ') };
  });
const COMPARED = CONSTRUCTS.filter(({ problems, notes }) => problems.length + notes.length === 0);
const CONSTRUCTS_GOLDEN = fileURLToPath(new URL('constructs.golden.txt', import.meta.url));

it(`is what clang wrote for ${COMPARED.length} of ${CONSTRUCTS.length} constructs, and a sentence for the others`, async () => {
  const golden = new Map(
    readFileSync(CONSTRUCTS_GOLDEN, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(17), line.slice(0, 16)] as const),
  );
  expect([...golden.keys()]).toEqual(COMPARED.map(({ name }) => name));
  for (const { name, text, ...said } of CONSTRUCTS) {
    const { declared, problems, notes, layouts } = parseDeclarations(text);
    expect(
      problems.map(({ message }) => message),
      name,
    ).toEqual(said.problems);
    for (const note of said.notes) expect(notes.map(({ message }) => message)).toContain(note);
    const hash = golden.get(name);
    if (hash !== undefined) expect(hashOf(await ourLines(declared, layouts)), name).toBe(hash);
  }
});

/** True if the run writes clang's output to the golden files. */
const isGolden = process.env.BTFSCOPE_WRITE_GOLDEN !== undefined;

/** Returns the texts that clang compiles: all in a long or golden run, else one in twelve. */
function asked<T>(all: readonly T[]): readonly T[] {
  return isLong || isGolden ? all : all.filter((_, i) => i % 12 === 0);
}

/** Writes a golden file with one line per text, or compares it with the compiled texts' lines. */
function expectKept(golden: string, lines: readonly string[]): void {
  if (isGolden) writeFileSync(golden, `${lines.join('\n')}\n`);
  expect(lines).toEqual(asked(readFileSync(golden, 'utf8').trim().split('\n')));
}

describe.skipIf(!hasClang)('clang', () => {
  const someConstructs = asked(COMPARED);
  it(`writes the same for ${someConstructs.length} constructs`, { timeout: 300_000 }, async () => {
    const lines: string[] = [];
    for (const { name, text } of someConstructs) {
      const { declared, layouts } = parseDeclarations(text);
      const theirs = await clangLines(sourceFor(text, declared));
      expect(await ourLines(declared, layouts), name).toEqual(theirs);
      lines.push(`${hashOf(theirs)} ${name}`);
    }
    expectKept(CONSTRUCTS_GOLDEN, lines);
  });

  it(`writes the same for ${programs.length} programs`, async () => {
    const theirs: string[] = [];
    for (const { name, text } of programs) {
      const source = sourceFor(text, parseDeclarations(text).declared);
      theirs.push(`== ${name}`, ...(await clangLines(source)));
    }
    const golden = `${theirs.join('\n')}\n`;
    if (isGolden) writeFileSync(PROGRAMS_GOLDEN, golden);
    expect(golden).toBe(readFileSync(PROGRAMS_GOLDEN, 'utf8'));
  });

  const someSources = asked(sources);
  it.skipIf(!hasLibbpf)(
    `writes the same for ${someSources.length} sources, but for ids`,
    { timeout: 300_000 },
    async () => {
      const lines: string[] = [];
      for (const { name, text } of someSources) {
        const { declared, layouts } = parseDeclarations(text);
        const own = !name.startsWith('testdata/src/tools/');
        const theirs = recordsByName(await clangLines(sourceFor(text, declared), own));
        expect(recordsByName(await ourLines(declared, layouts)), name).toEqual(theirs);
        lines.push(`${hashOf(theirs)} ${name}`);
      }
      expectKept(SOURCES_GOLDEN, lines);
    },
  );

  it.each(WHOLE_TEXTS)('writes the same for %s', async (text, golden) => {
    expect((await clangLines(text)).join('\n')).toBe(golden);
  });

  it(`writes the same for ${COUNT} random texts`, { timeout: 600_000 }, async () => {
    const hashes: string[] = [];
    for (let seed = 1; seed <= (isGolden ? GOLDEN_COUNT : COUNT); seed++) {
      const text = randomDeclarations(seed);
      const { declared, problems, layouts } = parseDeclarations(text);
      expect(problems, text).toEqual([]);
      const theirs = await clangLines(sourceFor(text, declared));
      expect(await ourLines(declared, layouts), text).toEqual(theirs);
      hashes.push(hashOf(theirs));
    }
    if (isGolden) writeFileSync(GOLDEN, `${hashes.join('\n')}\n`);
    else expect(readFileSync(GOLDEN, 'utf8').split('\n').slice(0, COUNT)).toEqual(hashes);
  });
});
