import { CircleAlert, CircleDot } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import type { PartOverview } from '#analysis/verifier/log-overview.ts';
import type { Replay, Segment } from '#analysis/verifier/replay.ts';
import type { ReplayLines } from '#analysis/verifier/replay-source.ts';
import type { ToldAnswer } from '#analysis/verifier/told-answer.ts';
import { drawnName } from '#bytes/text.ts';
import type { OpenFile } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { placeText } from './answer-text.ts';
import { CostList } from './CostList.tsx';
import styles from './ReplayLists.module.css';
import { placeOfStep, type SourceRow, segmentAt, sourceRows, stepOfLine } from './replay-rows.ts';
import { replayState } from './replay-state.ts';

type ReplayListsProps = {
  readonly file: OpenFile;
  readonly part: PartOverview;
  readonly replay: Replay;
  readonly lines: ReplayLines;
  readonly answer: ToldAnswer;
  /** Step at the cursor. */
  readonly step: number;
  readonly onChoose: (step: number) => void;
  /** Moves the cursor along the path. */
  readonly onStep: (by: 1 | -1) => void;
};

const LISTS = { source: 'Source', steps: 'Steps', paths: 'Paths', cost: 'Cost' } as const;
const ROW = 24;

/** Shows the walk: as lines of C, as the steps of the path, or as the tree of all paths. */
export function ReplayLists(props: ReplayListsProps) {
  const { file, replay } = props;
  const { list } = replayState.useOf(file.id);
  const titleId = useId();
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <Landmark className={styles.lists} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className="size-13">
          Walk
        </h2>
        <Segmented
          label="Show the walk as"
          options={LISTS}
          value={list}
          onChange={(next) => replayState.set({ list: next }, file.id)}
        />
        {list === 'source' ? (
          <Button
            size="small"
            variant="quiet"
            aria-pressed={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            All instructions
          </Button>
        ) : list === 'cost' ? null : (
          <span className="small muted">
            {list === 'steps'
              ? countOf(replay.stepCount, 'step')
              : countOf(replay.segments.length, 'path')}
          </span>
        )}
      </header>
      <div className="shrink-y">
        {list === 'source' ? (
          <SourceList {...props} isUnfolded={isUnfolded} />
        ) : list === 'steps' ? (
          <StepList {...props} />
        ) : list === 'paths' ? (
          <PathList {...props} />
        ) : (
          <CostList {...props} />
        )}
      </div>
    </Landmark>
  );
}

function SourceList(props: ReplayListsProps & { readonly isUnfolded: boolean }) {
  const { replay, lines, answer, step, onChoose, onStep, isUnfolded } = props;
  const path = replay.pathOf(step);
  const onPath = useMemo(() => {
    const own = new Set<number>();
    for (const at of path) own.add(lines.lineOfStep[at] ?? -1);
    return own;
  }, [path, lines]);
  const current = lines.lineOfStep[step] ?? -1;
  const rows = useMemo(
    () => sourceRows(lines.lines, isUnfolded ? null : current),
    [lines, current, isUnfolded],
  );
  const insn = replay.insnOf(step);
  const lit = rows.findIndex(
    (row) => row.kind === 'insn' && row.line === current && row.insn === insn,
  );
  const fault = answer.error?.insn ?? null;
  const origin = answer.blame?.insn ?? null;
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    onStep(by === 1 ? 1 : -1);
  };
  const choose = (row: SourceRow | undefined) => {
    if (row === undefined || row.kind === 'file') return;
    const next =
      row.kind === 'line'
        ? stepOfLine(lines, path, replay.stepCount, row.line)
        : placeOfStep(replay, path, row.insn);
    if (next !== null) onChoose(next);
  };
  if (rows.length === 0) {
    return (
      <p className={styles.empty}>
        The log has no lines of C: compile with -g, and open the object. The steps of the walk are
        under Steps.
      </p>
    );
  }
  return (
    <div className="tall" onKeyDownCapture={onKeyDownCapture}>
      <VirtualList
        label="Source of the walk"
        count={rows.length}
        rowHeight={ROW}
        selectedIndex={lit < 0 ? null : lit}
        scrollToIndex={lit < 0 ? null : lit}
        onSelect={(index) => choose(rows[index])}
        renderRow={(index) => {
          const row = rows[index];
          if (row === undefined) return null;
          if (row.kind === 'file') {
            return (
              <span className={styles.file}>
                {row.file === null ? 'Lines without a file' : drawnName(row.file)}
              </span>
            );
          }
          if (row.kind === 'insn') {
            return (
              <span className={styles.insn} data-fault={row.insn === fault ? '' : undefined}>
                <Mark isFault={row.insn === fault} isOrigin={row.insn === origin} />
                <span className={styles.number}>{row.insn}</span>
                <code className={styles.text}>{drawnName(replay.printedOf(row.insn))}</code>
                <Count count={replay.counts.get(row.insn) ?? 0} />
              </span>
            );
          }
          const line = lines.lines[row.line];
          if (line === undefined) return null;
          const isFault = fault !== null && line.insns.includes(fault);
          return (
            <span
              className={styles.line}
              data-reached={line.insns.length === 0 ? 'never' : onPath.has(row.line) ? 'path' : ''}
              data-fault={isFault ? '' : undefined}
            >
              <Mark isFault={isFault} isOrigin={origin !== null && line.insns.includes(origin)} />
              <span className={styles.number}>{line.line}</span>
              <code className={styles.text}>{drawnName(untabbed(line.text))}</code>
              {line.insns.length === 0 ? (
                <span className="visually-hidden">not reached</span>
              ) : (
                <Count count={line.count / Math.max(1, line.insns.length)} />
              )}
            </span>
          );
        }}
      />
    </div>
  );
}

function untabbed(text: string): string {
  return text.trimEnd().replaceAll('\t', '    ');
}

/** Shows how often a line or instruction was walked, from two times on. */
function Count({ count }: { readonly count: number }) {
  const times = Math.round(count);
  return times < 2 ? null : (
    <span className={styles.count} title={`walked ${grouped(times)} times`}>
      ×{grouped(times)}
    </span>
  );
}

function Mark({ isFault, isOrigin }: { readonly isFault: boolean; readonly isOrigin: boolean }) {
  return (
    <span className={styles.mark} data-tone={isFault ? 'danger' : 'warning'}>
      {isFault ? (
        <CircleAlert size={13} role="img" aria-label="Fails here:" />
      ) : isOrigin ? (
        <CircleDot size={13} role="img" aria-label="Comes from here:" />
      ) : null}
    </span>
  );
}

function StepList({ replay, lines, answer, step, onChoose }: ReplayListsProps) {
  const path = replay.pathOf(step);
  const lit = replay.placeOf(step);
  const fault = answer.step;
  return (
    <VirtualList
      label="Steps of the path"
      count={path.length}
      rowHeight={ROW}
      selectedIndex={lit}
      scrollToIndex={lit}
      list={path}
      onSelect={(index) => onChoose(path[index] ?? step)}
      renderRow={(index) => {
        const at = path[index] ?? 0;
        const insn = replay.insnOf(at);
        const line = lines.lines[lines.lineOfStep[at] ?? -1];
        const before = lines.lineOfStep[path[index - 1] ?? -1];
        const isNewLine = line !== undefined && before !== lines.lineOfStep[at];
        return (
          <span className={styles.step} data-fault={at === fault ? '' : undefined}>
            <Mark isFault={at === fault} isOrigin={insn === answer.blame?.insn} />
            <span className={styles.number}>{insn}</span>
            <code className={styles.text}>
              {'  '.repeat(Math.min(8, replay.frameOf(at)))}
              {drawnName(replay.printedOf(insn))}
            </code>
            <span className={styles.of}>
              {isNewLine ? (
                <>
                  {line.line === null ? null : <span className="muted">{line.line} </span>}
                  {drawnName(line.text.trim())}
                </>
              ) : null}
            </span>
          </span>
        );
      }}
    />
  );
}

function PathList({ replay, lines, answer, step, onChoose }: ReplayListsProps) {
  const { segments } = replay;
  const lit = segmentAt(segments, step);
  const own = segments[lit];
  const earlier = own?.prune?.earlier ?? -1;
  return (
    <div className={styles.paths}>
      <VirtualList
        label="Paths of the walk"
        count={segments.length}
        rowHeight={ROW}
        selectedIndex={lit < 0 ? null : lit}
        scrollToIndex={lit < 0 ? null : lit}
        onSelect={(index) => {
          const segment = segments[index];
          if (segment === undefined) return;
          onChoose(segment.last < segment.first ? Math.max(0, segment.parent) : segment.first);
        }}
        renderRow={(index) => {
          const segment = segments[index];
          return segment === undefined ? null : (
            <PathRow segment={segment} replay={replay} lines={lines} fault={answer.step} />
          );
        }}
      />
      {earlier < 0 ? null : (
        <p className={styles.foot}>
          This path was pruned: an earlier walk with a state at least as wide was found safe.
          <Button size="small" onClick={() => onChoose(earlier)}>
            Show that state
          </Button>
        </p>
      )}
    </div>
  );
}

type PathRowProps = {
  readonly segment: Segment;
  readonly replay: Replay;
  readonly lines: ReplayLines;
  readonly fault: number | null;
};

function PathRow({ segment, replay, lines, fault }: PathRowProps) {
  const { first, last, depth, parent, prune } = segment;
  const isEmpty = last < first;
  const isFault = fault !== null && first <= fault && fault <= last;
  const line = lines.lines[lines.lineOfStep[parent] ?? -1];
  const from = parent < 0 ? 'Start at' : `From insn ${grouped(replay.insnOf(parent))} to`;
  const to = isEmpty ? (prune?.insn ?? 0) : replay.insnOf(first);
  return (
    <span
      className={styles.path}
      style={{ paddingInlineStart: 4 + 14 * Math.min(depth, 12) }}
      data-fault={isFault ? '' : undefined}
    >
      <Mark isFault={isFault} isOrigin={false} />
      <span className="nowrap">
        {depth > 12 ? <span className="muted">{depth} deep </span> : null}
        {from} {grouped(to)}
      </span>
      <span className="muted nowrap">
        {isEmpty ? '' : `${countOf(last - first + 1, 'step')}, `}
        {isFault ? 'fails' : endText(segment, replay)}
      </span>
      <span className={styles.of}>
        {line === undefined
          ? ''
          : drawnName(`${line.line === null ? '' : `${placeText(line)} `}${line.text.trim()}`)}
      </span>
    </span>
  );
}

function endText({ last, prune }: Segment, replay: Replay): string {
  if (prune !== null) {
    const { earlier, insn } = prune;
    const as = earlier < 0 ? '' : `, seen at step ${grouped(earlier + 1)}`;
    return `pruned at insn ${grouped(insn)}${as}`;
  }
  return replay.textOf(replay.insnOf(last))?.form === 'exit' ? 'exit' : 'ends';
}
