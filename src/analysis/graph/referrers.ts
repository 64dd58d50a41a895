/** Finds the structs, functions and variables that refer to a type, by kind of reference. */
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
  /** Ids of the first referring types, ascending. */
  readonly ids: Uint32Array;
};

/** A type that refers to another type, and the kind of the reference. */
type Referrer = { readonly id: TypeId; readonly isBehind: boolean; readonly isCallback: boolean };

/** Returns the groups of types that refer to `type`, each with at most `limit` ids, ascending. */
export function groupedReferrers(t: TypeTable, type: TypeId, limit: number): GroupOfReferrers[] {
  const groups = new Map<ReferrerGroup, Set<number>>();
  for (const referrer of referrersUp(t, type)) {
    const group = groupOf(kindOf(t, referrer.id), referrer);
    if (group === null) continue;
    getOrCreate(groups, group, () => new Set<number>()).add(referrer.id);
  }
  return REFERRER_GROUPS.flatMap((group) => {
    const all = Uint32Array.from(groups.get(group) ?? []).sort();
    return all.length === 0 ? [] : [{ group, total: all.length, ids: all.slice(0, limit) }];
  });
}

/** Yields the nearest nodes that refer to `type`, each once per kind of reference. */
function* referrersUp(t: TypeTable, type: TypeId): Generator<Referrer, void, void> {
  const index = buildReferrers(t);
  const seen = new Set<number>();
  const queue: Referrer[] = [{ id: type, isBehind: false, isCallback: false }];
  for (const from of queue) {
    for (const row of referrersIn(index, from.id)) {
      const id = typeId(row);
      const kind = kindOf(t, id);
      const referrer: Referrer = {
        id,
        isBehind: from.isBehind || kind === BtfKind.PTR,
        isCallback: from.isCallback || kind === BtfKind.FUNC_PROTO,
      };
      const key = id * 4 + (referrer.isBehind ? 2 : 0) + (referrer.isCallback ? 1 : 0);
      if (seen.has(key)) continue;
      seen.add(key);
      // The typedef of an anonymous struct stands for the struct's node.
      const isNode = kind === BtfKind.TYPEDEF && isAnonymous(t, from.id) && from.id !== type;
      if (!isNode && isPassedUp(t, id, kind)) queue.push(referrer);
      else yield referrer;
    }
  }
}

/** Returns true for a type that is not a node: its own referrers are visited instead. */
function isPassedUp(t: TypeTable, id: TypeId, kind: number): boolean {
  if (kind === BtfKind.VAR) return false;
  return isPassed(kind) || kind === BtfKind.FUNC_PROTO || isAnonymous(t, id);
}

function groupOf(kind: number, { isBehind, isCallback }: Referrer): ReferrerGroup | null {
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
