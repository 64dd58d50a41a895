/**
 * Compares `btfscope core --json` with libbpf's own results. Targets are kernels, modules, the
 * object itself and other objects.
 */
import { describe, expect, it } from 'vitest';
import {
  atLeast,
  type CorpusFile,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusRows,
  isLargeCorpus,
  kernelIds,
  readCorpusFile,
} from '#testing/corpus.ts';
import { JsonRow } from '#testing/json-row.ts';
import { runCommand } from '#testing/run-command.ts';

const MODULES = '+modules';
/** Fields that are not compared: the corpus names objects and targets, the command names files. */
const NAMES = new Set(['object', 'target', 'module', 'cold']);

/**
 * Fields that are not compared in testdata/: its libbpf 1.1 reports the size of an array, later
 * versions that of an element.
 */
const SIZES = new Set(['orig_sz', 'new_sz']);

type Run = { readonly object: string; readonly target: string; readonly rows: JsonRow[] };

/** Returns the first runs of a corpus part on `target` that together have `wanted` rows. */
function runsOf(part: string, target: string, wanted: number): Run[] {
  const runs = new Map<string, Run>();
  for (const row of corpusRows(`core-oracle/${part}.jsonl.zst`, `"target":"${target}"`)) {
    const object = row.text('object');
    const known = runs.get(object) ?? { object, target, rows: [] };
    known.rows.push(row);
    runs.set(object, known);
  }
  const chosen: Run[] = [];
  let count = 0;
  for (const found of runs.values()) {
    if (count >= wanted) break;
    chosen.push(found);
    count += found.rows.length;
  }
  return chosen;
}

async function rowsOfCommand({ object, target }: Run): Promise<JsonRow[]> {
  const files = new Map<string, Uint8Array>();
  const add = (file: CorpusFile) => {
    files.set(file.name, readCorpusFile(file));
    return file.name;
  };
  const words = ['core', add(fileOf(corpusObjects(), object)), '--json'];
  const kernel = target.replace(MODULES, '');
  if (target !== 'self') words.push('--target', add(fileOf(corpusKernels(), kernel)));
  if (target.endsWith(MODULES)) {
    for (const module of corpusModules()) {
      const isIts = module.name.startsWith(`${kernel}-`) && module.name.endsWith('.btf');
      if (isIts) words.push('--module', add(module));
    }
  }
  const { status, err, out } = await runCommand(words, files);
  expect({ status, err }).toEqual({ status: 0, err: [] });
  const list: unknown = JSON.parse(out);
  return Array.isArray(list) ? list.map((row) => new JsonRow(row)) : [];
}

function fileOf(files: readonly CorpusFile[], id: string): CorpusFile {
  const file = files.find((entry) => entry.id === id);
  if (file === undefined) throw new Error(`there is no ${id}`);
  return file;
}

describe('btfscope core --json', () => {
  it.each([
    ['programs', kernelIds.second, 100],
    ['programs', kernelIds.bigEndian, 30],
    ['programs', 'self', 30],
    ['hand', `${kernelIds.first}+modules`, 100],
    [isLargeCorpus ? 'debian' : 'programs', kernelIds.bits32, 30],
    ['random', 'self', 60],
  ])(
    '%s on %s: every field of libbpf’s rows',
    async (part, target, wanted) => {
      const wrong: unknown[] = [];
      let compared = 0;
      for (const found of runsOf(part, target, wanted)) {
        const rows = await rowsOfCommand(found);
        expect(rows, found.object).toHaveLength(found.rows.length);
        for (const [i, row] of found.rows.entries()) {
          const ours = rows[i];
          for (const [field, value] of row.fields) {
            if (NAMES.has(field) || (!isLargeCorpus && SIZES.has(field))) continue;
            const given = ours?.fields.get(field);
            if (JSON.stringify(given) !== JSON.stringify(value)) {
              wrong.push([found.object, i, field, given, value]);
            }
          }
          const more = [...(ours?.fields.keys() ?? [])].filter(
            (field) => !row.fields.has(field) && !['reason', 'trace', 'record'].includes(field),
          );
          if (more.length > 0) wrong.push([found.object, i, more]);
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThanOrEqual(
        Math.min(wanted, atLeast({ large: 30, testdata: 15 })),
      );
      expect(wrong.slice(0, 10)).toEqual([]);
    },
    120_000,
  );
});
