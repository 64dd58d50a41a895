/**
 * Where anonymous structs and unions belong: the typedef that names one, or the
 * member that holds it. `sk_buff.len` stands in an anonymous struct of a union.
 */
import type { Slices } from '#bytes/slices.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite, membersOf } from '#model/type-items.ts';
import {
  arrayData,
  isModifier,
  nameOffOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';

export type Holders = {
  /** By type id: the type that holds or names it; 0 where none does. */
  readonly holder: Uint32Array;
  /** Which member of the holder it is; -1 where the holder is a typedef. */
  readonly item: Int32Array;
};

const STRIDE = 512;
/** Qualifiers and array dimensions between a member and an anonymous struct; a writer makes one or two. */
const MAX_CHAIN = 8;

/** The holders of all anonymous structs and unions. `kinds` is by type id. */
export async function buildHolders(
  types: TypeTable,
  kinds: Uint8Array,
  slices: Slices,
): Promise<Holders> {
  const holder = new Uint32Array(kinds.length);
  const item = new Int32Array(kinds.length).fill(-1);
  const anonymousIn = (id: TypeId): TypeId | null => {
    let at = id;
    for (let steps = 0; steps < MAX_CHAIN; steps++) {
      const kind = kinds[at] ?? 0;
      if (isComposite(kind)) return nameOffOf(types, at) === 0 ? at : null;
      if (kind === BtfKind.ARRAY) at = arrayData(types, at).elemType;
      else if (kind !== BtfKind.TYPEDEF && isModifier(kind)) at = typeId(sizeOrTypeOf(types, at));
      else return null;
    }
    return null;
  };
  for (let id = 1; id < kinds.length; id++) {
    const kind = kinds[id] ?? 0;
    if (kind === BtfKind.TYPEDEF) {
      const named = anonymousIn(typeId(sizeOrTypeOf(types, typeId(id))));
      // A name of its own says more than the member that holds it.
      if (named !== null && (holder[named] === 0 || item[named] !== -1)) {
        holder[named] = id;
        item[named] = -1;
      }
    } else if (isComposite(kind)) {
      for (const member of membersOf(types, typeId(id))) {
        const held = anonymousIn(member.type);
        if (held === null || held === id || holder[held] !== 0) continue;
        holder[held] = id;
        item[held] = member.index;
      }
    }
    if (id % STRIDE === 0 && slices.isOver) await slices.rest();
  }
  return { holder, item };
}

export type HeldPath = {
  /** The outermost type, with a name where there is one. */
  readonly root: TypeId;
  /** Member numbers from it on. */
  readonly path: readonly number[];
};

/** Deeper nests of anonymous structs begin anonymously. */
const MAX_DEPTH = 24;

/** Member `index` of `owner` as a path from the named type around it. */
export function pathFromNamed(
  types: TypeTable,
  { holder, item }: Holders,
  owner: TypeId,
  index: number,
): HeldPath {
  let root = owner;
  let path = [index];
  const seen = new Set<number>();
  while (nameOffOf(types, root) === 0 && seen.size < MAX_DEPTH && !seen.has(root)) {
    seen.add(root);
    const above = typeId(holder[root] ?? 0);
    if (above === 0) break;
    const at = item[root] ?? -1;
    if (at >= 0) path = [at, ...path];
    root = above;
  }
  return { root, path };
}
