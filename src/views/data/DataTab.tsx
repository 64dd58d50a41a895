import { Variable } from 'lucide-react';
import { dataSymbolsRun } from '#analysis/values/variables.ts';
import { Derived, type Steps } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Active } from '#store/hooks.ts';
import { useActive } from '#store/hooks.ts';
import { useViewParam } from '#store/view-state.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import styles from './DataTab.module.css';
import { DataToolbar } from './DataToolbar.tsx';
import { dataSectionsShown } from './data-entries.ts';
import { hasTypes, modeOf } from './data-modes.ts';
import { DecodePanel } from './decode/DecodePanel.tsx';
import { noData } from './no-data.ts';
import { useData } from './use-data.ts';
import { ValuesPanel } from './ValuesPanel.tsx';

/** What the file holds as data, read by type: variables, maps, externs; and any bytes a person has. */
export function DataTab() {
  const active = useActive();
  if (active === null) return null;
  const { id, model } = active;
  return (
    <WhenReady model={model} run={dataReady.runOf(model)}>
      {() => <DataParts key={id} active={active} />}
    </WhenReady>
  );
}

/** What the groups are made of. */
const dataReady = new Derived(function* (model: ObjectModel): Steps<true> {
  yield* dataSymbolsRun(model).join();
  yield* dataSectionsShown.runOf(model).join();
  return true;
});

function DataParts({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const mode = modeOf(model, useViewParam(id, 'data', 'mode'));
  const data = useData(id, model);
  const isEmpty = data.groups.length === 0;
  return (
    <div className={styles.tab}>
      {hasTypes(model) ? <DataToolbar mode={mode} /> : <span />}
      <div className={styles.part}>
        {mode === 'decode' ? (
          <DecodePanel active={active} data={data} />
        ) : isEmpty ? (
          <EmptyState icon={<Variable size={28} aria-hidden />} {...noData(model)} />
        ) : (
          <ValuesPanel active={active} data={data} />
        )}
      </div>
    </div>
  );
}
