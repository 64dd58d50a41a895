/**
 * The CO-RE oracle of the corpus: libbpf's results for objects on targets.
 *
 * A run has one object, one target and libbpf's results, in the order of the oracle's files.
 * Kernels stay open once opened; other files are opened for one run, so that only one object is in
 * memory.
 */

import { type CoreTarget, targetOf } from '#analysis/core/candidates.ts';
import { type CoreObject, coreObjectOf } from '#analysis/core/core-records.ts';
import type { Endian } from '#bytes/span.ts';
import type { TypeTable } from '#model/type-table.ts';
import {
  type CorpusFile,
  corpusKernels,
  corpusModules,
  corpusObjects,
  corpusRows,
  corpusTargets,
  isLargeCorpus,
  readCorpusFile,
} from './corpus.ts';
import type { JsonRow } from './json-row.ts';
import { openModel } from './open-model.ts';
import { tableInFile, tableOf } from './type-table.ts';

export type OracleRun = {
  readonly object: string;
  readonly target: string;
  readonly rows: readonly JsonRow[];
  readonly local: CoreObject;
  readonly against: CoreTarget;
};

type OraclePart = 'programs' | 'hand' | 'debian' | 'random';

export const ORACLE_PARTS: readonly OraclePart[] = isLargeCorpus
  ? ['programs', 'hand', 'debian', 'random']
  : ['programs', 'hand', 'random'];

/**
 * Returns true if libbpf ran with the object's byte order. The rows of testdata/ come from a
 * little-endian libbpf, which computes wrong bit-field shifts for big-endian objects
 * (`bpf_core_calc_field_relo` in src/relo_core.c).
 */
export function isOfOwnMachine(row: JsonRow, { endian }: { readonly endian: Endian }): boolean {
  return isLargeCorpus || endian === 'little' || row.text('kind') !== 'lshift_u64';
}

const MODULES = '+modules';

/** Yields the runs in one part of the oracle. */
export async function* oracleRuns(part: OraclePart): AsyncGenerator<OracleRun> {
  const shelf = new Shelf();
  for (const rows of grouped(corpusRows(`core-oracle/${part}.jsonl.zst`))) {
    const [first] = rows;
    if (first === undefined) continue;
    const object = first.text('object');
    const target = first.text('target');
    const local = await shelf.local(object);
    yield { object, target, rows, local, against: shelf.target(object, target) };
  }
}

/** Yields libbpf's log of each row of the oracle, in order. */
export function* oracleLogs(part: OraclePart): Generator<JsonRow> {
  yield* corpusRows(`core-oracle/logs/${part}.jsonl.zst`);
}

export type LoadRun = Omit<OracleRun, 'rows'> & {
  /** All warnings that libbpf logged in the run, in order. */
  readonly warnings: readonly string[];
};

/** Yields runs in which a CO-RE record makes libbpf's loader fail, on kernels without modules. */
export async function* failedLoadRuns(): AsyncGenerator<LoadRun> {
  const shelf = new Shelf();
  const rows = corpusRows('load/corpus-rows.jsonl.zst', 'failed to perform CO-RE relocations');
  for (const row of rows) {
    const object = row.text('object');
    const target = row.text('target');
    if (!shelf.hasKernel(target)) continue;
    const local = await shelf.local(object);
    const against = shelf.target(object, target);
    yield { object, target, local, against, warnings: row.texts('warnings') };
  }
}

function* grouped(rows: Iterable<JsonRow>): Generator<readonly JsonRow[]> {
  let run: JsonRow[] = [];
  let key = '';
  for (const row of rows) {
    const next = `${row.text('object')} ${row.text('target')}`;
    if (next !== key && run.length > 0) {
      yield run;
      run = [];
    }
    key = next;
    run.push(row);
  }
  yield run;
}

class Shelf {
  readonly #files = byId([...corpusObjects(), ...corpusTargets()]);
  readonly #kernelFiles = byId(corpusKernels());
  readonly #kernels = new Map<string, TypeTable>();
  #last: { readonly id: string; readonly local: CoreObject } | null = null;

  async local(id: string): Promise<CoreObject> {
    if (this.#last?.id === id) return this.#last.local;
    const bytes = readCorpusFile(this.#file(id));
    const model = await openModel(id, bytes);
    const { fileOffset, byteLength } = model.sections;
    const local = coreObjectOf(model, (section) => {
      const start = fileOffset[section] ?? 0;
      return bytes.subarray(start, start + (byteLength[section] ?? 0));
    });
    if (local === null) throw new Error(`${id} has no CO-RE records`);
    this.#last = { id, local };
    return local;
  }

  hasKernel(id: string): boolean {
    return this.#kernelFiles.has(id);
  }

  target(object: string, target: string): CoreTarget {
    if (target.endsWith(MODULES)) return this.#withModules(target.slice(0, -MODULES.length));
    if (this.#kernelFiles.has(target)) return targetOf(target, this.#kernel(target));
    if (target === 'self') return targetOf(target, this.#table(object));
    const id = /^t\d+$/.test(target) ? `${object}__${target}` : target;
    return targetOf(target, this.#table(id));
  }

  #withModules(kernel: string): CoreTarget {
    const vmlinux = this.#kernel(kernel);
    const modules = corpusModules()
      .filter(({ name }) => name.startsWith(`${kernel}-`) && name.endsWith('.btf'))
      .map((file) => ({
        name: file.name.slice(kernel.length + 1, -'.btf'.length),
        types: tableOf(readCorpusFile(file), vmlinux),
      }));
    const { name, tables } = targetOf(`${kernel}${MODULES}`, vmlinux);
    return { name, tables: [...tables, ...modules] };
  }

  #kernel(id: string): TypeTable {
    let types = this.#kernels.get(id);
    if (types === undefined) {
      const file = this.#kernelFiles.get(id);
      if (file === undefined) throw new Error(`there is no kernel ${id}`);
      types = tableOf(readCorpusFile(file));
      this.#kernels.set(id, types);
    }
    return types;
  }

  #table(id: string): TypeTable {
    const types = tableInFile(readCorpusFile(this.#file(id)));
    if (types === null) throw new Error(`${id} has no types`);
    return types;
  }

  #file(id: string): CorpusFile {
    const file = this.#files.get(id);
    if (file === undefined) throw new Error(`there is no object ${id}`);
    return file;
  }
}

function byId(files: readonly CorpusFile[]): ReadonlyMap<string, CorpusFile> {
  return new Map(files.map((file) => [file.id, file]));
}
