import { accessSpecLine } from '#analysis/core/access-text.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { hasType } from '#model/type-table.ts';
import type { CoreTask } from '#store/core-results.ts';
import type { ChosenTarget } from '#store/core-target.ts';
import { useCoreView } from '#store/core-view.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Panel } from '#ui/Panel.tsx';
import { AccessSection } from './AccessSection.tsx';
import styles from './CoreInspector.module.css';
import type { CoreRow } from './core-rows.ts';
import { Headline } from './Headline.tsx';
import { LogSection } from './LogSection.tsx';
import { NumbersSection } from './NumbersSection.tsx';
import { PatchSection } from './PatchSection.tsx';
import { StepsSection } from './StepsSection.tsx';
import { memberPathOf } from './selected-core.ts';
import { TraceSection } from './TraceSection.tsx';
import { useCompared } from './use-compared.ts';
import { VerdictSection } from './VerdictSection.tsx';

/** One record from its access string to the bytes that libbpf patches, and what it comes to on the target. */
export function CoreInspector({
  id,
  model,
  row,
  step,
  chosen,
  outcome,
}: {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly row: CoreRow;
  /** The index of the access string that is looked at; null for all of it. */
  readonly step: number | null;
  readonly chosen: ChosenTarget | null;
  readonly outcome: CoreTask | null;
}) {
  const { record, path, local } = row;
  const fresh = useCoreView((state) => state.fresh);
  const results = outcome?.step === 'ready' ? outcome.value : null;
  const compared = useCompared(id, chosen, results, record.index, fresh);
  const { types } = model;
  if (types === null || path === null || local === null) {
    return (
      <Panel title="Access">
        <EmptyState
          title="The types of this file cannot be read"
          text="Without .BTF an access string leads nowhere. Issues tells what is wrong with it."
        />
      </Panel>
    );
  }
  const here = { kind: 'core', core: record.index, step } as const;
  return (
    <Panel
      title={`relo #${record.relocIndexInSection}`}
      aside={<span className={styles.place}>{drawnName(record.sectionName)}</span>}
    >
      <Headline
        spec={accessSpecLine(path)}
        record={record}
        kind={coreKind(record.kind)}
        actions={
          <>
            <Button size="small" onClick={() => select(here, 'code')}>
              Show instruction
            </Button>
            <Button size="small" onClick={() => select(here, 'bytes')}>
              Show bytes
            </Button>
            <Button
              size="small"
              disabled={!hasType(types, record.root)}
              onClick={() => select(typeSelection(record.root, memberPathOf(path)), 'types')}
            >
              Show type
            </Button>
          </>
        }
      />
      {compared === null || results === null ? null : (
        <VerdictSection types={types} compared={compared} results={results} />
      )}
      <AccessSection
        types={types}
        core={record.index}
        path={path}
        step={step}
        compared={compared}
      />
      <StepsSection
        types={types}
        core={record.index}
        path={path}
        step={step}
        target={compared?.side?.path ?? null}
      />
      <NumbersSection
        types={types}
        path={path}
        kind={record.kind}
        endian={model.endian}
        compared={compared}
      />
      <PatchSection
        id={id}
        model={model}
        record={record}
        local={local}
        result={compared?.result ?? null}
      />
      {compared === null ? null : <TraceSection types={types} compared={compared} />}
      {compared === null ? null : <LogSection result={compared.result} />}
    </Panel>
  );
}
