/**
 * Pairs of types and their dependencies, in cycles and at any depth.
 *
 * A pair is changed *directly* if its records differ, including those of unnamed types in its
 * declaration. It is changed *inside* if only a named type that it contains by value differs. Types
 * behind a pointer are compared by kind and name.
 */
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, lastId } from '#model/type-table.ts';
import { sameRecord } from './record-shape.ts';
import { NoKey, type Sides } from './side.ts';

export type Verdict = 'same' | 'inside' | 'direct';

/** Effect of a changed pair on a pair that depends on it. */
const Edge = {
  /** A named type contained by value: its change is a change inside the dependent pair. */
  holds: 0,
  /** An unnamed type in the declaration: its change is a direct change of the dependent pair. */
  spells: 1,
  /** An unnamed type behind a pointer: only its direct change affects the dependent pair. */
  spellsPointed: 2,
} as const;

/** Maximum number of types of A in `#firstB`, as many as a hundred kernels have. */
const MAX_LISTED = 1 << 24;

/** Maximum number of pairs that are not in `#firstB`. Further pairs count as changed directly. */
const MAX_FURTHER_PAIRS = 1 << 20;

const SAME = 0;
const INSIDE = 1;
const DIRECT = 2;

const WORDS: readonly Verdict[] = ['same', 'inside', 'direct'];

export class PairGraph {
  readonly sides: Sides;
  readonly #isOneTable: boolean;
  readonly #stride: number;
  /** By type of A: its first partner in B, and the pair's node + 1. Most types have one partner. */
  readonly #firstB: Uint32Array;
  readonly #firstNode: Uint32Array;
  /** Nodes of the pairs that are not in `#firstB`. */
  readonly #nodes = new Map<number, number>();
  readonly #a: number[] = [];
  readonly #b: number[] = [];
  readonly #state: number[] = [];
  /** By node: the pair whose direct change causes the node's change inside. */
  readonly #cause: number[] = [];
  /** The edges of node n are the elements from `#edgeStart[n]` to `#edgeStart[n + 1]`. */
  readonly #edgeStart: number[] = [0];
  readonly #edgeTo: number[] = [];
  readonly #edgeHow: number[] = [];
  /** By node: number of the edge to the node that this round added most recently; 0 for none. */
  #lastEdge = new Uint32Array(0);
  /** Number of settled nodes: their verdicts are final. Settled nodes come first. */
  #settled = 0;

  constructor(sides: Sides) {
    this.sides = sides;
    this.#isOneTable = sides.a.types === sides.b.types;
    this.#stride = lastId(sides.b.types) + 1;
    const listed = Math.min(lastId(sides.a.types) + 1, MAX_LISTED);
    this.#firstB = new Uint32Array(listed);
    this.#firstNode = new Uint32Array(listed);
  }

  /** Adds a pair to the list of pairs to compare. */
  add(a: TypeId, b: TypeId): void {
    this.#nodeOf(a, b);
  }

  /** Compares up to `limit` pairs from the list. Returns false once the list is empty. */
  work(limit: number): boolean {
    for (let left = limit; left > 0; left--) {
      const node = this.#edgeStart.length - 1;
      if (node >= this.#a.length) return false;
      this.#compareNode(node);
    }
    return this.#edgeStart.length - 1 < this.#a.length;
  }

  /** Number of compared pairs, and of all pairs added so far. */
  get progress(): { readonly done: number; readonly total: number } {
    return { done: this.#edgeStart.length - 1, total: this.#a.length };
  }

  /** Returns the verdict of a pair, after comparing all pairs on the list. */
  verdictOf(a: TypeId, b: TypeId): Verdict {
    return WORDS[this.#stateOf(a, b)] ?? 'same';
  }

  /** Returns true if references to `a` and `b` look the same in C; contents are ignored. */
  isSameReference(a: TypeId, b: TypeId): boolean {
    const key = this.sides.a.keyOf(a);
    if (key !== this.sides.b.keyOf(b)) return false;
    return key !== NoKey.unkeyed || this.#stateOf(a, b) !== DIRECT;
  }

  /** Returns true if a type inside of `a` and `b`, which look the same in C, is changed. */
  isChangedInside(a: TypeId, b: TypeId): boolean {
    const key = this.sides.a.keyOf(a);
    if (key === NoKey.void || key === NoKey.missing || key !== this.sides.b.keyOf(b)) return false;
    const state = this.#stateOf(a, b);
    return key === NoKey.unkeyed ? state === INSIDE : state !== SAME;
  }

  /** Returns the pair whose direct change makes this pair changed inside, or null. */
  causeOf(a: TypeId, b: TypeId): { readonly a: TypeId; readonly b: TypeId } | null {
    if (this.#stateOf(a, b) !== INSIDE) return null;
    const cause = this.#cause[this.#nodeOf(a, b)] ?? -1;
    const [causeA, causeB] = [this.#a[cause], this.#b[cause]];
    return causeA === undefined || causeB === undefined
      ? null
      : { a: typeId(causeA), b: typeId(causeB) };
  }

  #stateOf(a: TypeId, b: TypeId): number {
    if (this.#isOneTable && a === b) return SAME;
    const node = this.#nodeOf(a, b);
    if (node < 0) return DIRECT;
    if (node >= this.#settled) {
      while (this.work(Number.MAX_SAFE_INTEGER));
      this.#settle();
    }
    return this.#state[node] ?? SAME;
  }

  /** Returns the node of a pair, which is added if it is new; -1 at the limit of pairs. */
  #nodeOf(a: TypeId, b: TypeId): number {
    const first = this.#firstNode[a];
    if (first !== undefined && first > 0 && this.#firstB[a] === b) return first - 1;
    const node = this.#a.length;
    if (first === 0) {
      this.#firstB[a] = b;
      this.#firstNode[a] = node + 1;
    } else {
      const key = a * this.#stride + b;
      const known = this.#nodes.get(key);
      if (known !== undefined) return known;
      if (this.#nodes.size >= MAX_FURTHER_PAIRS) return -1;
      this.#nodes.set(key, node);
    }
    this.#a.push(a);
    this.#b.push(b);
    this.#state.push(SAME);
    this.#cause.push(-1);
    return node;
  }

  #compareNode(node: number): void {
    const a = typeId(this.#a[node] ?? 0);
    const b = typeId(this.#b[node] ?? 0);
    const isSame = sameRecord(this.sides, a, b, (x, y, isPointed) => this.#refer(x, y, isPointed));
    if (!isSame) this.#state[node] = DIRECT;
    this.#edgeStart.push(this.#edgeTo.length);
  }

  #refer(a: TypeId, b: TypeId, isPointed: boolean): boolean {
    const { sides } = this;
    if (this.#isOneTable && a === b) return true;
    const key = sides.a.keyOf(a);
    if (key !== sides.b.keyOf(b)) return false;
    if (key === NoKey.void || key === NoKey.missing) return true;
    if (key === NoKey.unkeyed) {
      if (kindOf(sides.a.types, a) !== kindOf(sides.b.types, b)) return false;
      return this.#edge(a, b, isPointed ? Edge.spellsPointed : Edge.spells);
    }
    return isPointed || this.#edge(a, b, Edge.holds);
  }

  /** Adds an edge to a pair. Returns false at the limit of pairs. */
  #edge(a: TypeId, b: TypeId, how: number): boolean {
    const node = this.#nodeOf(a, b);
    if (node < 0) return false;
    this.#edgeTo.push(node);
    this.#edgeHow.push(how);
    return true;
  }

  /** Propagates changes from new pairs to dependent pairs. Settled pairs depend on no new pair. */
  #settle(): void {
    const first = this.#settled;
    const parents = this.#parentsFrom(first);
    this.#settled = this.#a.length;
    this.#carry(parents, first, DIRECT, (how) => how !== Edge.holds);
    this.#carry(parents, first, INSIDE, (how) => how !== Edge.spellsPointed);
    const { firstEdge, next } = parents;
    for (let i = 0; i < next.length; i++) this.#lastEdge[this.#edgeTo[firstEdge + i] ?? 0] = 0;
  }

  #carry(parents: Parents, first: number, to: number, passes: (how: number) => boolean): void {
    const { firstEdge, next, from } = parents;
    const queue: number[] = [];
    for (let node = first; node < this.#a.length; node++) {
      if ((this.#state[node] ?? SAME) >= to) queue.push(node);
    }
    for (const node of parents.settledChildren) {
      if ((this.#state[node] ?? SAME) >= to) queue.push(node);
    }
    // A directly changed pair also makes the pairs that contain it changed inside.
    for (let at = 0; at < queue.length; at++) {
      const child = queue[at] ?? 0;
      const cause = this.#state[child] === DIRECT ? child : (this.#cause[child] ?? -1);
      for (let edge = this.#lastEdge[child] ?? 0; edge > 0; edge = next[edge - 1] ?? 0) {
        const parent = from[edge - 1] ?? 0;
        const how = this.#edgeHow[firstEdge + edge - 1] ?? 0;
        if (!passes(how) || (this.#state[parent] ?? SAME) >= to) continue;
        this.#state[parent] = to;
        if (to === INSIDE) this.#cause[parent] = cause;
        queue.push(parent);
      }
    }
  }

  #parentsFrom(first: number): Parents {
    if (this.#lastEdge.length < this.#a.length) {
      // All elements are 0 between two rounds.
      this.#lastEdge = new Uint32Array(2 * this.#a.length);
    }
    const firstEdge = this.#edgeStart[first] ?? 0;
    const edges = this.#edgeTo.length - firstEdge;
    const next = new Uint32Array(edges);
    const from = new Uint32Array(edges);
    const settledChildren: number[] = [];
    for (let node = first; node < this.#a.length; node++) {
      const end = (this.#edgeStart[node + 1] ?? 0) - firstEdge;
      for (let edge = (this.#edgeStart[node] ?? 0) - firstEdge; edge < end; edge++) {
        const child = this.#edgeTo[firstEdge + edge] ?? 0;
        const before = this.#lastEdge[child] ?? 0;
        if (before === 0 && child < first) settledChildren.push(child);
        next[edge] = before;
        from[edge] = node;
        this.#lastEdge[child] = edge + 1;
      }
    }
    return { firstEdge, next, from, settledChildren };
  }
}

/** Edges of one round as linked lists by target. Edge numbers count from 1; 0 ends a list. */
type Parents = {
  readonly firstEdge: number;
  /** Previous edge to the same pair; 0 if the edge is the first. */
  readonly next: Uint32Array;
  readonly from: Uint32Array;
  /** Settled pairs that new pairs depend on. */
  readonly settledChildren: number[];
};
