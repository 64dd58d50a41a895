import { useMemo } from 'react';
import type { PartOverview } from '#analysis/verifier/log-overview.ts';
import type { Replay } from '#analysis/verifier/replay.ts';
import { costlyLines, type LoopCost, loopCosts } from '#analysis/verifier/replay-cost.ts';
import type { ReplayLines } from '#analysis/verifier/replay-source.ts';
import { drawnName } from '#bytes/text.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { VirtualList } from '#ui/VirtualList.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { placeText } from './answer-text.ts';
import { FlameGraph } from './FlameGraph.tsx';
import styles from './ReplayLists.module.css';
import { stepOfLine } from './replay-rows.ts';

type CostListProps = {
  readonly replay: Replay;
  readonly lines: ReplayLines;
  readonly part: PartOverview;
  readonly step: number;
  readonly onChoose: (step: number) => void;
};

/** Share of the walk from which a loop is named. */
const MIN_SHARE = 0.1;
const MAX_LOOPS = 3;

/** Shows how many walked instructions each line of C and each loop takes. */
export function CostList({ replay, lines, part, step, onChoose }: CostListProps) {
  const order = useMemo(() => costlyLines(lines), [lines]);
  const loops = useMemo(() => loopCosts(replay), [replay]);
  const { stepCount } = replay;
  const most = lines.lines[order[0] ?? -1]?.count ?? 1;
  const current = order.indexOf(lines.lineOfStep[step] ?? -1);
  const path = replay.pathOf(step);
  return (
    <div className={styles.costs}>
      <div>
        <div className={styles.foot}>
          <p>{summaryText(part, stepCount)}</p>
          {loops
            .filter(({ steps }) => steps / stepCount >= MIN_SHARE)
            .slice(0, MAX_LOOPS)
            .map((loop) => (
              <p key={loop.first} className="row gap-2 wrap">
                {loopText(loop, replay, lines)}
                <Button size="small" onClick={() => onChoose(replay.stepOfInsn(loop.last) ?? step)}>
                  Show loop
                </Button>
              </p>
            ))}
        </div>
        <FlameGraph replay={replay} lines={lines} step={step} onChoose={onChoose} />
      </div>
      <VirtualList
        label="Cost of lines"
        count={order.length}
        rowHeight={24}
        selectedIndex={current < 0 ? null : current}
        onSelect={(index) => {
          const to = stepOfLine(lines, path, stepCount, order[index] ?? -1);
          if (to !== null) onChoose(to);
        }}
        renderRow={(index) => {
          const line = lines.lines[order[index] ?? -1];
          return line === undefined ? null : (
            <span className={styles.step}>
              <span className={styles.share}>{((100 * line.count) / stepCount).toFixed(1)} %</span>
              <span className={styles.bar} aria-hidden>
                <span style={{ inlineSize: `${(100 * line.count) / most}%` }} />
              </span>
              <span className={styles.share}>{grouped(line.count)}</span>
              <span className={styles.of}>
                <span className="muted">{drawnName(placeText(line))} </span>
                {drawnName(line.text.trim())}
              </span>
            </span>
          );
        }}
        emptyText="The log has no lines of C: compile with -g, and open the object."
      />
    </div>
  );
}

/** Returns the counters of the log in a sentence. */
function summaryText({ summary }: PartOverview, stepCount: number): string {
  const walked = `${countOf(stepCount, 'walked instruction')} in the log`;
  if (summary === null) return `${walked}.`;
  const { insns, limit, totalStates, peakStates } = summary;
  const of = limit === null ? '' : ` of at most ${grouped(limit)}`;
  const states =
    totalStates === null
      ? ''
      : `; ${countOf(totalStates, 'state')}${peakStates === null ? '' : `, at most ${grouped(peakStates)} at a time`}`;
  return `${walked}; the verifier processed ${grouped(insns)}${of}${states}.`;
}

function loopText(loop: LoopCost, replay: Replay, { lines, lineOfStep }: ReplayLines): string {
  const lineOf = (insn: number) => {
    const step = replay.stepOfInsn(insn);
    return step === null ? undefined : lines[lineOfStep[step] ?? -1];
  };
  const line = lineOf(loop.first) ?? lineOf(loop.last);
  const where = line === undefined ? '' : ` at ${drawnName(placeText(line))}`;
  const share = Math.round((100 * loop.steps) / replay.stepCount);
  return `The loop${where} (insn ${grouped(loop.first)} to ${grouped(loop.last)}) takes ${share} % of ${countOf(replay.stepCount, 'walked instruction')}, in ${countOf(loop.rounds, 'round')}.`;
}
