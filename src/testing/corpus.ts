/**
 * Real objects, kernels and damaged files, and other tools' output for each.
 *
 * There are two corpora with the same layout. `testdata/` is in this repository;
 * `scripts/build-testdata.mjs` builds it (`testdata/README.md`). The large corpus in
 * `../shared/corpus` is not. With `BTFSCOPE_CORPUS=large` the tests use the large corpus, and fail
 * if it is missing. `goldens.ts` reads the tools' output. This file imports no module of src, so
 * that e2e tests can use it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decompress } from 'fzstd';
import { JsonRow } from './json-row.ts';

const CHOSEN = process.env.BTFSCOPE_CORPUS ?? 'testdata';
const ROOTS = new Map([
  ['testdata', new URL('../../testdata/', import.meta.url)],
  ['large', new URL('../../../shared/corpus/', import.meta.url)],
]);

/** True if the tests use the large corpus. */
export const isLargeCorpus = CHOSEN === 'large';

/** Directory of the corpus that the tests use. */
export const corpusRoot: string = rootOf(CHOSEN);

function rootOf(chosen: string): string {
  const place = ROOTS.get(chosen);
  if (place === undefined) throw new Error(`BTFSCOPE_CORPUS=${chosen}: expected testdata or large`);
  const root = fileURLToPath(place);
  if (!existsSync(join(root, 'objects/MANIFEST.json'))) {
    throw new Error(`BTFSCOPE_CORPUS=${chosen}: no objects/MANIFEST.json in ${root}`);
  }
  return root;
}

/** Returns the minimum number of items that a test must compare in the current corpus. */
export function atLeast(counts: { readonly large: number; readonly testdata: number }): number {
  return isLargeCorpus ? counts.large : counts.testdata;
}

/** Ids of the kernels that tests use, by purpose. */
export const kernelIds = isLargeCorpus
  ? {
      first: '6.1.0-56-amd64',
      second: '6.12.117-amd64',
      secondArm64: '6.12.117-arm64',
      third: '6.18-amd64',
      bits32: '6.1.0-50-armmp-lpae',
      bigEndian: '6.1.0-50-s390x',
    }
  : {
      first: 'small-1-amd64',
      second: 'small-2-amd64',
      secondArm64: 'small-2-arm64',
      third: 'small-3-amd64',
      bits32: 'small-1-armhf',
      bigEndian: 'small-1-s390x',
    };

export type CorpusFile = {
  /** Id, unique among files of its kind. The goldens of an object have the same name. */
  readonly id: string;
  /** Name with which the page shows the file, without a folder. */
  readonly name: string;
  /** Path of the file, relative to the corpus. */
  readonly file: string;
};

export type CorpusObject = CorpusFile & {
  readonly group: string;
  /** Size of the unpacked file, in bytes. */
  readonly size: number;
  readonly sha256: string;
};

export type EdgeRow = CorpusFile & {
  readonly kind: 'btf' | 'elf' | 'archive' | 'compressed' | 'other';
  readonly what: string;
  readonly accept: 'ok' | 'warn' | 'refuse';
  readonly report: readonly string[];
  /** Number of types that readers should list; null if the corpus does not say. */
  readonly types: number | null;
  /** Name of the base in edge/ for split BTF; null for other files. */
  readonly base: string | null;
  /** All fields of the file's row in the corpus. */
  readonly row: JsonRow;
};

/** Returns the path on disk of a file that is given relative to the corpus. */
export function corpusPath(file: string): string {
  return join(corpusRoot, file);
}

/** Returns true if only the corpus compresses the file: the app must get it unpacked. */
export function isPacked({ name, file }: CorpusFile): boolean {
  return file.endsWith('.zst') && !name.endsWith('.zst');
}

/** Returns the bytes of a file, unpacked if only the corpus compresses it. */
export function readCorpusFile(entry: CorpusFile): Uint8Array {
  return isPacked(entry) ? readUnpacked(entry.file) : readStored(entry.file);
}

/**
 * Returns the text of a file, unpacked if its name ends in `.zst`. Invalid UTF-8 becomes U+FFFD.
 */
export function readCorpusText(file: string): string {
  return new TextDecoder().decode(file.endsWith('.zst') ? readUnpacked(file) : readStored(file));
}

/** Yields rows of a `.jsonl` or `.jsonl.zst` file: those whose JSON contains `containing`. */
export function* corpusRows(file: string, containing = ''): Generator<JsonRow> {
  const text = readCorpusText(file);
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if (line !== '' && line.includes(containing)) yield JsonRow.parse(line);
    start = end + 1;
  }
}

/** Returns the rows of a `.json` or `.json.zst` file, which must be a list. */
export function corpusList(file: string): readonly JsonRow[] {
  const list: unknown = JSON.parse(readCorpusText(file));
  if (!Array.isArray(list)) throw new Error(`${file} is not a list`);
  return list.map((row) => new JsonRow(row));
}

/** Returns all ELF objects: of this project, of Debian, and the objects of random cases. */
export function corpusObjects(): readonly CorpusObject[] {
  objects ??= readObjects();
  return objects;
}

/** Returns the BTF of the random cases' targets; their ids end in `__t0` to `__t3`. */
export function corpusTargets(): readonly CorpusObject[] {
  targets ??= readTargets();
  return targets;
}

/** Returns the BTF of whole kernels. CO-RE rows name the kernel's id as `target`. */
export function corpusKernels(): readonly CorpusFile[] {
  kernels ??= readKernels();
  return kernels;
}

/** Returns the kernel with the given id. Throws if there is none. */
export function corpusKernel(id: string): CorpusFile {
  const found = corpusKernels().find((kernel) => kernel.id === id);
  if (found === undefined) throw new Error(`the corpus has no kernel ${id}`);
  return found;
}

/** Returns split BTF of modules, and modules as distributed; the id is the file name. */
export function corpusModules(): readonly CorpusFile[] {
  modules ??= filesIn('kernels/modules')
    .filter(({ file }) => !file.endsWith('.tar.zst'))
    .map((entry) => ({ id: entry.name, ...entry }));
  return modules;
}

/** Returns the split BTF of a kernel's modules. */
export function corpusModulesOf(kernelId: string): readonly CorpusFile[] {
  return corpusModules().filter(
    ({ name }) => name.startsWith(`${kernelId}-`) && name.endsWith('.btf'),
  );
}

/** Returns damaged and unusual files, each with the result that a reader should give. */
export function corpusEdges(): readonly EdgeRow[] {
  edges ??= readEdges();
  return edges;
}

// Lists are cached: with `isolate: false` many test files run in one process.
let objects: readonly CorpusObject[] | undefined;
let targets: readonly CorpusObject[] | undefined;
let kernels: readonly CorpusFile[] | undefined;
let modules: readonly CorpusFile[] | undefined;
let edges: readonly EdgeRow[] | undefined;
let manifest: JsonRow | undefined;

function readObjects(): readonly CorpusObject[] {
  const own = [...readManifest().rows('objects'), ...readManifest().rows('debian')];
  const random = readManifest().rows('random');
  return [
    ...own.map((row) => objectOf(row, row.text('id'), row.text('file'), row.text('group'))),
    ...random.map((row) => objectOf(row, row.text('id'), row.text('local'), 'random')),
  ];
}

function readTargets(): readonly CorpusObject[] {
  return readManifest()
    .rows('random')
    .flatMap((random) =>
      random
        .rows('targets')
        .filter((target) => target.has('btf'))
        .map((target) => {
          const file = target.text('btf');
          const id = `${random.text('id')}__${basename(file, '.btf')}`;
          return objectOf(target, id, file, 'random-target');
        }),
    );
}

function objectOf(row: JsonRow, id: string, file: string, group: string): CorpusObject {
  return { id, ...placed(file), group, size: row.number('size'), sha256: row.text('sha256') };
}

function readKernels(): readonly CorpusFile[] {
  // The large corpus also has kernels that the tests do not read.
  const added = existsSync(corpusPath('kernels/ADDED.json'))
    ? readCorpusText('kernels/ADDED.json')
    : '';
  return filesIn('kernels')
    .filter(({ name }) => name.endsWith('.btf'))
    .map((entry) => ({
      id: entry.name.replace(/^vmlinux-/, '').replace(/\.btf$/, ''),
      ...entry,
    }))
    .filter(({ id }) => !added.includes(`"${id}"`));
}

/** Matches rows from before kind 20 was defined; their records are no valid LOC_PARAMs. */
const TAKES_20_FOR_UNKNOWN = /kinds? 20\b/;

function readEdges(): readonly EdgeRow[] {
  const rows = [...corpusRows('edge/edge.jsonl')];
  const current = rows.filter(
    (row) =>
      ![row.text('what'), ...row.texts('report')].some((each) => TAKES_20_FOR_UNKNOWN.test(each)),
  );
  return current.map((row) => ({
    id: row.text('name'),
    name: row.text('name'),
    file: row.text('file'),
    kind: oneOf(row.text('kind'), ['btf', 'elf', 'archive', 'compressed', 'other']),
    what: row.text('what'),
    accept: oneOf(row.text('accept'), ['ok', 'warn', 'refuse']),
    report: row.texts('report'),
    types: row.has('types') ? row.number('types') : null,
    base: row.has('base') ? row.text('base') : null,
    row,
  }));
}

function readManifest(): JsonRow {
  manifest ??= JsonRow.parse(readCorpusText('objects/MANIFEST.json'));
  return manifest;
}

function placed(file: string): { readonly name: string; readonly file: string } {
  return { name: basename(file).replace(/\.zst$/, ''), file };
}

function filesIn(folder: string) {
  return readdirSync(corpusPath(folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => placed(`${folder}/${entry.name}`))
    .sort((a, b) => a.file.localeCompare(b.file));
}

function readStored(file: string): Uint8Array {
  return new Uint8Array(readFileSync(corpusPath(file)));
}

function readUnpacked(file: string): Uint8Array {
  return decompress(readStored(file));
}

function oneOf<const T extends string>(value: string, values: readonly T[]): T {
  const found = values.find((v) => v === value);
  if (found === undefined) throw new Error(`${value} is none of ${values.join(', ')}`);
  return found;
}
