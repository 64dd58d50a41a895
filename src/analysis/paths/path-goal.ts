/** Goal of a search for paths: possible starts and ends. */
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameMatcher } from '#model/names.ts';
import { isComposite, memberAt, memberCount, readMembers } from '#model/type-items.ts';
import {
  isModifier,
  kindOf,
  nameOf,
  nameOffOf,
  sizeOrTypeOf,
  skipModifiers,
} from '#model/type-table.ts';
import { MinHeap } from './min-heap.ts';
import type { AskedNode } from './named-types.ts';
import {
  nameBytes,
  nodeOf,
  type PathIndex,
  POINTER,
  slotIds,
  slotOf,
  stepWeight,
  typeOfNode,
} from './path-index.ts';
import { accessOfNames, type NamedAccess } from './playground-names.ts';

/** A member of a struct or union, by index. */
export type MemberStep = { readonly type: TypeId; readonly index: number };

/**
 * What the part is that a container_of begins at: a link of a list (`list_head`), another
 * link (`rb_node`), something general (`spinlock_t`), or a type of its own (`sock`). Of all
 * but the last BTF does not even hint at what they stand in.
 */
export type ContainerPart = 'list' | 'link' | 'general' | 'part';

/** `container_of`: from a pointer to what `members` lead to, back to the `type` around it. */
export type ContainerStep = {
  readonly type: TypeId;
  readonly members: readonly MemberStep[];
  readonly through: ContainerPart;
};

export type Ending = {
  /** Node at the end. */
  readonly at: number;
  /** See `stepWeight`. */
  readonly weight: number;
  /** True if a pointer must lead to `at`, as container_of needs. */
  readonly byPointer: boolean;
  readonly container: ContainerStep | null;
  /** Members from the end node, or from the container, to a field. */
  readonly field: readonly MemberStep[];
};

export type PathGoal = {
  readonly endings: readonly Ending[];
  /** Wanted nodes: no path continues from them. */
  readonly stops: ReadonlySet<number>;
};

/** `bpf_core_relo_kind` byte_off: how an access is walked. */
const FIELD_KIND = 0;

/** Returns every member of a name. */
export function membersNamed(index: PathIndex, name: string): Ending[] {
  const isNamed = nameMatcher(index.types, name);
  return name === '' ? [] : membersWhere(index, (nameOff) => nameOff !== 0 && isNamed(nameOff));
}

/** Returns every named member whose type is one of `ids`, directly or through typedefs and modifiers. */
export function membersOfTypes(index: PathIndex, ids: readonly TypeId[]): Ending[] {
  const means = meaning(index, new Set(ids));
  return membersWhere(index, (nameOff, type) => {
    const slot = nameOff === 0 ? -1 : slotOf(index.slots, type);
    return slot >= 0 && means[slot] === 1;
  });
}

type IsWanted = (nameOff: number, type: number) => boolean;

/** Reads words in place, since it visits every member of a kernel. */
function membersWhere(index: PathIndex, isWanted: IsWanted): Ending[] {
  const { types } = index;
  const found: Ending[] = [];
  for (let node = 0; node < index.ids.length; node++) {
    const type = typeOfNode(index, node);
    const members = readMembers(types, type);
    for (let i = 0; i < members.count; i++) {
      const nameOff = members.nameOff(i);
      if (isWanted(nameOff, members.type(i))) {
        const field = [{ type, index: i }];
        found.push(endingAt(node, field, stepWeight(0, nameBytes(types, nameOff))));
      }
    }
  }
  return found;
}

/** Returns the ending at a node, or at the field that `field` leads to from the node. */
export function endingAt(at: number, field: readonly MemberStep[], weight: number): Ending {
  return { at, field, weight, byPointer: false, container: null };
}

const UNSEEN = 2;

/** Returns, by slot, 1 for types that lead to one of `ids` through typedefs and modifiers. */
function meaning({ types, slots }: PathIndex, ids: ReadonlySet<TypeId>): Uint8Array {
  const means = new Uint8Array(slots.count).fill(UNSEEN);
  const chain: number[] = [];
  for (const first of slotIds(slots)) {
    let id = first;
    let slot = slotOf(slots, id);
    while (slot >= 0 && means[slot] === UNSEEN) {
      means[slot] = ids.has(id) ? 1 : 0;
      chain.push(slot);
      if (means[slot] === 1 || !isModifier(kindOf(types, id))) break;
      id = typeId(sizeOrTypeOf(types, id));
      slot = slotOf(slots, id);
    }
    const value = slot < 0 ? 0 : (means[slot] ?? 0);
    for (let at = chain.pop(); at !== undefined; at = chain.pop()) means[at] = value;
  }
  return means;
}

export type FieldOfType =
  | { readonly ok: true; readonly ending: Ending }
  /** Why the field does not exist, and near names. */
  | {
      readonly ok: false;
      readonly reason: 'no-field' | 'pointer' | 'element' | 'syntax';
      readonly word: string;
      readonly near: readonly string[];
    };

/** Returns a field of a struct or union by its C spelling: `mm`, `thread.sp`. Anonymous members are transparent. */
export function fieldOf(index: PathIndex, { node, type }: AskedNode, field: string): FieldOfType {
  const { types } = index;
  // With a dot in front, a name before an index is no variable.
  const written = `.${field}`;
  const named = accessOfNames(types, type, written);
  if (!('accessStr' in named)) return notThere(named, written);
  const { steps } = walkAccess(types, type, named.accessStr, FIELD_KIND);
  const members: MemberStep[] = [];
  let weight = 0;
  for (const step of steps.slice(1)) {
    if (step.means === 'array-element')
      return { ok: false, reason: 'element', word: field, near: [] };
    members.push({ type: skipModifiers(types, step.container), index: step.index });
    weight += stepWeight(0, step.name.length);
  }
  return { ok: true, ending: endingAt(node, members, weight) };
}

function notThere(
  named: Exclude<NamedAccess, { readonly accessStr: string }>,
  field: string,
): FieldOfType {
  const { start, length, fault, near } = named;
  const word = field.slice(start, start + length);
  const reason = fault === 'syntax' ? 'syntax' : fault === 'not-composite' ? 'pointer' : 'no-field';
  return { ok: false, reason, word, near };
}

/**
 * Paths that end by `container_of`: a pointer leads to a type that the wanted one holds
 * by value, and the wanted one may be around it.
 *
 * BTF does not say what a pointer points into, and not what a list holds: such a path
 * is a guess, so it is offered only where somebody asks for it, and only at the end.
 */

/** Pointers that a guess by a list link counts as: it ranks after paths with three more pointers. */
const GUESS_POINTERS = 4;
/** Types of one name, and types inside one type, that are searched. */
const MAX_AROUND = 16;
const MAX_INSIDE = 4096;

/** Returns the container_of endings of each ending at a named type. */
export function endingsAround(index: PathIndex, endings: readonly Ending[]): Ending[] {
  const nodes = [...new Set(endings.map(({ at }) => at))].filter((node) => isNamed(index, node));
  if (nodes.length > MAX_AROUND) return [];
  return nodes.flatMap((node) => {
    const own = endings.filter(({ at }) => at === node);
    return insideOf(index, node).flatMap((inside) =>
      own.map((ending) => ({
        at: inside.node,
        field: ending.field,
        weight:
          (inside.through === 'part' ? 1 : GUESS_POINTERS) * POINTER +
          inside.weight +
          ending.weight,
        byPointer: true,
        container: {
          type: typeOfNode(index, node),
          members: inside.members,
          through: inside.through,
        },
      })),
    );
  });
}

function isNamed(index: PathIndex, node: number): boolean {
  const type = typeOfNode(index, node);
  return isComposite(kindOf(index.types, type)) && nameOffOf(index.types, type) !== 0;
}

type Reached = {
  readonly node: number;
  readonly weight: number;
  readonly members: readonly MemberStep[];
};
type Inside = Reached & { readonly through: ContainerPart };

/** Returns the types that `root` holds by value, each by its shortest path, without elements of arrays. */
function insideOf(index: PathIndex, root: number): Inside[] {
  const found: Inside[] = [];
  const done = new Set<number>();
  const general = new Map<number, boolean>();
  const reached: Reached[] = [{ node: root, weight: 0, members: [] }];
  const heap = new MinHeap();
  heap.push(0, 0);
  for (let row = heap.pop(); row >= 0 && found.length < MAX_INSIDE; row = heap.pop()) {
    const at = reached[row];
    if (at === undefined || done.has(at.node)) continue;
    done.add(at.node);
    if (at.node !== root && isNamed(index, at.node)) {
      found.push({ ...at, through: partOf(index, at.node, general) });
    }
    const end = index.starts[at.node + 1] ?? 0;
    for (let arc = index.starts[at.node] ?? 0; arc < end; arc++) {
      const node = index.to[arc] ?? 0;
      if (index.pointers[arc] !== 0 || done.has(node)) continue;
      const step = { type: typeOfNode(index, at.node), index: index.member[arc] ?? 0 };
      if (!isPlain(index, step, node)) continue;
      const weight = at.weight + (index.weight[arc] ?? 0);
      heap.push(weight, reached.length);
      reached.push({ node, weight, members: [...at.members, step] });
    }
  }
  return found;
}

/** Is the member the type itself, not an array of it? */
function isPlain(index: PathIndex, { type, index: number }: MemberStep, node: number): boolean {
  const member = memberAt(index.types, type, number);
  if (member === null) return false;
  const own = skipModifiers(index.types, member.type);
  return kindOf(index.types, own) !== BtfKind.ARRAY && nodeOf(index, own) === node;
}

function partOf(index: PathIndex, node: number, known: Map<number, boolean>): ContainerPart {
  if (!isGeneral(index, node, known, 0)) return 'part';
  const start = index.starts[node] ?? 0;
  const isLink = start < (index.starts[node + 1] ?? 0) && index.to[start] === node;
  if (!isLink) return 'general';
  return /list/.test(nameOf(index.types, typeOfNode(index, node))) ? 'list' : 'link';
}

const MAX_GENERAL_DEPTH = 3;
const MAX_GENERAL_MEMBERS = 4;

/**
 * Does the type say nothing about what it stands in? So it is with links of intrusive
 * lists and trees (`list_head`, `rb_node`), which point to their own kind only, with
 * small types that have no struct in them (`spinlock_t`), and with small ones that are
 * made of these alone (`hlist_head`, `work_struct`).
 */
function isGeneral(
  index: PathIndex,
  node: number,
  known: Map<number, boolean>,
  depth: number,
): boolean {
  const before = known.get(node);
  if (before !== undefined) return before;
  const start = index.starts[node] ?? 0;
  const end = index.starts[node + 1] ?? 0;
  const members = memberCount(index.types, typeOfNode(index, node));
  let isOne = members <= MAX_GENERAL_MEMBERS && depth <= MAX_GENERAL_DEPTH;
  for (let arc = start; arc < end && isOne; arc++) {
    const to = index.to[arc] ?? 0;
    isOne = to === node || isGeneral(index, to, known, depth + 1);
  }
  known.set(node, isOne);
  return isOne;
}
