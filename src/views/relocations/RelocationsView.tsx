import { useMemo } from 'react';
import { placesReady } from '#analysis/code/places-ready.ts';
import { relocationWord } from '#analysis/relocations/list.ts';
import { Run, type Steps } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Active, useActive } from '#store/hooks.ts';
import { showView } from '#store/navigation.ts';
import { viewsOf } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import { RelocationsPanel } from './RelocationsPanel.tsx';
import styles from './RelocationsView.module.css';
import { type FamilyGroup, relocationFamilySteps } from './relocation-groups.ts';

/** The relocations of the file: what is patched, where, and with what. */
export function RelocationsView() {
  const active = useActive();
  if (active === null) return null;
  const { model } = active;
  return (
    <div className="column tall">
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

/** CO-RE relocations are a different thing; this line links to them. */
function CoreLine({ count }: { readonly count: number }) {
  return (
    <div className={styles.line}>
      <span aria-hidden className={styles.mark} data-tone="reloc-3" />
      <p>
        CO-RE relocations are not ELF relocations: they are records of .BTF.ext, and libbpf applies
        them against the running kernel.{' '}
        {count === 0 ? 'This file has none.' : `This file has ${countOf(count, 'record')}.`}
      </p>
      {count === 0 ? null : (
        <Button size="small" onClick={() => showView('core')}>
          Show CO-RE
        </Button>
      )}
    </div>
  );
}

/** The text of the empty view. */
function noRelocationsText(model: ObjectModel): string {
  if (model.format === 'btf') {
    return 'A BTF blob has only types and strings: nothing for a linker or loader to patch.';
  }
  if (model.fileType === 'relocatable') {
    return 'No section has an entry: the code refers to no map, global variable or other function.';
  }
  return 'The linker has applied them already. Object files (.o) have them.';
}
