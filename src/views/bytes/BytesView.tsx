import { placesReady } from '#analysis/code/places-ready.ts';
import { entriesByRole, relocationCountsRun } from '#analysis/relocations/sections.ts';
import { regionPiecesRun } from '#analysis/structure/regions.ts';
import { Derived, type Steps } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { useActive } from '#store/hooks.ts';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import { BytesPanel } from './BytesPanel.tsx';
import { sectionPlacesRun } from './section-places.ts';

/** The bytes of the file, section by section, with what relocations change in them. */
export function BytesView() {
  const active = useActive();
  if (active === null) return null;
  const { id, model } = active;
  return (
    <WhenReady model={model} run={bytesReady.runOf(model)}>
      {() => <BytesPanel key={id} active={active} />}
    </WhenReady>
  );
}

/** What marks and owners are found by. */
const bytesReady = new Derived(function* (model: ObjectModel): Steps<true> {
  yield* placesReady.runOf(model).join();
  yield* sectionPlacesRun(model.sections).join();
  yield* regionPiecesRun(model).join();
  yield* entriesByRole.runOf(model).join();
  yield* relocationCountsRun(model).join();
  return true;
});
