/**
 * Finds the references of a type, and the types that refer to a type. A kernel has 130,000 types
 * and half a million references, so the latter search reads raw words, not accessors.
 */
import { BtfKind, type ReferenceRole, thirdWordRole } from '#formats/btf/kinds.ts';
import { scanReferences } from '#formats/btf/records.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import {
  locParamsOf,
  locSitesOf,
  membersFrom,
  paramsOf,
  varSecinfosOf,
} from '#model/type-items.ts';
import {
  arrayData,
  componentIdx,
  kindOf,
  lastId,
  nameOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';

export type Reference = {
  /** Type id as stored, which may be void or nonexistent. */
  readonly type: TypeId;
  readonly role: ReferenceRole;
  /** Number of the member, parameter or variable; for `target` the component_idx; else -1. */
  readonly index: number;
  /** Name of the member, parameter or variable, else empty. Raw text: escape before rendering. */
  readonly name: string;
};

/** Yields every reference in the record of `id`, in the order of bytes. */
export function* refersTo(t: TypeTable, id: TypeId): Generator<Reference, void, void> {
  const kind = kindOf(t, id);
  switch (kind) {
    case BtfKind.ARRAY: {
      const { elemType, indexType } = arrayData(t, id);
      yield { type: elemType, role: 'element', index: -1, name: '' };
      yield { type: indexType, role: 'index', index: -1, name: '' };
      return;
    }
    case BtfKind.STRUCT:
    case BtfKind.UNION:
      for (const member of membersFrom(t, id)) yield named('member', member);
      return;
    case BtfKind.DATASEC:
      for (const { type, index } of varSecinfosOf(t, id)) {
        yield { type, role: 'var', index, name: nameOf(t, type) };
      }
      return;
    case BtfKind.LOC_PROTO:
      for (const [index, type] of locParamsOf(t, id).entries()) {
        yield { type, role: 'location', index, name: '' };
      }
      return;
    case BtfKind.LOCSEC:
      for (const { index, func, locProto } of locSitesOf(t, id)) {
        yield { type: func, role: 'function', index, name: nameOf(t, func) };
        yield { type: locProto, role: 'locations', index, name: '' };
      }
      return;
    default: {
      const role = thirdWordRole(kind);
      if (role === null) return;
      const index = kind === BtfKind.DECL_TAG ? componentIdx(t, id) : -1;
      yield { type: typeId(sizeOrTypeOf(t, id)), role, index, name: '' };
      for (const param of paramsOf(t, id)) yield named('param', param);
    }
  }
}

/** Returns a reference to the type of `item`. The name is read from the item on access. */
function named(role: ReferenceRole, item: Pick<Reference, 'type' | 'index' | 'name'>): Reference {
  return {
    type: item.type,
    role,
    index: item.index,
    get name() {
      return item.name;
    },
  };
}

/** Returns the first `limit` references in the record of `id`. */
export function referencesOf(t: TypeTable, id: TypeId, limit = Infinity): Reference[] {
  const found: Reference[] = [];
  for (const reference of refersTo(t, id)) {
    if (found.length >= limit) break;
    found.push(reference);
  }
  return found;
}

/**
 * Returns the ids of types in `t`, not in its base, that refer to `id`, in ascending order. Takes 3
 * ms in a kernel, so no index is stored, which would need 13 bytes per type.
 */
export function referrersOf(t: TypeTable, id: TypeId): Uint32Array {
  const found: number[] = [];
  scanReferences(t, (i, to) => {
    if (to === id && found.at(-1) !== t.firstId + i) found.push(t.firstId + i);
  });
  return Uint32Array.from(found);
}

export type ReferrerIndex = {
  /** Id of the first row: 0, or `firstId` if the base is too large (MAX_BASE). */
  readonly firstRow: number;
  /** The types that refer to `id`: `ids` from `starts[id - firstRow]` to before the next start. */
  readonly starts: Uint32Array;
  readonly ids: Uint32Array;
};

/** Maximum number of base types in the index. The kernel allows 2^20 types. */
const MAX_BASE = 1 << 21;

/**
 * Returns an index of the types that refer to each id, for searches over many types. A first pass
 * counts the types, a second pass stores them, each once per row.
 */
export function buildReferrers(t: TypeTable): ReferrerIndex {
  const { firstId } = t;
  const firstRow = firstId > MAX_BASE ? firstId : 0;
  const rows = lastId(t) + 1 - firstRow;
  const starts = new Uint32Array(rows + 1);
  // Latest type added to each row, to skip duplicates: several members may have one type.
  const latest = new Uint32Array(rows);
  scanReferences(t, (i, to) => {
    const from = firstId + i;
    const row = to - firstRow;
    if (row < 0 || row >= rows || latest[row] === from) return;
    latest[row] = from;
    starts[row + 1] = (starts[row + 1] ?? 0) + 1;
  });
  for (let row = 0; row < rows; row++) {
    starts[row + 1] = (starts[row + 1] ?? 0) + (starts[row] ?? 0);
  }
  const ids = new Uint32Array(starts[rows] ?? 0);
  const cursor = starts.slice(0, rows);
  latest.fill(0);
  scanReferences(t, (i, to) => {
    const from = firstId + i;
    const row = to - firstRow;
    if (row < 0 || row >= rows || latest[row] === from) return;
    latest[row] = from;
    const at = cursor[row] ?? 0;
    ids[at] = from;
    cursor[row] = at + 1;
  });
  return { firstRow, starts, ids };
}

/** Returns the ids that `referrersOf` returns, as a view of the index. */
export function referrersIn(index: ReferrerIndex, id: TypeId): Uint32Array {
  const row = id - index.firstRow;
  const start = index.starts[row];
  const end = index.starts[row + 1];
  return start === undefined || end === undefined
    ? new Uint32Array(0)
    : index.ids.subarray(start, end);
}
