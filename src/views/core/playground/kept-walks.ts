/** The way that was tried out in each file, so that it is still there after a look at another view. */
import type { ObjectModel } from '#model/object-model.ts';
import type { Walk } from './walk-state.ts';

const kept = new WeakMap<ObjectModel, Walk>();

/** The way last kept for this file; null where there is none. */
export function keptWalk(model: ObjectModel): Walk | null {
  return kept.get(model) ?? null;
}

/** Keeps it for as long as the file is open. */
export function keepWalk(model: ObjectModel, walk: Walk): void {
  kept.set(model, walk);
}
