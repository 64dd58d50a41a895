/**
 * Referrers of a type in the graph: structs, functions and variables
 * at the other end of pointers, arrays and typedefs, grouped by how they do.
 */
import { buildReferrers, referrersIn } from '#analysis/types/references.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { isAnonymous } from './entries.ts';
import { isPassed } from './graph-path.ts';

export const REFERRER_GROUPS = ['value', 'pointer', 'function', 'callback', 'variable'] as const;
export type ReferrerGroup = (typeof REFERRER_GROUPS)[number];

export type GroupOfReferrers = {
  readonly group: ReferrerGroup;
  readonly total: number;
  /** The first ids, ascending. */
  readonly ids: Uint32Array;
};

/** Kinds of reference. */
type Above = { readonly id: TypeId; readonly isBehind: boolean; readonly isCallback: boolean };

/**
 * Those that hold `type` by value, hold a pointer to it, are functions that take or
 * return it, hold pointers to such functions, or are variables of it. At most `limit`
 * ids a group, ascending.
 */
export function groupedReferrers(t: TypeTable, type: TypeId, limit: number): GroupOfReferrers[] {
  const found = new Map<ReferrerGroup, Set<number>>();
  for (const above of referrersUp(t, type)) {
    const group = groupOf(kindOf(t, above.id), above);
    if (group === null) continue;
    getOrCreate(found, group, () => new Set<number>()).add(above.id);
  }
  return REFERRER_GROUPS.flatMap((group) => {
    const all = Uint32Array.from(found.get(group) ?? []).sort();
    return all.length === 0 ? [] : [{ group, total: all.length, ids: all.slice(0, limit) }];
  });
}

/** Everything above `type` up to the next things; each once for each sort of reference. */
function* referrersUp(t: TypeTable, type: TypeId): Generator<Above, void, void> {
  const index = buildReferrers(t);
  const seen = new Set<number>();
  const queue: Above[] = [{ id: type, isBehind: false, isCallback: false }];
  for (const from of queue) {
    for (const row of referrersIn(index, from.id)) {
      const id = typeId(row);
      const kind = kindOf(t, id);
      const above: Above = {
        id,
        isBehind: from.isBehind || kind === BtfKind.PTR,
        isCallback: from.isCallback || kind === BtfKind.FUNC_PROTO,
      };
      const key = id * 4 + (above.isBehind ? 2 : 0) + (above.isCallback ? 1 : 0);
      if (seen.has(key)) continue;
      seen.add(key);
      // The typedef of an anonymous struct is a thing: it stands for the struct.
      const isThing = kind === BtfKind.TYPEDEF && isAnonymous(t, from.id) && from.id !== type;
      if (!isThing && isPassedUp(t, id, kind)) queue.push(above);
      else yield above;
    }
  }
}

/** Is this passed on the path up? Prototypes lead to their functions, anonymous structs to what holds them. */
function isPassedUp(t: TypeTable, id: TypeId, kind: number): boolean {
  if (kind === BtfKind.VAR) return false;
  return isPassed(kind) || kind === BtfKind.FUNC_PROTO || isAnonymous(t, id);
}

function groupOf(kind: number, { isBehind, isCallback }: Above): ReferrerGroup | null {
  switch (kind) {
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.TYPEDEF:
      if (isCallback) return 'callback';
      return isBehind ? 'pointer' : 'value';
    case BtfKind.FUNC:
      return 'function';
    case BtfKind.VAR:
      return 'variable';
    default:
      return null;
  }
}
