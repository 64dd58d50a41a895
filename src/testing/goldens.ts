/**
 * Output of other tools for the objects of the corpus ("goldens").
 *
 * The tools are bpftool (types), llvm-readelf (sections and relocations) and libbpf (CO-RE
 * relocations). The files are in `goldens/`, `goldens-2026/` and `core-oracle/` of the corpus. This
 * file imports no module of src, so that e2e tests can use it.
 */
import { existsSync } from 'node:fs';
import { corpusPath, corpusRows, isLargeCorpus, readCorpusText } from './corpus.ts';
import { JsonRow } from './json-row.ts';

export type GoldenName =
  | 'btf.raw.txt'
  | 'btf.json'
  | 'btf.c.txt'
  | 'btf.c-next.txt'
  | 'btf.c-unsorted.txt'
  | 'pahole.txt'
  | 'objdump.txt'
  | 'objdump-raw.txt'
  | 'objdump-S.txt'
  | 'readelf.txt';

export type Golden = {
  /** Exit status of the tool; 124 if its output was cut at 8 MiB or after 15 s. */
  readonly rc: number;
  readonly stderr: string;
  /** Standard output of the tool. Bytes that are not UTF-8 are U+FFFD. */
  readonly text: string;
};

const PARTS = isLargeCorpus
  ? ['programs', 'hand', 'debian', 'random']
  : ['programs', 'hand', 'random'];

const goldenTexts = new Map<string, ReadonlyMap<string, Golden>>();
let selfCounts: ReadonlyMap<string, number> | null = null;

/**
 * Folder of goldens: `goldens` is from bpftool 7.1 and pahole 1.24 of Debian, `goldens-2026` from
 * bpftool 7.8 and pahole 1.31.
 */
export type GoldenFolder = 'goldens' | 'goldens-2026';

/**
 * Returns a tool's output for an object or a random target; null if there is none. In
 * `goldens-2026` there is none if it equals the output in `goldens`.
 */
export function goldenOf(
  id: string,
  name: GoldenName,
  folder: GoldenFolder = 'goldens',
): Golden | null {
  if (id.startsWith('random__')) {
    const half = /__t\d+$/.test(id) ? 'targets' : 'local';
    return textsIn(`${folder}/random/${half}.${name}.jsonl.zst`).get(id) ?? null;
  }
  if (!isLargeCorpus) return textsIn(`${folder}/objects.${name}.jsonl.zst`).get(id) ?? null;
  const status = `${folder}/${id}/status.json`;
  if (!existsSync(corpusPath(status))) return null;
  const all = JsonRow.parse(readCorpusText(status));
  if (!all.has(name)) return null;
  const row = all.row(name);
  const text = outputText(`${folder}/${id}/${name}`);
  return { rc: row.number('rc'), stderr: row.text('stderr'), text: text ?? '' };
}

/** Returns the output of a tool of 2026 for a kernel; null if there is none. */
export function kernelGolden(id: string, name: GoldenName): string | null {
  return outputText(`goldens-2026/kernels/vmlinux-${id}.${name}`);
}

/** Returns the number of types that bpftool lists; null if it rejected the file or was not run. */
export function typeCountOf(id: string): number | null {
  const golden = goldenOf(id, 'btf.raw.txt');
  if (golden === null || golden.rc !== 0) return null;
  return countMatches(golden.text, /^\[/gm);
}

/** Returns the number of relocations that llvm-readelf lists; null if it was not run. */
export function relocationCountOf(id: string): number | null {
  const golden = goldenOf(id, 'readelf.txt');
  if (golden === null) return null;
  let sum = 0;
  for (const match of golden.text.matchAll(/^Relocation section .* contains (\d+) entr/gm)) {
    sum += Number(match[1]);
  }
  return sum;
}

/**
 * Returns the number of section headers that llvm-readelf counts, with the null header; null if it
 * was not run.
 */
export function sectionCountOf(id: string): number | null {
  const golden = goldenOf(id, 'readelf.txt');
  // The header has 0 for over 65,279 sections; llvm-readelf adds the real number in parentheses.
  const match = /^\s*Number of section headers:\s+(\d+)(?: \((\d+)\))?/m.exec(golden?.text ?? '');
  return match === null ? null : Number(match[2] ?? match[1]);
}

/**
 * Returns the number of CO-RE relocations of an object: the rows in which libbpf resolves the
 * object against its own types.
 */
export function coreCountOf(id: string): number {
  selfCounts ??= countSelfRows();
  return selfCounts.get(id) ?? 0;
}

/**
 * Yields the rows of the CO-RE oracle whose JSON contains `containing`, such as `"target":"self"`.
 */
export function* coreRows(containing = ''): Generator<JsonRow> {
  for (const part of PARTS) yield* corpusRows(`core-oracle/${part}.jsonl.zst`, containing);
}

function countSelfRows(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of coreRows('"target":"self"')) {
    const object = row.text('object');
    counts.set(object, (counts.get(object) ?? 0) + 1);
  }
  return counts;
}

function outputText(plain: string): string | null {
  const found = [plain, `${plain}.zst`].find((file) => existsSync(corpusPath(file)));
  return found === undefined ? null : readCorpusText(found);
}

function textsIn(file: string): ReadonlyMap<string, Golden> {
  const known = goldenTexts.get(file);
  if (known !== undefined) return known;
  const texts = new Map<string, Golden>();
  if (existsSync(corpusPath(file))) {
    for (const row of corpusRows(file)) {
      texts.set(row.text('id'), {
        rc: row.number('rc'),
        stderr: row.text('stderr'),
        text: row.text('text'),
      });
    }
  }
  goldenTexts.set(file, texts);
  return texts;
}

function countMatches(text: string, pattern: RegExp): number {
  let count = 0;
  for (const _match of text.matchAll(pattern)) count += 1;
  return count;
}
