/**
 * Every step that an access can take, as a graph: its nodes are the structs and
 * unions, its arcs the members that lead to another, by value or through pointers.
 *
 * Built once for a file: compressed rows in both directions. A forward declaration
 * stands for the full type of its name; one without is a node that leads nowhere.
 */
import { BTF_TYPE_SIZE, BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import {
  kindOf,
  nameOffOf,
  ownerOf,
  recordBytes,
  stringTable,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { resolveForwards } from './forwards.ts';
import { type Pointees, pointeesOf } from './pointees.ts';
import { slotIds, slotOf, type TypeSlots, typeSlots } from './type-slots.ts';

export type PathIndex = {
  readonly types: TypeTable;
  readonly slots: TypeSlots;
  /** Type of each node. */
  readonly ids: Uint32Array;
  readonly nodeOfSlot: Int32Array;
  /** `name_off` of the type in each slot: names are looked for again and again. */
  readonly nameOffs: Uint32Array;
  /** Arcs of node `n`: `starts[n]` to before `starts[n + 1]`, in the order of the members. */
  readonly starts: Uint32Array;
  /** Of each arc: the node it leaves, the one it comes to, the member it goes by. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly member: Uint32Array;
  /** Of each arc: pointers followed, and what it costs (see `stepWeight`). */
  readonly pointers: Uint8Array;
  readonly weight: Float64Array;
  /** Arcs that come to node `n`: `intoArcs[into[n]]` to before `intoArcs[into[n + 1]]`. */
  readonly into: Uint32Array;
  readonly intoArcs: Uint32Array;
};

/** A step as written in C; its name's length decides between paths that are equal else. */
const STEP = 2 ** 16;
/** A pointer followed, or a container_of: dearer than all steps together. */
export const POINTER = 2 ** 32;
const MAX_NAME = 255;

/** What one step costs: its `pointers` first, then the step if it has a name, then the bytes of that. */
export function stepWeight(pointers: number, nameLength: number): number {
  return pointers * POINTER + (nameLength > 0 ? STEP + Math.min(nameLength, MAX_NAME) : 0);
}

/** The node of a STRUCT, UNION or FWD; -1 for all other types. */
export function nodeOf(index: PathIndex, id: TypeId): number {
  const slot = slotOf(index.slots, id);
  return slot < 0 ? -1 : (index.nodeOfSlot[slot] ?? -1);
}

/** The type of a node. */
export function typeOfNode(index: Pick<PathIndex, 'ids'>, node: number): TypeId {
  return typeId(index.ids[node] ?? 0);
}

/** Builds the graph of `t` and its bases. */
export function buildPathIndex(t: TypeTable): PathIndex {
  const slots = typeSlots(t);
  const { ids, nodeOfSlot, nameOffs } = nodesOf(t, slots);
  resolveForwards(t, slots, nodeOfSlot);
  const pointees = pointeesOf(t, slots, nodeOfSlot);
  const count = ids.length;
  const starts = new Uint32Array(count + 1);
  for (let node = 0; node < count; node++) {
    let arcs = 0;
    forEachStep(t, slots, pointees, typeId(ids[node] ?? 0), () => arcs++);
    starts[node + 1] = (starts[node] ?? 0) + arcs;
  }
  const total = starts[count] ?? 0;
  const from = new Uint32Array(total);
  const to = new Uint32Array(total);
  const member = new Uint32Array(total);
  const pointers = new Uint8Array(total);
  const weight = new Float64Array(total);
  let arc = 0;
  for (let node = 0; node < count; node++) {
    forEachStep(t, slots, pointees, typeId(ids[node] ?? 0), (index, end, followed, nameLength) => {
      from[arc] = node;
      to[arc] = end;
      member[arc] = index;
      pointers[arc] = followed;
      weight[arc] = stepWeight(followed, nameLength);
      arc++;
    });
  }
  const { into, intoArcs } = reversed(count, to);
  return {
    types: t,
    slots,
    ids,
    nodeOfSlot,
    nameOffs,
    starts,
    from,
    to,
    member,
    pointers,
    weight,
    into,
    intoArcs,
  };
}

function nodesOf(t: TypeTable, slots: TypeSlots) {
  const nodeOfSlot = new Int32Array(slots.count).fill(-1);
  const nameOffs = new Uint32Array(slots.count);
  const found = new Uint32Array(slots.count);
  let count = 0;
  let slot = 0;
  for (const id of slotIds(slots)) {
    const kind = kindOf(t, id);
    nameOffs[slot] = nameOffOf(t, id);
    if (isComposite(kind) || kind === BtfKind.FWD) {
      nodeOfSlot[slot] = count;
      found[count++] = id;
    }
    slot++;
  }
  return { ids: found.slice(0, count), nodeOfSlot, nameOffs };
}

/** Told of each member that leads on: its number, the node, pointers followed, bytes of its name. */
type VisitStep = (index: number, node: number, pointers: number, nameLength: number) => void;

/** Reads the words of a record in place: a kernel has 300,000 members. */
function forEachStep(
  t: TypeTable,
  slots: TypeSlots,
  pointees: Pointees,
  id: TypeId,
  visit: VisitStep,
): void {
  if (!isComposite(kindOf(t, id))) return;
  const bytes = recordBytes(t, id);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = (ownerOf(t, id) ?? t).endian === 'little';
  const vlen = vlenOf(t, id);
  for (let index = 0; index < vlen; index++) {
    const at = BTF_TYPE_SIZE + 12 * index;
    if (at + 12 > bytes.length) return;
    const slot = slotOf(slots, view.getUint32(at + 4, little));
    const node = slot < 0 ? -1 : (pointees.node[slot] ?? -1);
    if (node < 0) continue;
    const nameOff = view.getUint32(at, little);
    const nameLength = nameOff === 0 ? 0 : nameBytes(t, nameOff);
    // A name that cannot be read, and an array of no elements that is not the last: no access takes these.
    if (nameOff !== 0 && nameLength === 0) continue;
    if (pointees.flexible[slot] === 1 && (index !== vlen - 1 || nameLength === 0)) continue;
    visit(index, node, pointees.pointers[slot] ?? 0, nameLength);
  }
}

/** Bytes of the string at `offset`, counted up to 255. */
export function nameBytes(t: TypeTable, offset: number): number {
  const table = stringTable(t, offset);
  if (table === null) return 0;
  const { blob, strEnd } = table;
  const start = table.strStart + (offset - table.strBase);
  const end = Math.min(strEnd, start + MAX_NAME);
  let at = start;
  while (at < end && blob[at] !== 0) at++;
  return Math.max(0, at - start);
}

function reversed(count: number, to: Uint32Array) {
  const into = new Uint32Array(count + 1);
  for (const node of to) into[node + 1] = (into[node + 1] ?? 0) + 1;
  for (let node = 0; node < count; node++)
    into[node + 1] = (into[node + 1] ?? 0) + (into[node] ?? 0);
  const intoArcs = new Uint32Array(to.length);
  const next = into.slice();
  for (let arc = 0; arc < to.length; arc++) {
    const node = to[arc] ?? 0;
    const at = next[node] ?? 0;
    intoArcs[at] = arc;
    next[node] = at + 1;
  }
  return { into, intoArcs };
}
