/** The cheapest path from a beginning to the goal: A*, guided by what each state is away from it. */
import { MinHeap } from './min-heap.ts';
import { END, type SearchSpace, START } from './search-space.ts';

/** Moves, the states before, between and behind them, and what the path costs up to each state. */
export type Beginning = {
  readonly moves: readonly number[];
  readonly states: readonly number[];
  readonly weights: readonly number[];
};

/** Moves looked at for one question; a question on a kernel needs some ten thousand. */
const MAX_LOOKED_AT = 4_000_000;
/** Longer paths are no answer to anybody. */
const MAX_MOVES = 512;

export class ShortestPath {
  /** Was a search given up because it took too long? */
  wasCut = false;
  readonly #space: SearchSpace;
  readonly #heap = new MinHeap();
  /** By state, END last: valid where `#seen` has the number of this search. */
  readonly #weight: Float64Array;
  readonly #before: Int32Array;
  readonly #move: Float64Array;
  readonly #seen: Uint32Array;
  readonly #closed: Uint32Array;
  #search = 0;
  #lookedAt = 0;

  constructor(space: SearchSpace) {
    const rows = space.stateCount + 2;
    this.#space = space;
    this.#weight = new Float64Array(rows);
    this.#before = new Int32Array(rows);
    this.#move = new Float64Array(rows);
    this.#seen = new Uint32Array(rows);
    this.#closed = new Uint32Array(rows);
  }

  /**
   * Continues `beginning` by none of the `closed` moves to the goal, visiting no state
   * twice; null where that cannot be done for less than `bound`.
   */
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
      if (this.#lookedAt > MAX_LOOKED_AT) {
        this.wasCut = true;
        return null;
      }
      this.#expand(state, bound, null);
    }
    return null;
  }

  /** Rows of the arrays: END and START come before the states. */
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
      this.#lookedAt++;
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
