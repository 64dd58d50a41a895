import { useMemo } from 'react';
import { placesReady } from '#analysis/code/places-ready.ts';
import { relocationWord } from '#analysis/relocations/list.ts';
import { Run, type Steps } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { viewsOf } from '#store/views-of.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import { CoreLine } from './CoreLine.tsx';
import { noRelocationsText } from './no-relocations.ts';
import { RelocationsPanel } from './RelocationsPanel.tsx';
import styles from './RelocationsView.module.css';
import { type FamilyGroup, relocationFamilySteps } from './relocation-groups.ts';

/** The relocations of the file: what is patched, where, and with what. */
export function RelocationsView() {
  const active = useActive();
  if (active === null) return null;
  const { model } = active;
  return (
    <div className={styles.view}>
      {viewsOf(model).includes('core') ? <CoreLine count={model.ext.core.count} /> : null}
      {model.relocations.count === 0 ? (
        <EmptyState title={`No ${relocationWord(model)}s`} text={noRelocationsText(model)} />
      ) : (
        <Entries key={active.id} active={active} />
      )}
    </div>
  );
}

function Entries({ active }: { readonly active: Active }) {
  const { model } = active;
  const run = useMemo(() => new Run(readyFamilies(model)), [model]);
  return (
    <WhenReady model={model} run={run}>
      {(families) => <RelocationsPanel active={active} families={families} />}
    </WhenReady>
  );
}

/** The families, and whatever a row of the table asks for. */
function* readyFamilies(model: ObjectModel): Steps<FamilyGroup[]> {
  yield* placesReady.runOf(model).join();
  return yield* relocationFamilySteps(model);
}
