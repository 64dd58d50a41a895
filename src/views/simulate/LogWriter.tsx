import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { visible } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { logOfResults, objectLog } from '#print/core-log.ts';
import { type ChosenTarget, useCoreTarget } from '#store/kernels/core-results.ts';
import { setCoreTarget } from '#store/kernels/core-view.ts';
import { useActive } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { column, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { OutcomeNote, useOutcome } from '#views/parts/core/OutcomeNote.tsx';
import { TargetFrame } from '#views/parts/core/TargetFrame.tsx';
import { saveFile } from '#views/parts/ExportMenu.tsx';
import {
  follow,
  type LinePart,
  LineText,
  recordGoal,
  recordParts,
} from '#views/parts/log/LineText.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LogWriter.module.css';

/** Shows the log that libbpf would write for the pane's object on its target. */
export function SimulateView() {
  const active = useActive();
  return active === null ? null : (
    <TargetFrame key={active.id} active={active}>
      <LogWriter id={active.id} model={active.model} />
    </TargetFrame>
  );
}

/** Shows the log that libbpf would write for this object on the target, at debug level. */
function LogWriter({ id, model }: { readonly id: FileId; readonly model: ObjectModel }) {
  const chosen = useCoreTarget(id);
  const outcome = useOutcome(id, chosen);
  if (chosen === null) {
    return (
      <EmptyState
        title="Select a target"
        text="Select a target above to see the log that libbpf prints for every relocation on it."
        actions={<Button onClick={() => setCoreTarget(id, id)}>Use the object itself</Button>}
      />
    );
  }
  return (
    <Landmark className={styles.writer} aria-label="libbpf log">
      {outcome?.step === 'ready' ? (
        <Written id={id} name={model.name} chosen={chosen} results={outcome.value} />
      ) : (
        <div className={styles.note}>
          <h2 className="visually-hidden">libbpf log</h2>
          <OutcomeNote object={id} chosen={chosen} outcome={outcome} />
        </div>
      )}
    </Landmark>
  );
}

type WrittenProps = {
  readonly id: FileId;
  readonly name: string;
  readonly chosen: ChosenTarget;
  readonly results: readonly CoreResult[];
};

function Written({ id, name, chosen, results }: WrittenProps) {
  const [selected, setSelected] = useState<number | null>(null);
  const lines = useMemo(() => writtenLines(id, results), [id, results]);
  const fileName = `${name} on ${chosen.name}.log`;
  const columns = useMemo(() => rowColumns((index) => lines[index], COLUMNS), [lines]);
  return (
    <>
      <header className={styles.header}>
        <h2 className="size-13">libbpf log</h2>
        <p className="small muted break">
          of {visible(name)} on {visible(chosen.name)}, {countOf(lines.length, 'line')}
        </p>
        <div className="wrapping gap-1 at-end">
          <CopyButton text={() => logOfResults(results)} label="Copy log" />
          <Button
            size="small"
            variant="quiet"
            title={`Save as ${visible(fileName)}`}
            onClick={() => saveFile(fileName, logOfResults(results))}
            icon={Download}
          >
            Download
          </Button>
        </div>
      </header>
      <VirtualTable
        label="libbpf log"
        isInOrder
        columns={columns}
        count={lines.length}
        rowHeight={24}
        selectedIndex={selected}
        onSelect={setSelected}
        onActivate={(index) => {
          const line = lines[index];
          if (line !== undefined) follow(recordGoal(id, coreIndex(line.row)));
        }}
      />
    </>
  );
}

const COLUMNS: readonly RowColumn<WrittenLine>[] = [
  column('text', 'libbpf output', 320, ({ parts }) => <LineText parts={parts} />, {
    grow: 1,
    mono: true,
  }),
];

type WrittenLine = {
  readonly row: number;
  readonly parts: readonly LinePart[];
};

/** Returns libbpf's lines split into parts. `relo #N` is a link to its record. */
export function writtenLines(file: FileId, results: readonly CoreResult[]): WrittenLine[] {
  return Array.from(objectLog(results)).flatMap(({ record, lines }) => {
    const { index, relocIndexInSection } = record;
    return lines.map((text) => ({
      row: index,
      parts: recordParts(file, text, coreIndex(index), relocIndexInSection),
    }));
  });
}
