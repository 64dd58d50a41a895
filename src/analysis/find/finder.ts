/** Index for queries of the command palette, built once per file in short slices of time. */
import { coreRecord } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import type { Progress, Slices } from '#bytes/long-work.ts';
import { stringEnd } from '#bytes/text.ts';
import { coreIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import { namePlace } from '#model/names.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { nameOf, stringAt, type TypeTable } from '#model/type-table.ts';
import { buildHolders, type Holders } from './holders.ts';
import { buildPool, type NamePool, nameCut } from './name-pool.ts';
import { buildTypeNames, type TypeNames } from './type-names.ts';

export type TypeFinder = TypeNames & { readonly holders: Holders };

/** Strings of the file's own BTF, and their offsets in the joined string sections. */
export type StringPool = { readonly pool: NamePool; readonly offset: Uint32Array };

export type Finder = {
  readonly model: ObjectModel;
  /** Index of types; null if the file has no types. */
  readonly types: TypeFinder | null;
  /** Section names by section index, and symbol names by symbol index. */
  readonly sections: NamePool;
  readonly symbols: NamePool;
  /** Returns the texts of CO-RE records by record index; built on the first call. */
  readonly core: (slices: Slices) => Promise<NamePool>;
  /** Returns the strings of the file's BTF; built on the first call. */
  readonly strings: (slices: Slices) => Promise<StringPool>;
};

type OnProgress = (progress: Progress) => void;

const ignore = () => undefined;

/** Returns an index of the names of types and members; null for a file without types. */
export async function indexTypeNames(
  { types }: ObjectModel,
  slices: Slices,
  onProgress: OnProgress,
): Promise<TypeNames | null> {
  if (types === null) return null;
  return await buildTypeNames(types, slices, (part) =>
    onProgress({ step: 'indexing names', done: Math.round(100 * part), total: 100 }),
  );
}

/** Builds the finder. `names`: the index of names, if its building has already begun. */
export async function buildFinder(
  model: ObjectModel,
  slices: Slices,
  onProgress: OnProgress,
  names = indexTypeNames(model, slices, onProgress),
): Promise<Finder> {
  const named = await names;
  const types = named && { ...named, holders: await buildHolders(named.types, slices) };
  const sections = await pooled(
    model.sections.count,
    (at, cut) => sectionName(model.sections, sectionIndex(at)).slice(0, cut),
    slices,
  );
  const symbols = await pooled(
    model.symbols.count,
    (at, cut) => symbolName(model.symbols, symbolIndex(at)).slice(0, cut),
    slices,
  );
  return {
    model,
    types,
    sections,
    symbols,
    core: once((own) => corePool(model, own)),
    strings: once((own) => stringPool(model.types, own)),
  };
}

async function pooled(
  count: number,
  nameAt: (at: number, cut: number) => string,
  slices: Slices,
): Promise<NamePool> {
  const cut = nameCut(count);
  return await buildPool(count, (at, pool) => pool.text(nameAt(at, cut)), slices, ignore);
}

/** Caches the result of `make`. After an aborted call, the next call runs `make` again. */
function once<T>(make: (slices: Slices) => Promise<T>): (slices: Slices) => Promise<T> {
  let made: T | null = null;
  return async (slices) => {
    made ??= await make(slices);
    return made;
  };
}

/** Returns a CO-RE record's access as text: `task_struct.mm.pgd`, `pid_type.PIDTYPE_TGID`. */
export function coreTitle(model: ObjectModel, row: number): string {
  const { types } = model;
  const record = coreRecord(model, coreIndex(row));
  if (types === null) return record.accessStr;
  const path = walkAccess(types, record.root, record.accessStr, record.kind);
  let title = nameOf(types, record.root) || '(anon)';
  for (const step of path.steps) {
    if (step.means === 'array-element') title += `[${step.index}]`;
    else if (step.name !== '' && step.means !== 'type') title += `.${step.name}`;
  }
  return title;
}

async function corePool(model: ObjectModel, slices: Slices): Promise<NamePool> {
  return await pooled(
    model.ext.core.count,
    (row, cut) => coreTitle(model, row).slice(0, cut),
    slices,
  );
}

async function stringPool(types: TypeTable | null, slices: Slices): Promise<StringPool> {
  if (types === null) {
    return { pool: await pooled(0, () => '', slices), offset: new Uint32Array(0) };
  }
  const { blob, strStart, strEnd, strBase } = types;
  const strings = blob.subarray(0, strEnd);
  const offsets: number[] = [];
  for (let at = strStart; at < strEnd; ) {
    const end = stringEnd(strings, at);
    if (end > at) offsets.push(strBase + at - strStart);
    at = end + 1;
  }
  const offset = Uint32Array.from(offsets);
  const cut = nameCut(offset.length);
  const pool = await buildPool(
    offset.length,
    (at, writer) => {
      const off = offset[at] ?? 0;
      writer.name(namePlace(types, off, cut), () => stringAt(types, off).slice(0, cut));
    },
    slices,
    ignore,
  );
  return { pool, offset };
}
