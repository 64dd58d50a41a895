/** What views of code, bytes and relocations ask of places while they draw: indices over the whole file, built in slices. */
import { functionsRun } from '#analysis/objects/functions.ts';
import { namedSymbolsRun } from '#analysis/objects/symbol-places.ts';
import { relocationIndexRun } from '#analysis/relocations/by-place.ts';
import { Derived, type Steps } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** Once it is done, functions, symbols and relocations are found by their place without a wait. */
export const placesReady = new Derived(function* (model: ObjectModel): Steps<true> {
  yield* functionsRun(model).join();
  yield* namedSymbolsRun(model).join();
  yield* relocationIndexRun(model).join();
  return true;
});
