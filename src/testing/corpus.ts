/**
 * The corpus of real objects that stands beside the repository, where it does.
 *
 * In: `../shared/corpus` as its README.md lays it out. Out: what is in it, by
 * kind, and the bytes of each file, unpacked where the corpus holds it packed.
 * The corpus is not part of the repository: tests that need it are
 * skipped where `corpusRoot` is null. What the field's tools said about its
 * objects is in `goldens.ts`. Imports no room, so that e2e tests can use it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decompress } from 'fzstd';
import { JsonRow } from './json-row.ts';

const PLACE = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));

/** Directory of the corpus; null where there is none. */
export const corpusRoot: string | null = existsSync(join(PLACE, 'objects/MANIFEST.json'))
  ? PLACE
  : null;

export type CorpusFile = {
  /** Unique in its table; for objects also the name of their goldens. */
  readonly id: string;
  /** The name that a person would drop: no folder, and `.zst` only where it belongs to the file. */
  readonly name: string;
  /** From the root of the corpus. */
  readonly file: string;
};

export type CorpusObject = CorpusFile & {
  readonly group: string;
  /** Of the unpacked file, in bytes. */
  readonly size: number;
  readonly sha256: string;
};

export type EdgeRow = CorpusFile & {
  readonly kind: 'btf' | 'elf' | 'archive' | 'compressed' | 'other';
  readonly what: string;
  readonly accept: 'ok' | 'warn' | 'refuse';
  readonly report: readonly string[];
  /** How many types a reader should list; null where nothing is said. */
  readonly types: number | null;
  /** File name (in edge/) of the base BTF of a split one. */
  readonly base: string | null;
  /** All fields, also the rare ones. */
  readonly row: JsonRow;
};

/** Path on disk of a file of the corpus. Throws where there is no corpus. */
export function corpusPath(file: string): string {
  if (corpusRoot === null) throw new Error(`there is no corpus at ${PLACE}`);
  return join(corpusRoot, file);
}

/** Whether the corpus holds the file packed, so that it must not be given to the app as it stands. */
export function isPacked({ name, file }: CorpusFile): boolean {
  return file.endsWith('.zst') && !name.endsWith('.zst');
}

/** Bytes of the file that a person would drop. */
export function readCorpusFile(entry: CorpusFile): Uint8Array {
  return isPacked(entry) ? unpacked(entry.file) : stored(entry.file);
}

/** A text of the corpus, unpacked when its name ends in `.zst`. Bytes that are no UTF-8 come out as U+FFFD. */
export function readCorpusText(file: string): string {
  return new TextDecoder().decode(file.endsWith('.zst') ? unpacked(file) : stored(file));
}

/** The rows of a `.jsonl` or `.jsonl.zst`, one after another, those only whose line contains `containing`. */
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

/** All ELF objects: own ones, those out of Debian, and the local halves of random cases. */
export function corpusObjects(): readonly CorpusObject[] {
  const manifest = readManifest();
  const own = [...manifest.rows('objects'), ...manifest.rows('debian')].map((row) => ({
    id: row.text('id'),
    ...placed(row.text('file')),
    group: row.text('group'),
    size: row.number('size'),
    sha256: row.text('sha256'),
  }));
  const random = manifest.rows('random').map((row) => ({
    id: row.text('id'),
    ...placed(row.text('local')),
    group: 'random',
    size: row.number('size'),
    sha256: row.text('sha256'),
  }));
  return [...own, ...random];
}

/** Raw BTF of the targets of random cases; ids end in `__t0` … `__t3`, as in their goldens. */
export function corpusTargets(): readonly CorpusObject[] {
  return readManifest()
    .rows('random')
    .flatMap((random) =>
      random
        .rows('targets')
        .filter((target) => target.has('btf'))
        .map((target) => ({
          id: `${random.text('id')}__${basename(target.text('btf'), '.btf')}`,
          ...placed(target.text('btf')),
          group: 'random-target',
          size: target.number('size'),
          sha256: target.text('sha256'),
        })),
    );
}

/** BTF of whole kernels; the id is what CO-RE rows name as `target`. */
export function corpusKernels(): readonly CorpusFile[] {
  return filesIn('kernels').map((entry) => ({
    id: entry.name.replace(/^vmlinux-/, '').replace(/\.btf$/, ''),
    ...entry,
  }));
}

/** Modules: split BTF, and modules as shipped. The id is the file's name. */
export function corpusModules(): readonly CorpusFile[] {
  return filesIn('kernels/modules').map((entry) => ({ id: entry.name, ...entry }));
}

/** Files that are at the edge of what can be read, and what a good reader does with them. */
export function corpusEdges(): readonly EdgeRow[] {
  if (corpusRoot === null) return [];
  return [...corpusRows('edge/edge.jsonl')].map((row) => ({
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
  return JsonRow.parse(readCorpusText('objects/MANIFEST.json'));
}

function placed(file: string): { readonly name: string; readonly file: string } {
  return { name: basename(file).replace(/\.zst$/, ''), file };
}

/** None without a corpus: `it.each` collects its rows even in a suite that is skipped. */
function filesIn(folder: string) {
  if (corpusRoot === null) return [];
  return readdirSync(corpusPath(folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => placed(`${folder}/${entry.name}`))
    .sort((a, b) => a.file.localeCompare(b.file));
}

function stored(file: string): Uint8Array {
  return new Uint8Array(readFileSync(corpusPath(file)));
}

function unpacked(file: string): Uint8Array {
  return decompress(stored(file));
}

function oneOf<const T extends string>(value: string, values: readonly T[]): T {
  const found = values.find((v) => v === value);
  if (found === undefined) throw new Error(`${value} is none of ${values.join(', ')}`);
  return found;
}
