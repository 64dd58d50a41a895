import { sourceExpression } from '#analysis/code/source-expression.ts';
import { type CoreRecord, coreRecord } from '#analysis/core/core-records.ts';
import { type AccessPath, walkAccess } from '#analysis/core/parse-spec.ts';
import { type LocalValue, localValue } from '#analysis/core/patch-insn.ts';
import { type CoreState, coreState } from '#analysis/core/reason.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { selectionInsn } from '#analysis/selection/selection.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { type CoreIndex, coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Pin } from '#store/session/pins.ts';
import { memberPathOf } from '#views/parts/core/access-indices.ts';

export type CoreRow = {
  readonly record: CoreRecord;
  /** Path of the access through the types; null if the file has no types. */
  readonly path: AccessPath | null;
  readonly local: LocalValue | null;
  /** Root type in C, not escaped. */
  readonly rootText: string;
};

export type CoreRowReader = (index: CoreIndex) => CoreRow;

/** Returns a function that reads the row of a record. Rows are cached. */
export function coreRowReader(model: ObjectModel): CoreRowReader {
  const rows = new Map<CoreIndex, CoreRow>();
  return (index) => getOrCreate(rows, index, () => readRow(model, index));
}

function readRow(model: ObjectModel, index: CoreIndex): CoreRow {
  const { types } = model;
  const record = coreRecord(model, index);
  if (types === null) return { record, path: null, local: null, rootText: '' };
  const path = walkAccess(types, record.root, record.accessStr, record.kind);
  return {
    record,
    path,
    local: localValue(types, path, record.kind, model.endian),
    rootText: typeExpression(types, record.root),
  };
}

/** Returns the pins on the root type of a record, but not those on a member of the type. */
export function rootPins({ root }: CoreRecord, pins: readonly Pin[]): readonly Pin[] {
  return pins.filter(
    ({ selection }) =>
      selection.kind === 'type' && selection.type === root && selection.memberPath.length === 0,
  );
}

/** Returns the pins on a record, on its instruction, or on the member that it accesses. */
export function recordPins(
  model: ObjectModel,
  { record, path }: CoreRow,
  pins: readonly Pin[],
): readonly Pin[] {
  return pins.filter(({ selection }) => {
    if (selection.kind === 'core') return selection.core === record.index;
    if (selection.kind === 'type') {
      const accessed = path === null ? [] : memberPathOf(path);
      return (
        selection.type === record.root &&
        selection.memberPath.length > 0 &&
        selection.memberPath.every((index, i) => index === accessed[i])
      );
    }
    if (selection.kind !== 'insn' && selection.kind !== 'bytes') return false;
    const place = selectionInsn(model, selection);
    return place?.section === record.section && place.insnOff === record.insnOff;
  });
}

/** Returns the number of records of each kind. */
export function kindCounts(model: ObjectModel): Map<number, number> {
  const counts = new Map<number, number>();
  for (const kind of model.ext.core.kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return new Map([...counts].sort(([a], [b]) => a - b));
}

/** Returns the number of results in each state. */
export function stateCounts(results: readonly CoreResult[]): Map<CoreState, number> {
  const counts = new Map<CoreState, number>();
  for (const result of results) {
    const state = coreState(result);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return counts;
}

type RecordFilter = {
  /** Words that a listed record must contain, separated by spaces. */
  readonly text: string;
  /** Kinds of record to list; an empty set for all. */
  readonly kinds: ReadonlySet<number>;
  /** States of results to list; an empty set for all. */
  readonly states: ReadonlySet<CoreState>;
  readonly results: readonly CoreResult[] | null;
};

/** Returns the records that pass the filter, in the order of the file. */
export function filterRecords(
  model: ObjectModel,
  read: CoreRowReader,
  { text: filter, kinds, states, results }: RecordFilter,
): Uint32Array {
  const { count, kind } = model.ext.core;
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const passing: number[] = [];
  for (let i = 0; i < count; i++) {
    if (kinds.size > 0 && !kinds.has(kind[i] ?? -1)) continue;
    const result = results?.[i];
    if (states.size > 0 && result !== undefined && !states.has(coreState(result))) continue;
    if (words.length > 0) {
      const text = searchText(model, read(coreIndex(i)));
      if (!words.every((word) => text.includes(word))) continue;
    }
    passing.push(i);
  }
  return Uint32Array.from(passing);
}

function searchText(model: ObjectModel, { record, path, rootText }: CoreRow): string {
  return [
    record.kindName,
    rootText,
    record.accessStr,
    path?.expression ?? '',
    path === null ? '' : sourceExpression(model, record, path.expression),
    record.func?.name ?? '',
    record.sectionName,
    `insn #${insnNumber(record)}`,
  ]
    .join(' ')
    .toLowerCase();
}

/** Returns the instruction's number as libbpf logs it: within its function, else its section. */
export function insnNumber(record: CoreRecord): number {
  return record.func?.insnIndex ?? record.insnIndex;
}

/** Returns a value without a sign, as libbpf logs it. If bit 63 is set, adds the negative value. */
export function valueText(value: bigint): string {
  const signed = BigInt.asIntN(64, value);
  return signed < 0n ? `${value} (${signed} with a sign)` : `${value}`;
}
