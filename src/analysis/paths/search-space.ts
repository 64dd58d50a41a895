/**
 * The graph of one question: the nodes of the index, its sources and its endings.
 *
 * States are numbers: the nodes; then a state for each source, so that a path may come
 * back to the type it began with where that is the goal; then one for each node that a
 * container_of begins at, which only pointers lead to. Moves are numbers, too, so that
 * two members that lead to the same type are two moves.
 */
import { MinHeap } from './min-heap.ts';
import type { PathGoal } from './path-goal.ts';
import type { PathIndex } from './path-index.ts';

export const START = -1;
export const END = -2;

export type FoundPath = {
  /** Number of the source that it begins at. */
  readonly source: number;
  /** Arcs of the index. */
  readonly arcs: readonly number[];
  /** Number of the ending. */
  readonly ending: number;
  readonly weight: number;
};

/** Told of each move from a state: its number, where it leads, what it costs. */
export type VisitMove = (move: number, to: number, weight: number) => void;

export class SearchSpace {
  /** States without START and END. */
  readonly stateCount: number;
  readonly #index: PathIndex;
  readonly #sources: readonly number[];
  readonly #goal: PathGoal;
  readonly #nodeCount: number;
  /** Nodes with a state of their own for "a pointer led here", in the order of these states. */
  readonly #pointed: readonly number[];
  readonly #pointedRow: ReadonlyMap<number, number>;
  /** Numbers of the endings at each state of a node or of a pointer. */
  readonly #endingsAt: ReadonlyMap<number, readonly number[]>;
  /** Cost of the cheapest path from each state to the goal, whatever it visits. */
  readonly #away: Float64Array;

  constructor(index: PathIndex, sources: readonly number[], goal: PathGoal) {
    this.#index = index;
    this.#sources = sources;
    this.#goal = goal;
    this.#nodeCount = index.ids.length;
    this.#pointed = [...new Set(goal.endings.filter((e) => e.byPointer).map((e) => e.at))];
    this.#pointedRow = new Map(this.#pointed.map((node, row) => [node, row]));
    this.stateCount = this.#nodeCount + sources.length + this.#pointed.length;
    const endingsAt = new Map<number, number[]>();
    goal.endings.forEach(({ at, byPointer }, number) => {
      const state = byPointer ? (this.#pointedState(at) ?? START) : at;
      const known = endingsAt.get(state);
      if (known === undefined) endingsAt.set(state, [number]);
      else known.push(number);
    });
    this.#endingsAt = endingsAt;
    this.#away = this.#measure();
  }

  /** What the cheapest path from `state` to the goal costs at least; Infinity where there is none. */
  away(state: number): number {
    return state === END ? 0 : (this.#away[state] ?? Infinity);
  }

  /** The node that must not be visited again when `state` is on the path; -1 where none must. */
  alsoTaken(state: number): number {
    const node = this.#sources[state - this.#nodeCount] ?? -1;
    return node >= 0 && !this.#goal.stops.has(node) ? node : -1;
  }

  forEachMove(state: number, visit: VisitMove): void {
    if (state === START) {
      this.#sources.forEach((node, i) => {
        visit(2 * i, this.#nodeCount + i, 0);
        const pointed = this.#pointedState(node);
        if (pointed !== null) visit(2 * i + 1, pointed, 0);
      });
      return;
    }
    const source = this.#sources[state - this.#nodeCount];
    const node = source ?? state;
    // The type that is asked for is no answer to itself, and no path goes on from it.
    const isAnswer = source !== undefined && this.#goal.stops.has(source);
    for (const number of isAnswer ? [] : (this.#endingsAt.get(node) ?? [])) {
      visit(-1 - number, END, this.#goal.endings[number]?.weight ?? 0);
    }
    if (node >= this.#nodeCount || (source === undefined && this.#goal.stops.has(node))) return;
    const { starts, to, pointers, weight } = this.#index;
    const end = starts[node + 1] ?? 0;
    for (let arc = starts[node] ?? 0; arc < end; arc++) {
      const next = to[arc] ?? 0;
      visit(2 * arc, next, weight[arc] ?? 0);
      const pointed = pointers[arc] === 0 ? null : this.#pointedState(next);
      if (pointed !== null) visit(2 * arc + 1, pointed, weight[arc] ?? 0);
    }
  }

  /** The path that these moves make: from START to END. */
  pathOf(moves: readonly number[], weight: number): FoundPath {
    const [first = 0, ...others] = moves;
    const last = others.pop() ?? -1;
    return { source: first >> 1, arcs: others.map((move) => move >> 1), ending: -1 - last, weight };
  }

  #pointedState(node: number): number | null {
    const row = this.#pointedRow.get(node);
    return row === undefined ? null : this.#nodeCount + this.#sources.length + row;
  }

  /** Dijkstra's path from the endings backwards. */
  #measure(): Float64Array {
    const { into, intoArcs, from, pointers, weight } = this.#index;
    const away = new Float64Array(this.stateCount).fill(Infinity);
    const done = new Uint8Array(this.stateCount);
    const heap = new MinHeap();
    const reach = (state: number, cost: number) => {
      if (cost >= (away[state] ?? 0)) return;
      away[state] = cost;
      heap.push(cost, state);
    };
    for (const [state, numbers] of this.#endingsAt) {
      for (const number of numbers) reach(state, this.#goal.endings[number]?.weight ?? 0);
    }
    for (let state = heap.pop(); state >= 0; state = heap.pop()) {
      if (done[state] === 1) continue;
      done[state] = 1;
      const pointedNode = this.#pointed[state - this.#nodeCount - this.#sources.length];
      const node = pointedNode ?? state;
      const cost = away[state] ?? 0;
      const end = into[node + 1] ?? 0;
      for (let i = into[node] ?? 0; i < end; i++) {
        const arc = intoArcs[i] ?? 0;
        if (pointedNode !== undefined && pointers[arc] === 0) continue;
        reach(from[arc] ?? 0, cost + (weight[arc] ?? 0));
      }
    }
    this.#sources.forEach((_, i) => {
      const state = this.#nodeCount + i;
      this.forEachMove(state, (_move, to, cost) => {
        const rest = to === END ? 0 : (away[to] ?? Infinity);
        away[state] = Math.min(away[state] ?? Infinity, cost + rest);
      });
    });
    return away;
  }
}
