import { accessSpecLine } from '#analysis/core/access-text.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { visible } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { hasType } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Panel } from '#ui/Panel.tsx';
import { AccessSection } from './AccessSection.tsx';
import styles from './CoreInspector.module.css';
import type { CoreRow } from './core-rows.ts';
import { Headline } from './Headline.tsx';
import { NumbersSection } from './NumbersSection.tsx';
import { PatchSection } from './PatchSection.tsx';
import { StepsSection } from './StepsSection.tsx';
import { memberPathOf } from './selected-core.ts';

/** One record from its access string to the bytes that libbpf patches. */
export function CoreInspector({
  id,
  model,
  row,
  step,
}: {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly row: CoreRow;
  /** The index of the access string that is looked at; null for all of it. */
  readonly step: number | null;
}) {
  const { record, path, local } = row;
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
      aside={<span className={styles.place}>{visible(record.sectionName)}</span>}
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
      <AccessSection types={types} core={record.index} path={path} step={step} />
      <StepsSection types={types} core={record.index} path={path} step={step} />
      <NumbersSection types={types} path={path} kind={record.kind} endian={model.endian} />
      <PatchSection id={id} model={model} record={record} local={local} />
    </Panel>
  );
}
