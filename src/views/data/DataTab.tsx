import { Variable } from 'lucide-react';
import { useMemo, useState } from 'react';
import { dataSymbolsRun } from '#analysis/values/variables.ts';
import { Derived, type Steps } from '#bytes/long-work.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { type Active, useActive } from '#store/session/hooks.ts';
import { Segmented } from '#ui/inputs.tsx';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { WhenReady } from '#views/parts/WhenReady.tsx';
import type { DetailProps } from './DataArticle.tsx';
import { DataListPane } from './DataListPane.tsx';
import styles from './DataTab.module.css';
import { DecodePanel } from './DecodePanel.tsx';
import { type Data, dataSectionsShown, useData } from './data-entries.ts';
import { ExternDetail } from './ExternDetail.tsx';
import { MapDetail } from './MapDetail.tsx';
import { DataSummary, SectionDetail } from './SectionDetail.tsx';
import { isExtern, type SelectedData, selectedData } from './selected-data.ts';
import { dataState } from './state.ts';
import { VariableDetail } from './VariableDetail.tsx';

/** Shows variables, maps and externs with their values, and a decoder for other bytes. */
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

/** Prepares the indexes from which the list of data is built. */
const dataReady = new Derived(function* (model: ObjectModel): Steps<true> {
  yield* dataSymbolsRun(model).join();
  yield* dataSectionsShown.runOf(model).join();
  return true;
});

function DataParts({ active }: { readonly active: Active }) {
  const { id, model } = active;
  const mode = dataState.useOf(id).mode === 'decode' && hasTypes(model) ? 'decode' : 'values';
  const data = useData(id, model);
  const isEmpty = data.groups.length === 0;
  return (
    <div className="stack tall head-and-body">
      {hasTypes(model) ? <DataToolbar mode={mode} /> : <span />}
      <div className="shrink-y">
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

function DataToolbar({ mode }: { readonly mode: keyof typeof MODE_TITLES }) {
  return (
    <Toolbar label="Data">
      <Segmented
        label="Part of the Data view"
        options={MODE_TITLES}
        value={mode}
        onChange={(next) => dataState.set({ mode: next === 'values' ? null : next })}
      />
      <p className={styles.note}>
        {mode === 'values'
          ? 'Variables and maps with their values when the object is loaded'
          : 'Your bytes or a map dump, decoded as a type of this file'}
      </p>
    </Toolbar>
  );
}

/** Shows the list of data and the selected entry. A narrow view shows only one of them. */
function ValuesPanel({ active, data }: { readonly active: Active; readonly data: Data }) {
  const { model, selection } = active;
  const match = useMemo(
    () => selectedData(model, data.groups, selection),
    [model, data.groups, selection],
  );
  const [wanted, setWanted] = useState<'list' | 'detail' | null>(null);
  const shown = wanted ?? (match === null ? 'list' : 'detail');
  return (
    <Split
      label="Resize the list of data"
      firstSize={30}
      minFirst={280}
      minSecond={360}
      narrow={shown === 'list' ? 'first' : 'second'}
      first={
        <DataListPane
          model={model}
          groups={data.groups}
          match={match}
          onOpen={() => setWanted('detail')}
        />
      }
      second={
        <div className="tall scroll-y">
          <DataDetail
            {...{ active, data, match }}
            isFocused={wanted === 'detail'}
            onBack={() => setWanted('list')}
          />
        </div>
      }
    />
  );
}

const MODE_TITLES = { values: 'In this file', decode: 'Decode a value' } as const;

function hasTypes({ types }: ObjectModel): boolean {
  return types !== null && types.count > 0;
}

/** Returns the title and text to show if the file has no data. */
export function noData(model: ObjectModel): { readonly title: string; readonly text: string } {
  if (model.format === 'btf') {
    return {
      title: 'Types only, no values',
      text: 'A BTF blob has no variables. Objects (.o) have variables and maps, listed here with their values. To decode bytes as one of these types, choose “Decode a value”.',
    };
  }
  return {
    title: 'No variables in BTF',
    text: isBpf(model)
      ? 'This object has no global variables, no maps and no licence. They would be listed here by section, with their types and initial values.'
      : 'Variables of .data, .rodata, .bss and other sections are listed here if BTF has them (DATASEC).',
  };
}

/** Shows the selected entry or section; without a selection, a summary. */
function DataDetail({ match, ...rest }: DetailProps & { readonly match: SelectedData | null }) {
  if (match === null) return <DataSummary {...rest} />;
  const { group, entry, bytes } = match;
  if (entry === null) return <SectionDetail {...rest} group={group} bytes={bytes} />;
  const key = `${group.name}:${entry.name}`;
  if (entry.kind === 'map') return <MapDetail key={key} {...rest} map={entry.map} />;
  if (entry.kind === 'variable' && !isExtern(entry)) {
    return (
      <VariableDetail
        key={`${key}@${entry.variable.byteOffset}`}
        {...rest}
        entry={entry}
        bytes={bytes}
      />
    );
  }
  return <ExternDetail key={key} {...rest} group={group} entry={entry} />;
}
