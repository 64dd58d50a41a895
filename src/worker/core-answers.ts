/** CO-RE relocations of another file's object, against the types of this worker's file. */
import type { CoreObject } from '#analysis/core/core-object.ts';
import { type CoreResult, resolveRecords } from '#analysis/core/resolve.ts';
import type { CoreTarget } from '#analysis/core/target.ts';
import { type Progress, Slices } from '#bytes/slices.ts';
import type { TypeTable } from '#model/type-table.ts';

export type ResolveParams = {
  readonly object: CoreObject;
  /** A fresh list of candidates for every record, which is not what libbpf does. */
  readonly fresh: boolean;
};

/** Milliseconds of work between two looks at what else is asked. */
const SLICE_MS = 40;

/** A file as target: a split one stands behind its base, as a module behind vmlinux. */
export function coreTargetOf(name: string, types: TypeTable): CoreTarget {
  const tables = [{ name: types.base === null ? 'vmlinux' : name, types }];
  for (let base = types.base; base !== null; base = base.base) {
    tables.unshift({ name: 'vmlinux', types: base });
  }
  return { name, tables };
}

/** All records in order; lets other messages in between, so that it can be cancelled. */
export async function resolveInSlices(
  { object, fresh }: ResolveParams,
  target: CoreTarget,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<readonly CoreResult[]> {
  const results: CoreResult[] = [];
  const slices = new Slices(SLICE_MS, signal);
  for (const result of resolveRecords(object, target, { fresh })) {
    results.push(result);
    if (!slices.isOver) continue;
    onProgress({ step: 'resolving', done: results.length, total: object.records.length });
    await slices.rest();
  }
  return results;
}

/** One record with all its steps, after those before it; null where there is no such record. */
export function explainRecord(
  { object, fresh }: ResolveParams,
  row: number,
  target: CoreTarget,
): CoreResult | null {
  const before = { ...object, records: object.records.slice(0, row + 1) };
  let last: CoreResult | null = null;
  for (const result of resolveRecords(before, target, { fresh, trace: (at) => at === row })) {
    last = result;
  }
  return object.records.length > row ? last : null;
}
