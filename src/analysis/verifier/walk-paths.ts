/** The paths of a walk as a tree: a log of level 2 has all that the verifier took. */
import type { Prune, Walk } from './walk.ts';

export type WalkPath = {
  /** First and last step: all steps between them are of this path. */
  readonly first: number;
  readonly last: number;
  /** Step of another path whose branch led here; -1 for the start of a function, or if it is lost. */
  readonly parent: number;
  /** How it ends: `open` for the last path of a log, where the walk stopped. */
  readonly end: 'exit' | 'pruned' | 'open';
  readonly prune: Prune | null;
};

/** Returns the paths of a walk, in the order in which they were taken. */
export function walkPaths(walk: Walk): readonly WalkPath[] {
  const pruned = new Map(walk.prunes.map((prune) => [prune.parent, prune]));
  const paths: WalkPath[] = [];
  let first = 0;
  for (let step = 1; step <= walk.stepCount; step++) {
    if (step < walk.stepCount && walk.parentOf(step) === step - 1) continue;
    const last = step - 1;
    const prune = pruned.get(last) ?? null;
    const isExit = walk.textOf(last)?.form === 'exit' && walk.frameOf(last) === 0;
    const end = prune !== null ? 'pruned' : isExit ? 'exit' : 'open';
    paths.push({ first, last, parent: walk.parentOf(first) ?? -1, end, prune });
    first = step;
  }
  return paths;
}
