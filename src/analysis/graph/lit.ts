/** The graph rows and edges that the selection highlights, in path order. */
import { walkAccess } from '#analysis/core/parse-spec.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberAt } from '#model/type-items.ts';
import { kindOf, nameOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import type { Forced } from './entries.ts';
import { follow } from './graph-path.ts';

export type LitStep = {
  readonly type: TypeId;
  /** Member indices, starting at the node; empty for the node itself. */
  readonly path: readonly number[];
  /** Node at the end of the member's edge; null for a scalar. */
  readonly to: TypeId | null;
  /** Range of indices in the access string or member path that the step stands for. */
  readonly first: number;
  readonly last: number;
};

/** Returns the highlighted steps of a member path that starts at `type`. */
export function litByMembers(t: TypeTable, type: TypeId, memberPath: readonly number[]): LitStep[] {
  const walk = new Walk(t, type);
  let at = skipModifiers(t, type);
  for (const [i, index] of memberPath.entries()) {
    const member = memberAt(t, at, index);
    if (member === null) break;
    walk.member(index, member.type, i);
    at = skipModifiers(t, member.type);
  }
  return walk.steps;
}

/** Returns the steps of a CO-RE access string. Its first index stands for the node of `root`. */
export function litByAccess(
  t: TypeTable,
  root: TypeId,
  accessStr: string,
  kind: number,
): LitStep[] {
  const walk = new Walk(t, nodeOf(t, root));
  for (const [i, { means, index, type }] of walkAccess(t, root, accessStr, kind).steps.entries()) {
    if (means === 'member' || means === 'anonymous-member') walk.member(index, type, i);
    else if (means === 'array-element') walk.element(i);
    else walk.whole(i);
  }
  return walk.steps;
}

/** Returns the node that a type leads to, or the type itself if there is none. */
export function nodeOf(t: TypeTable, type: TypeId): TypeId {
  return follow(t, type).to ?? type;
}

class Walk {
  readonly steps: LitStep[] = [];
  readonly #types: TypeTable;
  #node: TypeId;
  #path: readonly number[] = [];

  constructor(types: TypeTable, node: TypeId) {
    this.#types = types;
    this.#node = node;
  }

  whole(i: number): void {
    this.steps.push({ type: this.#node, path: [], to: null, first: i, last: i });
  }

  member(index: number, type: TypeId, i: number): void {
    const path = [...this.#path, index];
    const { to, behindPointer } = this.#edgeOf(type);
    this.steps.push({ type: this.#node, path, to, first: i, last: i });
    const isEntered = to !== null && !behindPointer;
    this.#node = isEntered ? to : this.#node;
    this.#path = isEntered ? [] : path;
  }

  /** Returns the target of a member's edge. A member that is an anonymous struct has no edge. */
  #edgeOf(type: TypeId): { readonly to: TypeId | null; readonly behindPointer: boolean } {
    const { to, behindPointer } = follow(this.#types, type);
    const isInlined =
      to !== null &&
      !behindPointer &&
      isComposite(kindOf(this.#types, to)) &&
      nameOf(this.#types, to) === '';
    return { to: isInlined ? null : to, behindPointer };
  }

  /** Adds an array element's index to the step of the array: an element has no edge of its own. */
  element(i: number): void {
    const array = this.steps.pop();
    if (array !== undefined) this.steps.push({ ...array, last: i });
  }
}

/** Returns the members that must have rows to show the steps. */
export function forcedBy(steps: readonly LitStep[]): Forced[] {
  return steps
    .filter(({ path }) => path.length > 0)
    .map(({ type, path }) => ({ type, path: [...path] }));
}

/** Returns the types that must be expanded to show the edges of the steps. */
export function pathTypes(steps: readonly LitStep[]): number[] {
  return [...new Set(steps.filter(({ to }) => to !== null).map(({ type }) => type))];
}
