/**
 * Compares the entries of DWARF with those that llvm-dwarfdump 19 prints: offsets, tags, attributes.
 * Compiles programs of several languages by the compilers that are installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bufferSource } from '#bytes/source.ts';
import { DW_AT, DW_TAG } from '#formats/dwarf/constants.ts';
import { DwarfReader } from '#formats/dwarf/reader.ts';
import { readDwarfSections } from './dwarf-sections.ts';
import { ingestElf } from './elf.ts';

const DWARFDUMP = 'llvm-dwarfdump-19';
const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined;
const hasDwarfdump = has(DWARFDUMP);
const DWARF = `${import.meta.dirname}/../../testdata/dwarf`;
const MACHINE_FILES = '/usr/lib/debug/.build-id';
/** Limit of the size of a file of the machine: the text of its entries has 20 times as many bytes. */
const MAX_SIZE = 12 << 20;

const folder = mkdtempSync(join(tmpdir(), 'btfscope-dwarfdump-'));
afterAll(() => rmSync(folder, { recursive: true }));

const CODES = new Map([
  ...Object.entries(DW_AT).map(([name, code]) => [`DW_AT_${name}`.toUpperCase(), code] as const),
  ...Object.entries(DW_TAG).map(([name, code]) => [`DW_TAG_${name}`.toUpperCase(), code] as const),
]);
const ATTRIBUTES: ReadonlySet<number> = new Set(Object.values(DW_AT));
const TAGS: ReadonlySet<number> = new Set(Object.values(DW_TAG));

/** Returns the code of a name that llvm-dwarfdump prints; `unknown` without a code in our table. */
function codeOf(name: string, known: ReadonlySet<number>): string {
  const [, hex] = /_unknown_([\da-f]+)$/.exec(name) ?? [];
  const code = hex === undefined ? CODES.get(name.toUpperCase()) : Number.parseInt(hex, 16);
  return shown(code ?? -1, known);
}

function shown(code: number, known: ReadonlySet<number>): string {
  return known.has(code) ? `${code}` : 'unknown';
}

/** An entry as its offset, its tag and its attributes. Names that no table has are the same text. */
type Entries = Map<string, string[]>;

/** Returns the entries by the section and their offset in it. */
function dumped(path: string): Entries {
  const text = execFileSync(DWARFDUMP, ['--debug-info', '--debug-types', path], {
    encoding: 'latin1',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const entries: Entries = new Map();
  let section = '';
  let entry: string[] = [];
  for (const line of text.split('\n')) {
    const head = /^(\.debug_\S+) contents:/.exec(line);
    if (head !== null) section = head[1] ?? '';
    const tag = /^0x([\da-f]+): +(DW_TAG_\w+)/.exec(line);
    if (tag !== null) {
      entry = [codeOf(tag[2] ?? '', TAGS)];
      entries.set(`${section} ${Number.parseInt(tag[1] ?? '', 16)}`, entry);
    }
    const attribute = /^ +(DW_AT_\w+)\t/.exec(line);
    if (attribute !== null) entry.push(codeOf(attribute[1] ?? '', ATTRIBUTES));
  }
  return entries;
}

async function read(path: string): Promise<Entries> {
  const source = bufferSource('file', new Uint8Array(readFileSync(path)));
  const loaded = await readDwarfSections(source, await ingestElf(source, []), []);
  const entries: Entries = new Map();
  if (loaded === null) return entries;
  for (const unit of new DwarfReader(loaded.sections).units) {
    const { count, offset, tag } = unit.tree();
    for (let row = 0; row < count; row++) {
      const at = unit.offset + (offset[row] ?? 0);
      const attributes = unit
        .dieAt(at)
        .attributes()
        .map(({ attribute }) => attribute);
      entries.set(`${unit.section.region} ${at - unit.base}`, [
        shown(tag[row] ?? 0, TAGS),
        ...attributes.map((each) => shown(each, ATTRIBUTES)),
      ]);
    }
  }
  return entries;
}

async function expectSame(path: string): Promise<void> {
  const theirs = dumped(path);
  const ours = await read(path);
  expect(ours.size).toBe(theirs.size);
  expect(theirs.size).toBeGreaterThan(0);
  const different = [...theirs].filter(([key, entry]) => `${ours.get(key)}` !== `${entry}`);
  expect(different.slice(0, 3).map(([key, entry]) => [key, entry, ours.get(key)])).toEqual([]);
}

describe.skipIf(!hasDwarfdump)('entries are those of llvm-dwarfdump', () => {
  const files = readdirSync(DWARF).filter((name) => /\.(o|so|dwo|dwp)$/.test(name));
  it.each(files)('of %s', (name) => expectSame(join(DWARF, name)));

  const CPP = `
    namespace ns { struct base { virtual ~base(); int x; }; struct left : virtual base { long l; };
    struct right : virtual base { char r; }; struct both : left, right { template <class T> T get(); };
    template <> int both::get<int>() { return x; } base::~base() {} enum class kind : char { A, B }; }
    ns::both *object; auto lambda = [](ns::kind k) { return k == ns::kind::A; };
    int call(int (ns::both::*f)()) { return (object->*f)() + lambda(ns::kind::B); }`;
  const RUST = `
    pub enum Shape { Circle(f64), Square { side: u32 }, Nothing }
    pub trait Area { fn area(&self) -> f64; }
    impl Area for Shape { fn area(&self) -> f64 { match self { Shape::Circle(r) => *r, _ => 1.0 } } }
    pub fn total(all: &[Box<dyn Area>]) -> f64 { all.iter().map(|each| each.area()).sum() }`;
  const GO = `
    package main
    import "fmt"
    type point struct { x, y int; next *point }
    func main() { m := map[string]point{}; c := make(chan point, 1); c <- m["a"]; fmt.Println(<-c) }`;
  // Relocatable files have one section for each type, and offsets that begin at 0 in each.
  const SHARED = ['-g', '-fPIC', '-shared', '-nostdlib', 'a.cpp', '-o', 'out'];
  const COMPILED = [
    ['C++ by clang', 'clang++-19', 'a.cpp', CPP, ['-g', '-c', 'a.cpp', '-o', 'out']],
    ['C++ by gcc', 'g++', 'a.cpp', CPP, ['-g', '-O2', '-c', 'a.cpp', '-o', 'out']],
    [
      'C++ with types in units of their own',
      'g++',
      'a.cpp',
      CPP,
      [...SHARED, '-gdwarf-4', '-fdebug-types-section'],
    ],
    ['compressed sections', 'g++', 'a.cpp', CPP, ['-g', '-gz', '-c', 'a.cpp', '-o', 'out']],
    ['Rust', 'rustc', 'a.rs', RUST, ['-g', '--crate-type=lib', '--emit=obj', '-o', 'out', 'a.rs']],
    ['Go', 'go', 'a.go', GO, ['build', '-o', 'out', 'a.go']],
  ] as const;

  for (const [title, compiler, file, text, options] of COMPILED) {
    const isInstalled = has(compiler) || spawnSync(compiler, ['version']).status === 0;
    it.skipIf(!isInstalled)(
      `of ${title}`,
      async () => {
        writeFileSync(join(folder, file), text);
        const environment = { ...process.env, GOCACHE: join(folder, 'go'), GOTOOLCHAIN: 'local' };
        execFileSync(compiler, options, { cwd: folder, stdio: 'pipe', env: environment });
        await expectSame(join(folder, 'out'));
      },
      120_000,
    );
  }

  const machine = existsSync(MACHINE_FILES)
    ? readdirSync(MACHINE_FILES, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.name.endsWith('.debug'))
        .map(({ name, parentPath }) => join(parentPath, name))
        .filter((path) => readFileSync(path).length <= MAX_SIZE)
    : [];
  it.skipIf(machine.length === 0)(
    'of debug files of the machine',
    async () => {
      for (const path of machine.slice(0, 20)) await expectSame(path);
    },
    300_000,
  );
});
