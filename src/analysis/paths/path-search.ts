/**
 * Finds the k cheapest paths in a path index that visit no type twice. A Dijkstra search backwards
 * from the goal gives distances that guide the other searches (A*). Yen's algorithm in Lawler's
 * form finds further paths: each path splits the remaining paths into parts by a fixed beginning
 * and forbidden next moves. The cheapest path of each part waits in a queue. The result is exact
 * unless a limit is reached: see `complete`.
 */
import { addTo } from '#bytes/cache.ts';
import { MinHeap } from './min-heap.ts';
import type { PathGoal } from './path-goal.ts';
import type { PathIndex } from './path-index.ts';

export type Search = {
  /** Paths, cheapest first. */
  readonly paths: readonly FoundPath[];
  /** False if the search stopped at its limit: more paths, even cheaper paths, may exist. */
  readonly complete: boolean;
};

/** Cheapest path of a part. All paths of a part share the first `fixed` moves; the next move is not in `closed`. */
type Candidate = Beginning & { readonly fixed: number; readonly closed: ReadonlySet<number> };

/** Returns at most `limit` paths from the nodes `sources` to the goal. */
export function searchPaths(
  index: PathIndex,
  sources: readonly number[],
  goal: PathGoal,
  limit: number,
): Search {
  const space = new SearchSpace(index, sources, goal);
  const finder = new ShortestPath(space);
  const paths: FoundPath[] = [];
  // Candidates, cheapest first. The list is no longer than the number of paths still to find.
  let waiting: Candidate[] = [];
  const search = (beginning: Beginning, closed: ReadonlySet<number>) => {
    const wanted = limit - paths.length;
    const bound = weightOf(waiting[wanted - 1]);
    const path = finder.best(beginning, closed, bound);
    if (path === null) return;
    const candidate = { ...path, fixed: beginning.moves.length, closed };
    const at = waiting.findIndex((other) => weightOf(other) > weightOf(candidate));
    waiting.splice(at < 0 ? waiting.length : at, 0, candidate);
    waiting = waiting.slice(0, wanted);
  };
  if (limit > 0) search({ moves: [], states: [START], weights: [0] }, new Set());
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    paths.push(space.pathOf(next.moves, weightOf(next)));
    if (paths.length >= limit) break;
    for (let at = next.fixed; at < next.moves.length; at++) {
      const move = next.moves[at];
      if (move === undefined) break;
      search(upTo(next, at), new Set(at === next.fixed ? [...next.closed, move] : [move]));
    }
  }
  return { paths, complete: !finder.wasCut };
}

function upTo({ moves, states, weights }: Beginning, count: number): Beginning {
  return {
    moves: moves.slice(0, count),
    states: states.slice(0, count + 1),
    weights: weights.slice(0, count + 1),
  };
}

function weightOf(candidate: Beginning | undefined): number {
  return candidate?.weights.at(-1) ?? Infinity;
}

/** Beginning of a path: moves, the states they connect, and the cost up to each state. */
type Beginning = {
  readonly moves: readonly number[];
  readonly states: readonly number[];
  readonly weights: readonly number[];
};

/** Maximum number of moves that a search visits; in a kernel, it visits some ten thousand. */
const MAX_VISITED_MOVES = 4_000_000;
/** Maximum number of moves in a path. */
const MAX_MOVES = 512;

/** Finds the cheapest path to the goal by A*, guided by the distance of each state. */
class ShortestPath {
  /** True if a search stopped at its limit. */
  wasCut = false;
  readonly #space: SearchSpace;
  readonly #heap = new MinHeap();
  /** Cost by state, at index `#row`. Valid if `#seen` has the number of the current search. */
  readonly #weight: Float64Array;
  readonly #before: Int32Array;
  readonly #move: Float64Array;
  readonly #seen: Uint32Array;
  readonly #closed: Uint32Array;
  #search = 0;
  #visitedMoves = 0;

  constructor(space: SearchSpace) {
    const rows = space.stateCount + 2;
    this.#space = space;
    this.#weight = new Float64Array(rows);
    this.#before = new Int32Array(rows);
    this.#move = new Float64Array(rows);
    this.#seen = new Uint32Array(rows);
    this.#closed = new Uint32Array(rows);
  }

  /** Returns the cheapest continuation of `beginning` by a move not in `closed`; null if none costs under `bound`. */
  best(beginning: Beginning, closed: ReadonlySet<number>, bound: number): Beginning | null {
    this.#search++;
    this.#heap.clear();
    for (const state of beginning.states) this.#close(state);
    const first = beginning.states.at(-1) ?? START;
    this.#weight[this.#row(first)] = beginning.weights.at(-1) ?? 0;
    this.#expand(first, bound, (move) => closed.has(move));
    for (let row = this.#heap.pop(); row >= 0; row = this.#heap.pop()) {
      if (this.#closed[row] === this.#search) continue;
      const state = row - 2;
      if (state === END) return this.#followBack(beginning);
      this.#closed[row] = this.#search;
      if (this.#visitedMoves > MAX_VISITED_MOVES) {
        this.wasCut = true;
        return null;
      }
      this.#expand(state, bound, null);
    }
    return null;
  }

  /** Returns the array index of a state; END and START are negative and come first. */
  #row(state: number): number {
    return state + 2;
  }

  #close(state: number): void {
    this.#closed[this.#row(state)] = this.#search;
    const also = this.#space.alsoTaken(state);
    if (also >= 0) this.#closed[this.#row(also)] = this.#search;
  }

  #expand(state: number, bound: number, isClosed: ((move: number) => boolean) | null): void {
    const from = this.#weight[this.#row(state)] ?? 0;
    this.#space.forEachMove(state, (move, to, cost) => {
      this.#visitedMoves++;
      const row = this.#row(to);
      if (this.#closed[row] === this.#search || isClosed?.(move) === true) return;
      const weight = from + cost;
      const whole = weight + this.#space.away(to);
      if (!(whole < bound)) return;
      if (this.#seen[row] === this.#search && weight >= (this.#weight[row] ?? 0)) return;
      this.#seen[row] = this.#search;
      this.#weight[row] = weight;
      this.#before[row] = state;
      this.#move[row] = move;
      this.#heap.push(whole, row);
    });
  }

  #followBack({ moves, states, weights }: Beginning): Beginning | null {
    const last = states.at(-1) ?? START;
    const back: { readonly move: number; readonly state: number; readonly weight: number }[] = [];
    for (let state = END; state !== last; ) {
      const row = this.#row(state);
      back.push({ move: this.#move[row] ?? 0, state, weight: this.#weight[row] ?? 0 });
      if (back.length > MAX_MOVES) {
        this.wasCut = true;
        return null;
      }
      state = this.#before[row] ?? START;
    }
    back.reverse();
    return {
      moves: [...moves, ...back.map((step) => step.move)],
      states: [...states, ...back.map((step) => step.state)],
      weights: [...weights, ...back.map((step) => step.weight)],
    };
  }
}

const START = -1;
const END = -2;

type FoundPath = {
  /** Index in the list of sources. */
  readonly source: number;
  /** Arcs of the path index. */
  readonly arcs: readonly number[];
  /** Index in the list of endings. */
  readonly ending: number;
  readonly weight: number;
};

/** Callback for each move from a state: number, target state and cost of the move. */
type VisitMove = (move: number, to: number, weight: number) => void;

/**
 * The graph of one question: an index's nodes, plus sources and endings. States are numbered: first
 * the nodes; then a state per source, since a path may return to its first type if that type is the
 * goal; then a state per node at which container_of starts, reached only through pointers. Moves
 * are numbered, too, since two members of one type are different moves.
 */
class SearchSpace {
  /** Number of states without START and END. */
  readonly stateCount: number;
  readonly #index: PathIndex;
  readonly #sources: readonly number[];
  readonly #goal: PathGoal;
  readonly #nodeCount: number;
  /** Nodes with an extra state for arrival through a pointer, in the order of the extra states. */
  readonly #pointed: readonly number[];
  readonly #pointedRow: ReadonlyMap<number, number>;
  /** Endings by state. */
  readonly #endingsAt: ReadonlyMap<number, readonly number[]>;
  /** Cost from each state to the goal if types may repeat: a lower bound for real paths. */
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
      addTo(endingsAt, state, number);
    });
    this.#endingsAt = endingsAt;
    this.#away = this.#measure();
  }

  /** Returns a lower bound for the cost from `state` to the goal, or Infinity without a path. */
  away(state: number): number {
    return state === END ? 0 : (this.#away[state] ?? Infinity);
  }

  /** Returns the node that a path through `state` must not visit again, or -1. */
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
    // A path that starts at a wanted type does not end there. Other paths end at the first wanted
    // type.
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

  /** Returns the path made of `moves`, which lead from START to END. */
  pathOf(moves: readonly number[], weight: number): FoundPath {
    const [first = 0, ...others] = moves;
    const last = others.pop() ?? -1;
    return { source: first >> 1, arcs: others.map((move) => move >> 1), ending: -1 - last, weight };
  }

  #pointedState(node: number): number | null {
    const row = this.#pointedRow.get(node);
    return row === undefined ? null : this.#nodeCount + this.#sources.length + row;
  }

  /** Returns the cost from each state to the goal, by Dijkstra's algorithm from the endings. */
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
