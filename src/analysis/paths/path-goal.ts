/** Finds the nodes and fields where the paths of a question may end. */
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

/** A member as index in a struct or union. */
export type MemberStep = { readonly type: TypeId; readonly index: number };

/**
 * Kind of type from whose pointer container_of starts: a list link (`list_head`), another link
 * (`rb_node`), a general type (`spinlock_t`), or a specific type (`sock`). Only a specific type
 * suggests its container.
 */
export type ContainerPart = 'list' | 'link' | 'general' | 'part';

/** A container_of: `members` lead from `type` to the member whose address is known. */
export type ContainerStep = {
  readonly type: TypeId;
  readonly members: readonly MemberStep[];
  readonly through: ContainerPart;
};

export type Ending = {
  /** Node where the path ends. */
  readonly at: number;
  /** Cost of the ending, in the unit of `stepWeight`. */
  readonly weight: number;
  /** True if the path must reach `at` through a pointer, as container_of requires. */
  readonly byPointer: boolean;
  readonly container: ContainerStep | null;
  /** Members from the end node, or from the container, to the wanted field. */
  readonly field: readonly MemberStep[];
};

export type PathGoal = {
  readonly endings: readonly Ending[];
  /** Nodes of the wanted types: no path continues past them. */
  readonly stops: ReadonlySet<number>;
};

/** Value of BPF_CORE_FIELD_BYTE_OFFSET in `enum bpf_core_relo_kind`. */
const FIELD_KIND = 0;

/** Returns every member with this name. */
export function membersNamed(index: PathIndex, name: string): Ending[] {
  const isNamed = nameMatcher(index.types, name);
  return name === '' ? [] : membersWhere(index, (nameOff) => nameOff !== 0 && isNamed(nameOff));
}

/** Returns every named member of a type in `ids`, also through typedefs and modifiers. */
export function membersOfTypes(index: PathIndex, ids: readonly TypeId[]): Ending[] {
  const means = meaning(index, new Set(ids));
  return membersWhere(index, (nameOff, type) => {
    const slot = nameOff === 0 ? -1 : slotOf(index.slots, type);
    return slot >= 0 && means[slot] === 1;
  });
}

type IsWanted = (nameOff: number, type: number) => boolean;

/** Reads BTF words directly, without decoding members: a kernel has 300,000 members. */
function membersWhere(index: PathIndex, isWanted: IsWanted): Ending[] {
  const { types } = index;
  const endings: Ending[] = [];
  for (let node = 0; node < index.ids.length; node++) {
    const type = typeOfNode(index, node);
    const members = readMembers(types, type);
    for (let i = 0; i < members.count; i++) {
      const nameOff = members.nameOff(i);
      if (isWanted(nameOff, members.type(i))) {
        const field = [{ type, index: i }];
        endings.push(endingAt(node, field, stepWeight(0, nameBytes(types, nameOff))));
      }
    }
  }
  return endings;
}

/** Returns the ending at a node, or at the field that `field` leads to from the node. */
export function endingAt(at: number, field: readonly MemberStep[], weight: number): Ending {
  return { at, field, weight, byPointer: false, container: null };
}

const UNSEEN = 2;

/** Returns 1 in the slots of types that lead to one of `ids` through typedefs and modifiers. */
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
  /** Reason why the field does not exist, and similar names. */
  | {
      readonly ok: false;
      readonly reason: 'no-field' | 'pointer' | 'element' | 'syntax';
      readonly word: string;
      readonly near: readonly string[];
    };

/** Finds a field by its C spelling: `mm`, `thread.sp`. Looks inside anonymous members, too. */
export function fieldOf(index: PathIndex, { node, type }: AskedNode, field: string): FieldOfType {
  const { types } = index;
  // The leading dot makes the parser read the first name as a member, not as a variable.
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

/** Extra cost of a guessed path: it ranks after other paths with up to three more pointers. */
const GUESS_POINTERS = 4;
/** Maximum number of wanted types, and of types searched inside each of them. */
const MAX_AROUND = 16;
const MAX_INSIDE = 4096;
/** Maximum number of members from a container to a part, and of endings by container_of. */
const MAX_LEVELS = 512;
const MAX_ENDINGS_AROUND = 65_536;

/**
 * Returns endings that lead to a wanted type by container_of from a pointer to a part of the type.
 * Such a path is a guess: BTF does not state what contains a pointer's target.
 */
export function endingsAround(index: PathIndex, endings: readonly Ending[]): Ending[] {
  const nodes = [...new Set(endings.map(({ at }) => at))].filter((node) => isNamed(index, node));
  if (nodes.length > MAX_AROUND) return [];
  const around: Ending[] = [];
  for (const node of nodes) {
    const type = typeOfNode(index, node);
    const endingsHere = endings.filter(({ at }) => at === node);
    for (const { node: at, weight, members, through } of insideOf(index, node)) {
      const guess = (through === 'part' ? 1 : GUESS_POINTERS) * POINTER + weight;
      const container = { type, members, through };
      for (const ending of endingsHere) {
        if (around.length >= MAX_ENDINGS_AROUND) return around;
        const { field } = ending;
        around.push({ at, field, weight: guess + ending.weight, byPointer: true, container });
      }
    }
  }
  return around;
}

function isNamed(index: PathIndex, node: number): boolean {
  const type = typeOfNode(index, node);
  return isComposite(kindOf(index.types, type)) && nameOffOf(index.types, type) !== 0;
}

type Reached = {
  readonly node: number;
  readonly weight: number;
  /** Type that contains this one, and the member of it; null for the root. */
  readonly outer: Reached | null;
  readonly step: MemberStep | null;
  /** Number of members from the root. */
  readonly levels: number;
};
type Inside = Pick<Reached, 'node' | 'weight'> & {
  readonly members: readonly MemberStep[];
  readonly through: ContainerPart;
};

/** Returns the types that `root` contains by value, not in arrays, each with its shortest path. */
function insideOf(index: PathIndex, root: number): Inside[] {
  const parts: Inside[] = [];
  const done = new Set<number>();
  const general = new Map<number, boolean>();
  const reached: Reached[] = [{ node: root, weight: 0, outer: null, step: null, levels: 0 }];
  const heap = new MinHeap();
  heap.push(0, 0);
  for (let row = heap.pop(); row >= 0 && parts.length < MAX_INSIDE; row = heap.pop()) {
    const at = reached[row];
    if (at === undefined || done.has(at.node)) continue;
    done.add(at.node);
    if (at.node !== root && isNamed(index, at.node)) {
      const { node, weight } = at;
      const through = partOf(index, node, general);
      parts.push({ node, weight, members: membersTo(at), through });
    }
    if (at.levels >= MAX_LEVELS) continue;
    const end = index.starts[at.node + 1] ?? 0;
    for (let arc = index.starts[at.node] ?? 0; arc < end; arc++) {
      const node = index.to[arc] ?? 0;
      if (index.pointers[arc] !== 0 || done.has(node)) continue;
      const step = { type: typeOfNode(index, at.node), index: index.member[arc] ?? 0 };
      if (!isPlain(index, step, node)) continue;
      const weight = at.weight + (index.weight[arc] ?? 0);
      heap.push(weight, reached.length);
      reached.push({ node, weight, outer: at, step, levels: at.levels + 1 });
    }
  }
  return parts;
}

/** Returns the members from the root to a reached type. */
function membersTo(reached: Reached): MemberStep[] {
  const members: MemberStep[] = [];
  for (let at: Reached | null = reached; at?.step != null; at = at.outer) members.push(at.step);
  return members.reverse();
}

/** Returns true if the member has the node's type itself, not an array of it. */
function isPlain(index: PathIndex, { type, index: number }: MemberStep, node: number): boolean {
  const member = memberAt(index.types, type, number);
  if (member === null) return false;
  const bare = skipModifiers(index.types, member.type);
  return kindOf(index.types, bare) !== BtfKind.ARRAY && nodeOf(index, bare) === node;
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
 * Returns true for a type that does not suggest its container: list and tree links that point only
 * to themselves (`list_head`, `rb_node`), small types without structs (`spinlock_t`), and small
 * types made of such types (`hlist_head`, `work_struct`).
 */
function isGeneral(
  index: PathIndex,
  node: number,
  known: Map<number, boolean>,
  depth: number,
): boolean {
  const cached = known.get(node);
  if (cached !== undefined) return cached;
  const start = index.starts[node] ?? 0;
  const end = index.starts[node + 1] ?? 0;
  const members = memberCount(index.types, typeOfNode(index, node));
  let result = members <= MAX_GENERAL_MEMBERS && depth <= MAX_GENERAL_DEPTH;
  for (let arc = start; arc < end && result; arc++) {
    const to = index.to[arc] ?? 0;
    result = to === node || isGeneral(index, to, known, depth + 1);
  }
  known.set(node, result);
  return result;
}
