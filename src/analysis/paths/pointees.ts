/**
 * Where a reference leads: the struct or union behind typedefs, modifiers, arrays
 * and pointers, and how many pointers were followed on the path. Worked out once for
 * every type at hand; chains share their ends, so that time grows with the types only.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { arrayData, isModifier, kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { slotIds, slotOf, type TypeSlots } from './type-slots.ts';

export type Pointees = {
  /** Node at the end of each type's chain; -1 where there is none. */
  readonly node: Int32Array;
  /** Pointers on the path to it. */
  readonly pointers: Uint8Array;
  /**
   * 1 where an array of no elements stands in front: only a flexible one, the last
   * member of its struct, can be gone into.
   */
  readonly flexible: Uint8Array;
};

/** Pointers to pointers to pointers: more than these nobody follows. */
export const MAX_POINTERS = 8;

const UNSEEN = -2;
const NONE = -1;

/** What the ends of chains are: `nodeOfSlot` has their numbers, -1 for all other types. */
export function pointeesOf(t: TypeTable, slots: TypeSlots, nodeOfSlot: Int32Array): Pointees {
  const node = new Int32Array(slots.count).fill(UNSEEN);
  const pointers = new Uint8Array(slots.count);
  const flexible = new Uint8Array(slots.count);
  const chain: number[] = [];
  const ids: TypeId[] = [];
  for (const first of slotIds(slots)) {
    for (let id: number = first; ; ) {
      const slot = slotOf(slots, id);
      if (slot < 0 || node[slot] !== UNSEEN) break;
      // Until its end is known the type counts as one that leads nowhere: so do loops.
      node[slot] = nodeOfSlot[slot] ?? NONE;
      const next = node[slot] === NONE ? nextOf(t, typeId(id)) : null;
      if (next === null) break;
      chain.push(slot);
      ids.push(typeId(id));
      id = next;
    }
    for (let slot = chain.pop(); slot !== undefined; slot = chain.pop()) {
      const id = ids.pop();
      if (id === undefined) break;
      const kind = kindOf(t, id);
      const end = slotOf(slots, nextOf(t, id) ?? 0);
      const passes = end >= 0 && (isModifier(kind) || flexible[end] === 0);
      if (!passes) continue;
      const followed = (pointers[end] ?? 0) + (kind === BtfKind.PTR ? 1 : 0);
      if (followed > MAX_POINTERS) continue;
      node[slot] = node[end] ?? NONE;
      pointers[slot] = followed;
      const empty = kind === BtfKind.ARRAY && arrayData(t, id).nelems === 0;
      flexible[slot] = isModifier(kind) ? (flexible[end] ?? 0) : Number(empty);
    }
  }
  return { node, pointers, flexible };
}

/** The next type of a chain; null where it ends. */
export function nextOf(t: TypeTable, id: TypeId): number | null {
  const kind = kindOf(t, id);
  if (kind === BtfKind.PTR || isModifier(kind)) return sizeOrTypeOf(t, id);
  return kind === BtfKind.ARRAY ? arrayData(t, id).elemType : null;
}
