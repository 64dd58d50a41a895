/** CO-RE relocations of an object in another file, against the types of this worker's file. */
import type { CoreTarget } from '#analysis/core/candidates.ts';
import type { CoreObject } from '#analysis/core/core-records.ts';
import { type CoreResult, resolveRecords } from '#analysis/core/resolve.ts';
import { matchedSpecs, minBtf } from '#analysis/core-needs/min-btf.ts';
import { type Context, inSlices, type Progress } from '#bytes/long-work.ts';
import type { TypeTable } from '#model/type-table.ts';

export type ResolveParams = {
  readonly object: CoreObject;
  /** Reset candidates per record? libbpf does not. */
  readonly fresh: boolean;
};

/** Returns a file as a target; a split BTF follows its base, as a module follows vmlinux. */
export function coreTargetOf(name: string, types: TypeTable): CoreTarget {
  const tables = [{ name: types.base === null ? 'vmlinux' : name, types }];
  for (let base = types.base; base !== null; base = base.base) {
    tables.unshift({ name: 'vmlinux', types: base });
  }
  return { name, tables };
}

/** Resolves all records in order. Handles other messages, such as a cancel, in between. */
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

/** Resolves the records up to `row` and returns this record with all its steps, or null. */
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
  /** Kept members, of all structs and unions. */
  readonly memberCount: number;
  /** Records with a matching type or field in the target. */
  readonly matchedCount: number;
  /** Undecided records, for which bpftool writes no BTF at all. */
  readonly undecidedCount: number;
};

/** Resolves all records and returns BTF of the types that they need, including those of a base. */
export async function minBtfFor(
  params: ResolveParams,
  target: CoreTarget,
  types: TypeTable,
  context: Context,
): Promise<MinBtfAnswer> {
  const results = await resolveInSlices(params, target, context);
  // In split BTF the ids of base types are those of the base.
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
