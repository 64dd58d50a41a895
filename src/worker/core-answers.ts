/** Resolves CO-RE relocations of an object in another file against this worker's types. */
import type { CoreTarget } from '#analysis/core/candidates.ts';
import type { CoreObject } from '#analysis/core/core-records.ts';
import { type CoreResult, resolveRecords } from '#analysis/core/resolve.ts';
import { matchedSpecs, minBtf } from '#analysis/needs/min-btf.ts';
import { type Context, inSlices, type Progress } from '#bytes/long-work.ts';
import type { TypeTable } from '#model/type-table.ts';

export type ResolveParams = {
  readonly object: CoreObject;
  /** True if candidates are reset for each record; libbpf does not reset them. */
  readonly fresh: boolean;
};

/** Returns a file as a CO-RE target; for split BTF the base is the first table. */
export function coreTargetOf(name: string, types: TypeTable): CoreTarget {
  const tables = [{ name: types.base === null ? 'vmlinux' : name, types }];
  for (let base = types.base; base !== null; base = base.base) {
    tables.unshift({ name: 'vmlinux', types: base });
  }
  return { name, tables };
}

/** Resolves all records in order. Pauses, so that the worker can handle a cancel in between. */
export function resolveInSlices(
  { object, fresh }: ResolveParams,
  target: CoreTarget,
  context: Context,
): Promise<readonly CoreResult[]> {
  return inSlices(resolving(), context);

  function* resolving(): Generator<Progress, readonly CoreResult[], void> {
    const results: CoreResult[] = [];
    for (const result of resolveRecords(object, target, { fresh })) {
      results.push(result);
      yield { step: 'resolving', done: results.length, total: object.records.length };
    }
    return results;
  }
}

/** Resolves the records up to `row`; returns the result of `row` with all steps, or null. */
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

export type MinBtfAnswer = {
  readonly blob: Uint8Array<ArrayBuffer>;
  readonly typeCount: number;
  /** Number of members in the minimal BTF, of all its structs and unions. */
  readonly memberCount: number;
  /** Number of records that find their type or field in the target. */
  readonly matchedCount: number;
  /** Number of records that cannot be decided. If there are any, bpftool writes no BTF. */
  readonly undecidedCount: number;
};

/** Resolves all records. Returns BTF with the types that they need, including types of the base. */
export async function minBtfFor(
  params: ResolveParams,
  target: CoreTarget,
  types: TypeTable,
  context: Context,
): Promise<MinBtfAnswer> {
  const results = await resolveInSlices(params, target, context);
  // Split BTF continues the ids of its base, so an id of a base type belongs to the base.
  const found = target.tables.map((_, table) => matchedSpecs(results, table));
  const specs = found.flatMap((one) => one.specs);
  const { blob, idMap, memberCount } = minBtf(types, specs);
  return {
    blob,
    typeCount: idMap.size,
    memberCount,
    matchedCount: specs.length,
    undecidedCount: found[0]?.undecided.length ?? 0,
  };
}
