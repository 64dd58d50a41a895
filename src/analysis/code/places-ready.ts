/** Builds the offset indexes that the views of code, bytes and relocations use, in slices. */
import { functionsRun } from '#analysis/objects/functions.ts';
import { namedSymbolsRun } from '#analysis/objects/symbol-places.ts';
import { relocationIndexRun } from '#analysis/relocations/by-place.ts';
import { Derived, type Steps } from '#bytes/long-work.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** Builds the indexes of functions, symbols and relocations. Later lookups do not block. */
export const placesReady = new Derived(function* (model: ObjectModel): Steps<true> {
  yield* functionsRun(model).join();
  yield* namedSymbolsRun(model).join();
  yield* relocationIndexRun(model).join();
  return true;
});
