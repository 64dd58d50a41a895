import { ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { logLinker } from '#analysis/log/link-log.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { useCoreTarget } from '#store/core-target.ts';
import { type Active, useActive } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Segmented } from '#ui/Segmented.tsx';
import { Split } from '#ui/Split.tsx';
import { LineDetail } from './LineDetail.tsx';
import { LogInput } from './LogInput.tsx';
import { LogLines } from './LogLines.tsx';
import styles from './LogPanel.module.css';
import { LogWriter } from './LogWriter.tsx';
import { type LineFilter, tellingLine } from './log-facts.ts';
import type { TargetTypes } from './log-parts.ts';
import { useReadLog } from './use-read-log.ts';

type Part = 'read' | 'write';

const PARTS = [
  { value: 'read', label: 'Read a log' },
  { value: 'write', label: 'Simulate libbpf log' },
] as const;

/** Explains a pasted log, and simulates the log of libbpf for this object. */
export function LogPanel() {
  const active = useActive();
  if (active === null) return null;
  return <LogParts active={active} />;
}

function LogParts({ active }: { readonly active: Active }) {
  const [part, setPart] = useState<Part>('read');
  const { id, model } = active;
  // A kernel has nothing that libbpf could write of.
  if (model.ext.core.count === 0) return <LogReader id={id} model={model} />;
  return (
    <div className={styles.panel}>
      <div className={styles.bar}>
        <Segmented label="Log mode" options={PARTS} value={part} onChange={setPart} />
      </div>
      <div className="shrink-y">
        {part === 'read' ? (
          <LogReader id={id} model={model} />
        ) : (
          <LogWriter id={id} model={model} />
        )}
      </div>
    </div>
  );
}

/** A log as somebody pasted it, its lines as they are understood, and one of them explained. */
function LogReader({ id, model }: { readonly id: FileId; readonly model: ObjectModel }) {
  const [log, setLog] = useState(() => logViewState(model));
  const change = (next: Partial<LogViewState>) => {
    const changed = { ...log, ...next };
    setLog(changed);
    setLogViewState(model, changed);
  };
  const read = useReadLog(log.text);
  const link = useMemo(() => logLinker(model, []), [model]);
  const target = useTargetTypes(id, model);
  const telling = useMemo(() => tellingLine(read.lines), [read]);
  const chosen = log.chosen ?? telling;
  const line = chosen === null ? undefined : read.lines[chosen];
  return (
    <Split
      label="Resize the log"
      firstSize={58}
      minFirst={260}
      minSecond={220}
      first={
        <div className={styles.log}>
          <LogInput
            id={id}
            model={model}
            text={log.text}
            lineCount={read.lineCount}
            onText={(text) => change({ text, chosen: null })}
          />
          <div className="shrink-y">
            {log.text === '' ? null : (
              <LogLines
                model={model}
                read={read}
                link={link}
                target={target}
                filter={log.filter}
                onFilter={(filter) => change({ filter })}
                chosen={chosen}
                onChoose={(lineNumber) => change({ chosen: lineNumber })}
              />
            )}
          </div>
        </div>
      }
      second={
        line === undefined ? (
          <LogGuide />
        ) : (
          <LineDetail id={id} model={model} line={line} link={link(line)} target={target} />
        )
      }
    />
  );
}

/** A kernel that is looked at is itself what a log is about, unless somebody says otherwise. */
function useTargetTypes(id: FileId, model: ObjectModel): TargetTypes | null {
  const chosen = useCoreTarget(id);
  const isKernel = model.ext.core.count === 0;
  const file = chosen?.id ?? (isKernel ? id : null);
  const types = chosen?.types ?? (isKernel ? model.types : null);
  return useMemo(() => (file === null || types === null ? null : { file, types }), [file, types]);
}

/** What can be done here, while no line is chosen. */
function LogGuide() {
  return (
    <EmptyState
      icon={<ScrollText size={28} aria-hidden />}
      title="Explain a loader log"
      text="Paste the output of libbpf, cilium/ebpf, aya or the verifier. Relocations, types, members and instructions become links, and the failing step of an access is marked. Names are looked up in every open kernel."
    />
  );
}

/** View state: the pasted log of each file, kept while another view is shown. */

type LogViewState = {
  readonly text: string;
  /** Number of the line that is explained; null for the one that tells most. */
  readonly chosen: number | null;
  readonly filter: LineFilter;
};

const NO_LOG: LogViewState = { text: '', chosen: null, filter: 'all' };

const kept = new WeakMap<ObjectModel, LogViewState>();

/** The log last kept for this file, or an empty one. */
function logViewState(model: ObjectModel): LogViewState {
  return kept.get(model) ?? NO_LOG;
}

/** Keeps it for as long as the file is open. */
function setLogViewState(model: ObjectModel, log: LogViewState): void {
  kept.set(model, log);
}
