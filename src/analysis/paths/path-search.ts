/**
 * The k cheapest paths through the graph of an index that visit no type twice.
 *
 * First what each node is away from the goal (Dijkstra, backwards); that guides all
 * searches after it (A*), which look at little more than the paths they find. The
 * alternatives are Yen's in Lawler's form: each path found splits what is left into
 * parts (a beginning, and steps that must not follow it), and the best path of each
 * part waits in a queue. Exact, and bounded: see `Search.complete`.
 */

import type { PathGoal } from './path-goal.ts';
import type { PathIndex } from './path-index.ts';
import { type FoundPath, SearchSpace, START } from './search-space.ts';
import { type Beginning, ShortestPath } from './shortest-path.ts';

export type Search = {
  /** The cheapest first. */
  readonly paths: readonly FoundPath[];
  /** False when the search was cut, since it took too long: there may be others, and better ones. */
  readonly complete: boolean;
};

/** The best of a part: of all paths that begin with `fixed` of its moves and do not go on by a `closed` one. */
type Candidate = Beginning & { readonly fixed: number; readonly closed: ReadonlySet<number> };

/** At most `limit` paths from any of `sources` (nodes) to the goal. */
export function searchPaths(
  index: PathIndex,
  sources: readonly number[],
  goal: PathGoal,
  limit: number,
): Search {
  const space = new SearchSpace(index, sources, goal);
  const finder = new ShortestPath(space);
  const paths: FoundPath[] = [];
  // The cheapest first; never more than are wanted yet.
  let waiting: Candidate[] = [];
  const look = (beginning: Beginning, closed: ReadonlySet<number>) => {
    const wanted = limit - paths.length;
    const bound = weightOf(waiting[wanted - 1]);
    const found = finder.best(beginning, closed, bound);
    if (found === null) return;
    const candidate = { ...found, fixed: beginning.moves.length, closed };
    const at = waiting.findIndex((other) => weightOf(other) > weightOf(candidate));
    waiting.splice(at < 0 ? waiting.length : at, 0, candidate);
    waiting = waiting.slice(0, wanted);
  };
  if (limit > 0) look({ moves: [], states: [START], weights: [0] }, new Set());
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    paths.push(space.pathOf(next.moves, weightOf(next)));
    if (paths.length >= limit) break;
    for (let at = next.fixed; at < next.moves.length; at++) {
      const move = next.moves[at];
      if (move === undefined) break;
      look(upTo(next, at), new Set(at === next.fixed ? [...next.closed, move] : [move]));
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
