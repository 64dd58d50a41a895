import { ArrowUpRight } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import type { LoadVerdict } from '#analysis/libbpf/load.ts';
import { predictedLines } from '#analysis/load/load-table.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { coreWarnings, recordLog } from '#print/core-log.ts';
import { showView } from '#store/address/navigation.ts';
import { loadState, targetChoices } from '#store/kernels/core-view.ts';
import {
  judgePair,
  loadOutcome,
  openedObject,
  useLoadOutcomes,
} from '#store/kernels/load-results.ts';
import { useAnswer, useAsync } from '#store/session/hooks.ts';
import { activate } from '#store/session/panes.ts';
import { type FileId, useSession } from '#store/session/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';
import styles from './BindingBar.module.css';

type PredictedNoteProps = {
  readonly log: FileId;
  readonly object: FileId;
  readonly model: ObjectModel;
  readonly onChoose: (lineNumber: number) => void;
};

const NO_LINES: readonly LogLine[] = [];

/** Shows the open kernels on which libbpf would log lines of this log; hidden if there are none. */
export function PredictedNote({ log, object, model, onChoose }: PredictedNoteProps) {
  const lines = useAnswer(log, 'loaderLines', null).value ?? NO_LINES;
  const files = useSession((state) => state.files);
  const { targets } = loadState.useOf(object);
  const verdicts = useLoadOutcomes();
  const opened = useAsync<boolean>(model, async (put) =>
    put((await openedObject(object)) !== null),
  );
  const kernels = useMemo(
    () => targetChoices(object, files, targets).filter(({ isChosen }) => isChosen),
    [object, files, targets],
  );
  const isAsked = opened === true && lines.length > 0;
  useEffect(() => {
    if (!isAsked) return;
    for (const { id } of kernels) void judgePair({ object, kernel: id });
  }, [object, kernels, isAsked]);
  const predictions = useMemo(
    () =>
      kernels.flatMap(({ id, name }) => {
        const task = loadOutcome(verdicts, { object, kernel: id });
        if (task?.step !== 'ready') return [];
        const numbers = predictedIn(lines, task.value.verdict);
        return numbers.length === 0 ? [] : [{ name, numbers }];
      }),
    [object, kernels, verdicts, lines],
  );
  const [first] = predictions.flatMap(({ numbers }) => numbers).sort((a, b) => a - b);
  if (first === undefined) return null;
  return (
    <div className={styles.bar}>
      <span className="soft break">
        {countOf(new Set(predictions.flatMap(({ numbers }) => numbers)).size, 'line')} as predicted
        for {predictions.map(({ name }) => drawnName(name)).join(', ')}
      </span>
      <Button size="small" onClick={() => onChoose(first)}>
        Line {grouped(first + 1)}
      </Button>
      <Button
        size="small"
        icon={ArrowUpRight}
        onClick={() => {
          activate(object);
          showView('load');
        }}
      >
        Show in Load
      </Button>
    </div>
  );
}

/** Returns the numbers of the log lines that libbpf would write for a kernel. */
export function predictedIn(lines: readonly LogLine[], verdict: LoadVerdict): readonly number[] {
  const wrong = verdict.core.filter(({ status }) => status === 'poisoned');
  const predicted = new Set([
    ...predictedLines(verdict),
    ...coreWarnings(verdict.core),
    // Add the last line that libbpf logs about a record whose instruction it poisons.
    ...wrong.flatMap((result) => bare(recordLog(result).at(-1) ?? '')),
  ]);
  return lines.flatMap(({ text, lineNumber }) => (predicted.has(bare(text)) ? [lineNumber] : []));
}

/** Returns the line without the prefix of a loader or a terminal. */
function bare(text: string): string {
  return text.replace(/^.*?libbpf: /, '').trimEnd();
}
