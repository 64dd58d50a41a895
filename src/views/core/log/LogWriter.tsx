import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { visible } from '#bytes/text.ts';
import { coreIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type ChosenTarget, useCoreTarget } from '#store/core-target.ts';
import { setCoreTarget } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { OutcomeNote, useOutcome } from '#views/core/parts/OutcomeNote.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { saveFile } from '#views/parts/save-file.ts';
import { follow, LineText } from './LineText.tsx';
import styles from './LogWriter.module.css';
import { logOfResults, writtenLines } from './simulated-log.ts';

/** What libbpf would print, at its debug level, of this object on the target. */
export function LogWriter({ id, model }: { readonly id: FileId; readonly model: ObjectModel }) {
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
    <section className={styles.writer} aria-labelledby="written-log-title">
      {outcome?.step === 'ready' ? (
        <Written name={model.name} chosen={chosen} results={outcome.value} />
      ) : (
        <div className={styles.note}>
          <h2 id="written-log-title" className="visually-hidden">
            libbpf log
          </h2>
          <OutcomeNote object={id} chosen={chosen} outcome={outcome} />
        </div>
      )}
    </section>
  );
}

type WrittenProps = {
  readonly name: string;
  readonly chosen: ChosenTarget;
  readonly results: readonly CoreResult[];
};

function Written({ name, chosen, results }: WrittenProps) {
  const [selected, setSelected] = useState<number | null>(null);
  const lines = useMemo(() => writtenLines(results), [results]);
  const fileName = `${name} on ${chosen.name}.log`;
  const columns = useMemo(
    () => [
      {
        id: 'text',
        header: 'libbpf output',
        width: 320,
        grow: 1,
        mono: true,
        cell: (index: number) => <LineText parts={lines[index]?.parts ?? []} />,
      },
    ],
    [lines],
  );
  return (
    <>
      <header className={styles.header}>
        <h2 id="written-log-title" className={styles.title}>
          libbpf log
        </h2>
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
        columns={columns}
        count={lines.length}
        rowHeight={24}
        selectedIndex={selected}
        onSelect={setSelected}
        onActivate={(index) => {
          const line = lines[index];
          if (line === undefined) return;
          const selection = { kind: 'core', core: coreIndex(line.row), step: null } as const;
          follow({ selection, view: 'core', title: '', file: null });
        }}
      />
    </>
  );
}
