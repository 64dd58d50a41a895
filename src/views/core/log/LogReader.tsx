import { useMemo, useState } from 'react';
import { logLinker } from '#analysis/log/link-log.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { useCoreTarget } from '#store/core-target.ts';
import type { FileId } from '#store/session.ts';
import { Split } from '#ui/Split.tsx';
import { type KeptLog, keepLog, keptLog } from './kept-logs.ts';
import { LineDetail } from './LineDetail.tsx';
import { LogGuide } from './LogGuide.tsx';
import { LogInput } from './LogInput.tsx';
import { LogLines } from './LogLines.tsx';
import styles from './LogReader.module.css';
import { tellingLine } from './log-facts.ts';
import type { TargetTypes } from './log-parts.ts';
import { useReadLog } from './use-read-log.ts';

/** A log as somebody pasted it, its lines as they are understood, and one of them explained. */
export function LogReader({ id, model }: { readonly id: FileId; readonly model: ObjectModel }) {
  const [log, setLog] = useState(() => keptLog(model));
  const change = (next: Partial<KeptLog>) => {
    const changed = { ...log, ...next };
    setLog(changed);
    keepLog(model, changed);
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
          <div className={styles.lines}>
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
