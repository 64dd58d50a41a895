/** Finds the typedef or member that names or contains an anonymous struct or union. */
import { lowerBound } from '#bytes/arrays.ts';
import type { Slices } from '#bytes/long-work.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, readMembers } from '#model/type-items.ts';
import {
  arrayData,
  firstAtHand,
  isModifier,
  kindOf,
  lastId,
  nameOffOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';

export type Holders = {
  /** Ids of all anonymous structs and unions, ascending. Other columns have the same order. */
  readonly ids: Uint32Array;
  /** Id of the typedef, or of the type with the member; 0 if there is neither. */
  readonly holder: Uint32Array;
  /** Index of the member; -1 if the holder is a typedef. */
  readonly item: Int32Array;
};

const STRIDE = 512;
/** Maximum number of qualifiers and array types before an anonymous struct. Compilers write two. */
const MAX_CHAIN = 8;

/** Returns the holder of each anonymous struct and union. */
export async function buildHolders(types: TypeTable, slices: Slices): Promise<Holders> {
  const anonymous: number[] = [];
  const [first, last] = [firstAtHand(types), lastId(types)];
  for (let id = first; id <= last; id++) {
    if (nameOffOf(types, typeId(id)) === 0 && isComposite(kindOf(types, typeId(id))))
      anonymous.push(id);
    if (id % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  const ids = Uint32Array.from(anonymous);
  const holder = new Uint32Array(ids.length);
  const item = new Int32Array(ids.length).fill(-1);
  /** Returns the row of the anonymous type below qualifiers and arrays of `id`, or -1. */
  const anonymousIn = (id: TypeId): number => {
    let at = id;
    for (let steps = 0; steps < MAX_CHAIN; steps++) {
      const kind = kindOf(types, at);
      if (isComposite(kind)) return nameOffOf(types, at) === 0 ? rowIn(ids, at) : -1;
      if (kind === BtfKind.ARRAY) at = arrayData(types, at).elemType;
      else if (kind !== BtfKind.TYPEDEF && isModifier(kind)) at = typeId(sizeOrTypeOf(types, at));
      else return -1;
    }
    return -1;
  };
  for (let id = first; id <= last; id++) {
    const kind = kindOf(types, typeId(id));
    if (kind === BtfKind.TYPEDEF) {
      const named = anonymousIn(typeId(sizeOrTypeOf(types, typeId(id))));
      // A typedef takes precedence over a member.
      if (named >= 0 && (holder[named] === 0 || item[named] !== -1)) {
        holder[named] = id;
        item[named] = -1;
      }
    } else if (isComposite(kind)) {
      const members = readMembers(types, typeId(id));
      for (let index = 0; index < members.count; index++) {
        const held = anonymousIn(members.type(index));
        if (held < 0 || ids[held] === id || holder[held] !== 0) continue;
        holder[held] = id;
        item[held] = index;
      }
    }
    if (id % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  return { ids, holder, item };
}

function rowIn(ids: Uint32Array, id: number): number {
  const row = lowerBound(ids, id);
  return ids[row] === id ? row : -1;
}

export type HeldPath = {
  /** Outermost type of the path; a type with a name if one exists. */
  readonly root: TypeId;
  /** Member indices from `root` to the member. */
  readonly path: readonly number[];
};

/** Maximum number of anonymous types on a path. */
const MAX_DEPTH = 24;

/** Returns the path to member `index` of `owner` from the enclosing named type. */
export function pathFromNamed(
  types: TypeTable,
  { ids, holder, item }: Holders,
  owner: TypeId,
  index: number,
): HeldPath {
  let root = owner;
  let path = [index];
  const seen = new Set<number>();
  while (nameOffOf(types, root) === 0 && seen.size < MAX_DEPTH && !seen.has(root)) {
    seen.add(root);
    const row = rowIn(ids, root);
    const above = typeId(holder[row] ?? 0);
    if (above === 0) break;
    const at = item[row] ?? -1;
    if (at >= 0) path = [at, ...path];
    root = above;
  }
  return { root, path };
}
