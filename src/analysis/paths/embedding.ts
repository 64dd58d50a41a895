/**
 * Paths that end by `container_of`: a pointer leads to a type that the wanted one holds
 * by value, and the wanted one may be around it.
 *
 * BTF does not say what a pointer points into, and not what a list holds: such a path
 * is a guess, so it is offered only where somebody asks for it, and only at the end.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import { isComposite, memberAt, memberCount } from '#model/type-items.ts';
import { kindOf, nameOf, nameOffOf, skipModifiers } from '#model/type-table.ts';
import { MinHeap } from './min-heap.ts';
import type { ContainerPart, Ending, MemberStep } from './path-goal.ts';
import { nodeOf, type PathIndex, POINTER, typeOfNode } from './path-index.ts';

/** A guess by a link comes behind paths of three pointers more. */
const GUESS_POINTERS = 4;
/** Types of one name, and types inside one, that are looked at. */
const MAX_AROUND = 16;
const MAX_INSIDE = 4096;

/** For each ending at a named type: the same by way of what that type holds. */
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

/** The types that `root` holds by value, each by its shortest path; elements of arrays are left out. */
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

/** Is the member the type itself, no array of it? */
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
