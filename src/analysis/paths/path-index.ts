/**
 * The graph of all steps between types. Nodes are structs and unions. Arcs are members that lead to
 * a struct or union, by value or through pointers. The graph is built once per file, as compressed
 * rows in both directions. A forward declaration uses the node of the full type with its name, else
 * a node without arcs.
 */
import { addTo } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { tablesOf } from '#model/joined-words.ts';
import { shortName } from '#model/names.ts';
import { isComposite, readMembers } from '#model/type-items.ts';
import {
  arrayData,
  isModifier,
  kindFlagOf,
  kindOf,
  nameOffOf,
  sizeOrTypeOf,
  stringTable,
  type TypeTable,
} from '#model/type-table.ts';

export type PathIndex = {
  readonly types: TypeTable;
  readonly slots: TypeSlots;
  /** Type id by node. */
  readonly ids: Uint32Array;
  readonly nodeOfSlot: Int32Array;
  /** `name_off` of each type, by slot. */
  readonly nameOffs: Uint32Array;
  /** Node `n` has the arcs `starts[n]` to `starts[n + 1] - 1`, in the order of members. */
  readonly starts: Uint32Array;
  /** Source node, target node and member index of each arc. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly member: Uint32Array;
  /** For each arc, the number of followed pointers, and the cost (see `stepWeight`). */
  readonly pointers: Uint8Array;
  readonly weight: Float64Array;
  /** Arcs that lead to node `n`: `intoArcs[into[n]]` to `intoArcs[into[n + 1] - 1]`. */
  readonly into: Uint32Array;
  readonly intoArcs: Uint32Array;
};

/** Cost of a named member. The length of its name decides between equal costs. */
const STEP = 2 ** 16;
/** Cost of a followed pointer or a container_of. It exceeds the cost of all members together. */
export const POINTER = 2 ** 32;
const MAX_NAME = 255;

/** Returns the cost of a step. Pointers cost most, then named members, then letters of the name. */
export function stepWeight(pointers: number, nameLength: number): number {
  return pointers * POINTER + (nameLength > 0 ? STEP + Math.min(nameLength, MAX_NAME) : 0);
}

/** Returns the node of a STRUCT, UNION or FWD, or -1 for other types. */
export function nodeOf(index: PathIndex, id: TypeId): number {
  const slot = slotOf(index.slots, id);
  return slot < 0 ? -1 : (index.nodeOfSlot[slot] ?? -1);
}

/** Returns the type id of a node. */
export function typeOfNode(index: Pick<PathIndex, 'ids'>, node: number): TypeId {
  return typeId(index.ids[node] ?? 0);
}

/** Returns the graph of the types in `t` and its bases. */
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
  const ids = new Uint32Array(slots.count);
  let count = 0;
  let slot = 0;
  for (const id of slotIds(slots)) {
    const kind = kindOf(t, id);
    nameOffs[slot] = nameOffOf(t, id);
    if (isComposite(kind) || kind === BtfKind.FWD) {
      nodeOfSlot[slot] = count;
      ids[count++] = id;
    }
    slot++;
  }
  return { ids: ids.slice(0, count), nodeOfSlot, nameOffs };
}

/** Callback for each member that leads to a node. */
type VisitStep = (index: number, node: number, pointers: number, nameLength: number) => void;

/** Reads BTF words directly, without decoding members: a kernel has 300,000 members. */
function forEachStep(
  t: TypeTable,
  slots: TypeSlots,
  pointees: Pointees,
  id: TypeId,
  visit: VisitStep,
): void {
  const members = readMembers(t, id);
  const { count } = members;
  for (let index = 0; index < count; index++) {
    const slot = slotOf(slots, members.type(index));
    const node = slot < 0 ? -1 : (pointees.node[slot] ?? -1);
    if (node < 0) continue;
    const nameOff = members.nameOff(index);
    const nameLength = nameOff === 0 ? 0 : nameBytes(t, nameOff);
    // An access cannot contain an unreadable name, or an empty array that is not the last member.
    if (nameOff !== 0 && nameLength === 0) continue;
    if (pointees.flexible[slot] === 1 && (index !== count - 1 || nameLength === 0)) continue;
    visit(index, node, pointees.pointers[slot] ?? 0, nameLength);
  }
}

/** Returns the byte length of the string at `offset`, at most 255. */
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

/** For each type's slot, the end of its chain of typedefs, modifiers, arrays and pointers. */
type Pointees = {
  /** Node at the end of the chain; -1 without a node. */
  readonly node: Int32Array;
  /** Number of pointers in the chain. */
  readonly pointers: Uint8Array;
  /** 1 for a chain that starts with an array of 0 elements, which must be a struct's last member. */
  readonly flexible: Uint8Array;
};

/** Maximum number of pointers in a chain. */
export const MAX_POINTERS = 8;

const UNSEEN = -2;
const WITHOUT_NODE = -1;

/** Finds the ends of all chains in linear time. `nodeOfSlot` is -1 for types without a node. */
function pointeesOf(t: TypeTable, slots: TypeSlots, nodeOfSlot: Int32Array): Pointees {
  const node = new Int32Array(slots.count).fill(UNSEEN);
  const pointers = new Uint8Array(slots.count);
  const flexible = new Uint8Array(slots.count);
  const chain: number[] = [];
  const ids: TypeId[] = [];
  for (const first of slotIds(slots)) {
    for (let id: number = first; ; ) {
      const slot = slotOf(slots, id);
      if (slot < 0 || node[slot] !== UNSEEN) break;
      // A type gets its node when the end of its chain is known; a type in a loop has no node.
      node[slot] = nodeOfSlot[slot] ?? WITHOUT_NODE;
      const next = node[slot] === WITHOUT_NODE ? nextOf(t, typeId(id)) : null;
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
      node[slot] = node[end] ?? WITHOUT_NODE;
      pointers[slot] = followed;
      const empty = kind === BtfKind.ARRAY && arrayData(t, id).nelems === 0;
      flexible[slot] = isModifier(kind) ? (flexible[end] ?? 0) : Number(empty);
    }
  }
  return { node, pointers, flexible };
}

/** Returns the next type of a chain, or null at the end of the chain. */
export function nextOf(t: TypeTable, id: TypeId): number | null {
  const kind = kindOf(t, id);
  if (kind === BtfKind.PTR || isModifier(kind)) return sizeOrTypeOf(t, id);
  return kind === BtfKind.ARRAY ? arrayData(t, id).elemType : null;
}

/** Numbers all loaded types from 0 (slots), for typed arrays. Type ids may start anywhere. */
export type TypeSlots = {
  /** Type tables, the lowest base first. */
  readonly tables: readonly TypeTable[];
  /** Slot of the first type of each table. */
  readonly firstSlots: readonly number[];
  readonly count: number;
};

/** Returns the slots of the types in `t` and its bases. */
function typeSlots(t: TypeTable): TypeSlots {
  const tables = tablesOf(t);
  const firstSlots: number[] = [];
  let count = 0;
  for (const table of tables) {
    firstSlots.push(count);
    count += table.count;
  }
  return { tables, firstSlots, count };
}

/** Returns the slot of `id`, or -1 for void and for ids without a record. */
export function slotOf({ tables, firstSlots }: TypeSlots, id: number): number {
  for (let i = tables.length - 1; i >= 0; i--) {
    const table = tables[i];
    if (table === undefined || id < table.firstId) continue;
    const row = id - table.firstId;
    return id > 0 && row < table.count ? (firstSlots[i] ?? 0) + row : -1;
  }
  return -1;
}

/** Returns the type id in `slot`. */
export function idOfSlot({ tables, firstSlots }: TypeSlots, slot: number): TypeId {
  for (let i = tables.length - 1; i >= 0; i--) {
    const row = slot - (firstSlots[i] ?? 0);
    if (row >= 0) return typeId((tables[i]?.firstId ?? 0) + row);
  }
  return typeId(0);
}

/** Yields the type ids in the order of slots. */
export function* slotIds({ tables }: TypeSlots): Generator<TypeId, void, void> {
  for (const table of tables) {
    for (let i = 0; i < table.count; i++) yield typeId(table.firstId + i);
  }
}

/** Maximum bytes of a name. Strings in a hostile file can overlap and be as long as the file. */
const MAX_NAME_LENGTH = 512;

/** Gives each FWD the node of the first full type with the same keyword and name. */
function resolveForwards(t: TypeTable, slots: TypeSlots, nodeOfSlot: Int32Array): void {
  const wanted = new Map<string, number[]>();
  let slot = 0;
  for (const id of slotIds(slots)) {
    if (kindOf(t, id) === BtfKind.FWD) {
      addTo(wanted, keyOf(t, id, kindFlagOf(t, id)), slot);
    }
    slot++;
  }
  wanted.delete('');
  if (wanted.size === 0) return;
  slot = 0;
  for (const id of slotIds(slots)) {
    const kind = kindOf(t, id);
    if (isComposite(kind)) {
      const key = keyOf(t, id, kind === BtfKind.UNION);
      for (const forward of wanted.get(key) ?? []) nodeOfSlot[forward] = nodeOfSlot[slot] ?? -1;
      if (key !== '') wanted.delete(key);
    }
    slot++;
  }
}

/** Returns keyword and name as one text; empty for a type without a name. */
function keyOf(t: TypeTable, id: TypeId, isUnion: boolean): string {
  const name = shortName(t, nameOffOf(t, id), MAX_NAME_LENGTH);
  return name === '' ? '' : `${isUnion ? 'u' : 's'} ${name}`;
}
