/**
 * Follows a path of names from a log in the types of a target, and suggests names if one is
 * missing. The rules are those of CO-RE: typedefs and modifiers are skipped, members of anonymous
 * structs count as members, an index must be inside its array.
 */
import { essentialNameIndex, findByEssentialName } from '#analysis/core/candidates.ts';
import { essentialName } from '#analysis/core/essential-name.ts';
import { append } from '#bytes/arrays.ts';
import { BtfKind, kindName, RELEASED_KIND_MAX } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf, isComposite, membersOf } from '#model/type-items.ts';
import { arrayData, kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { LogSpec } from './log-line.ts';

/** One step of a followed path: a member or an array element. */
export type FollowedStep = {
  /** Struct, union or array with the member or element, without typedefs. */
  readonly container: TypeId;
  /** Index of the member or element. */
  readonly index: number;
  /** Name of the member; null for an element. */
  readonly name: string | null;
  /** Type of the member or element, including typedefs. */
  readonly type: TypeId;
};

export type FollowFault = {
  /** Index of the step of the path that failed. */
  readonly atStep: number;
  readonly reason: 'no-member' | 'not-composite' | 'not-array' | 'outside' | 'no-enumerator';
  /** Type in which the name or index was not found. */
  readonly container: TypeId;
  /** Name that was not found; null for an element. */
  readonly name: string | null;
  /** Similar names in the container. */
  readonly near: readonly string[];
};

export type Followed = {
  readonly root: TypeId;
  /** Steps before the fault, including those through anonymous members. */
  readonly steps: readonly FollowedStep[];
  /** Where the path failed; null if the whole path was followed. */
  readonly fault: FollowFault | null;
};

/** Maximum members compared for one name, including those of anonymous members. */
const MAX_MEMBERS = 100_000;

/** Returns the types with an essential name and a kind; `typeKind` is libbpf's word for a kind. */
export function typesNamed(
  t: TypeTable,
  { typeKind, typeName }: Pick<LogSpec, 'typeKind' | 'typeName'>,
): TypeId[] {
  const kind = kindNumber(typeKind);
  if (kind === null || typeName === '') return [];
  return findByEssentialName(essentialNameIndex(t), new TextEncoder().encode(typeName), kind);
}

/** Returns the number BTF_KIND_* for a kind in the words of libbpf or cilium/ebpf, or null. */
export function kindNumber(word: string): number | null {
  for (let kind = 1; kind <= RELEASED_KIND_MAX; kind++) {
    if (kindName(kind).toLowerCase() === word) return kind;
  }
  return null;
}

/** Follows the path or the enumerator of a log from `root`. Never throws. */
export function followNames(
  t: TypeTable,
  root: TypeId,
  { path, enumerator }: Pick<LogSpec, 'path' | 'enumerator'>,
): Followed {
  if (enumerator !== null) return followEnumerator(t, root, enumerator.name);
  const steps: FollowedStep[] = [];
  let at = root;
  for (const [atStep, { name, index }] of path.entries()) {
    const container = skipModifiers(t, at);
    const fail = (reason: FollowFault['reason'], near: readonly string[] = []): Followed => ({
      root,
      steps,
      fault: { atStep, reason, container, name, near },
    });
    if (name !== null) {
      if (!isComposite(kindOf(t, container))) return fail('not-composite');
      const { path, names } = findMember(t, container, name);
      if (path === null) return fail('no-member', nearNames(name, names));
      append(steps, path);
      at = path.at(-1)?.type ?? at;
    } else if (kindOf(t, container) === BtfKind.ARRAY) {
      const { elemType, nelems } = arrayData(t, container);
      // An array of 0 elements may be a flexible array, in which each index is valid.
      if (nelems > 0 && index >= nelems) return fail('outside');
      steps.push({ container, index, name, type: elemType });
      at = elemType;
    } else if (atStep > 0) {
      return fail('not-array');
    }
  }
  return { root, steps, fault: null };
}

function followEnumerator(t: TypeTable, root: TypeId, name: string): Followed {
  const container = skipModifiers(t, root);
  const all = enumeratorsOf(t, container);
  const match = all.find((each) => essentialName(each.name) === essentialName(name));
  if (match !== undefined) {
    const step = { container, index: match.index, name: match.name, type: root };
    return { root, steps: [step], fault: null };
  }
  const names = all.slice(0, MAX_MEMBERS).map((each) => each.name);
  const near = nearNames(name, names);
  return { root, steps: [], fault: { atStep: 0, reason: 'no-enumerator', container, name, near } };
}

type Search = {
  /** Path to the member through anonymous members; null if it was not found. */
  readonly path: FollowedStep[] | null;
  /** Names of the members that were searched. */
  readonly names: readonly string[];
};

/** Searches members, depth first in anonymous ones. Visits a struct once: it may contain itself. */
function findMember(t: TypeTable, root: TypeId, name: string): Search {
  type Open = {
    readonly members: ReturnType<typeof membersOf>;
    readonly id: TypeId;
    /** Step that leads to this type; null for the root. */
    readonly step: FollowedStep | null;
    next: number;
  };
  const names: string[] = [];
  const seen = new Set<TypeId>([root]);
  const open = (id: TypeId, step: FollowedStep | null): Open => ({
    members: membersOf(t, id),
    id,
    step,
    next: 0,
  });
  const stack = [open(root, null)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const member = top.members[top.next];
    if (member === undefined || names.length > MAX_MEMBERS) {
      stack.pop();
      continue;
    }
    top.next += 1;
    const step = { container: top.id, index: member.index, name: member.name, type: member.type };
    if (member.name === name) {
      const path = stack.map((entry) => entry.step).filter((entry) => entry !== null);
      return { path: [...path, step], names };
    }
    if (member.name !== '') {
      names.push(member.name);
      continue;
    }
    const inner = skipModifiers(t, member.type);
    if (!isComposite(kindOf(t, inner)) || seen.has(inner)) continue;
    seen.add(inner);
    stack.push(open(inner, step));
  }
  return { path: null, names };
}

const MAX_SHOWN = 5;
/** Maximum characters of a name that are compared. */
const MAX_COMPARED = 128;

/** Returns up to MAX_SHOWN of `names`, each once, that are similar to `wanted`, nearest first. */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const distance = name === '' ? null : distanceBetween(wanted, name);
    if (distance !== null) near.push({ name, distance });
  }
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, MAX_SHOWN).map(({ name }) => name);
}

/** Returns the distance between two names; null if they have nothing in common. */
function distanceBetween(wanted: string, name: string): number | null {
  const [a, b] = [plain(wanted), plain(name)];
  if (a === b) return 0;
  const difference = Math.abs(a.length - b.length);
  // One name is part of the other, as after a change of prefix: i_atime, __i_atime.
  const contained = Math.min(a.length, b.length) >= 3 && (a.includes(b) || b.includes(a));
  if (contained) return 1 + difference / 100 + (b.startsWith(a) ? 0 : 0.5);
  const maxEdits = Math.floor(Math.max(a.length, b.length) / 3);
  const edits = difference > maxEdits ? maxEdits + 1 : editDistance(a, b);
  return edits > maxEdits ? null : 2 + edits;
}

/** Returns a name without leading underscores and in lower case, for comparison. */
function plain(name: string): string {
  return name.slice(0, MAX_COMPARED).replace(/^_+/, '').toLowerCase();
}

/** Returns the number of changes, gaps and swaps between names (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
