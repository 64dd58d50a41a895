import { ArrowUpRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type ComparedLogs, partnerOf } from '#analysis/verifier/compare-logs.ts';
import type { ComparedLine, ValueDifference, WalkLine } from '#analysis/verifier/compare-walks.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import type { LogBinding } from '#analysis/verifier/typed-value.ts';
import { drawnName } from '#bytes/text.ts';
import { showView } from '#store/address/navigation.ts';
import { logPlace, useBoundKernel, useBoundProgram } from '#store/kernels/log-binding.ts';
import {
  type LogPlace,
  logComparisons,
  logPairKey,
  logPairRequest,
} from '#store/kernels/log-comparison.ts';
import { logPlaceState } from '#store/kernels/log-place.ts';
import { activate } from '#store/session/panes.ts';
import type { OpenFile } from '#store/session/session.ts';
import { Badge } from '#ui/Badge.tsx';
import { Button } from '#ui/Button.tsx';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { EmptyState, Panel } from '#ui/Panel.tsx';
import { Split } from '#ui/Split.tsx';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { placeText } from '#views/log/answer-text.ts';
import { PartMenu, VERDICTS } from '#views/log/PartMenu.tsx';
import { ValueText } from '#views/log/ValueText.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './LogsPart.module.css';
import { WorkState } from './WorkState.tsx';

type ComparedLog = { readonly file: OpenFile; readonly log: LogOverview };

type LogsPartProps = { readonly first: ComparedLog; readonly second: ComparedLog };

/** Shows two logs side by side, aligned by source line, and what the second one knows less. */
export function LogsPart({ first, second }: LogsPartProps) {
  const { part } = logPlace(first.file, first.log);
  const partner = partnerOf(first.log.parts, part, second.log.parts);
  const places = [
    { file: first.file.id, part },
    { file: second.file.id, part: partner },
  ] as const;
  return (
    <div className={styles.page}>
      <div>
        <PartMenu
          log={first.log}
          part={part}
          onChoose={(line) => logPlaceState.set({ line }, first.file.id)}
        />
      </div>
      <WorkState
        key={`${part} ${partner}`}
        label="Comparing the logs"
        tasks={logComparisons}
        keyNow={() => logPairKey(...places)}
        request={logPairRequest(...places)}
      >
        {({ compared }) =>
          compared === null ? (
            <EmptyState
              title="A log has no walked instructions"
              text="Load the programs with log level 1, or 2 for all states, and open both logs."
            />
          ) : (
            <Compared compared={compared} places={places} />
          )
        }
      </WorkState>
    </div>
  );
}

type ComparedProps = {
  readonly compared: ComparedLogs;
  readonly places: readonly [LogPlace, LogPlace];
};

/** Returns the side that has a line number: up to Linux 6.6 a log has only the text. */
function namedSide([one, two]: ComparedLine['sides']): WalkLine | null {
  return two === null || (two.line === null && one !== null) ? one : two;
}

/** Shows a line of a log in its replay. */
function showInReplay({ file }: LogPlace, line: number): void {
  activate(file);
  logPlaceState.set({ line }, file);
  showView('replay');
}

function Compared({ compared, places }: ComparedProps) {
  const { comparison } = compared;
  const { lines, firstLess } = comparison;
  const isNarrow = useNarrow(NARROW);
  const [chosen, setChosen] = useState<number | null>(null);
  const first = firstLess < 0 ? lines.findIndex((line) => line.differences.length > 0) : firstLess;
  const row = chosen ?? Math.max(0, first);
  const columns = useMemo(
    () => rowColumns<ComparedLine>((index) => lines[index], isNarrow ? NARROW_COLUMNS : COLUMNS),
    [lines, isNarrow],
  );
  const line = lines[row];
  return (
    <div className={styles.parts}>
      <Summary compared={compared} places={places} onFirst={() => setChosen(firstLess)} />
      <Split
        label="Resize the differences"
        firstSize={62}
        minFirst={280}
        minSecond={240}
        first={
          <VirtualTable
            label="Source lines of both logs"
            columns={columns}
            count={lines.length}
            selectedIndex={row}
            scrollToIndex={row}
            onSelect={setChosen}
          />
        }
        second={line === undefined ? null : <LineDifferences line={line} places={places} />}
      />
    </div>
  );
}

type SummaryProps = ComparedProps & { readonly onFirst: () => void };

function Summary({ compared, places, onFirst }: SummaryProps) {
  const { verdicts, comparison } = compared;
  const { lines, firstLess, steps, shared, apart, isSameCode, isCut } = comparison;
  const side = namedSide(lines[firstLess]?.sides ?? [null, null]);
  return (
    <div className={styles.summary}>
      <p className="row wrap gap-2">
        {verdicts.map((verdict, i) => (
          <span key={`${i === 0 ? 'first' : 'second'} log`} className="row gap-1">
            <span className="muted">{i === 0 ? 'First' : 'Second'}</span>
            <Badge {...VERDICTS[verdict]} />
            {countOf(steps[i] ?? 0, 'walked instruction')}
          </span>
        ))}
      </p>
      {side === null ? (
        <p>
          The second log knows as much as the first at the {countOf(shared, 'instruction')} that
          both walked.
        </p>
      ) : (
        <p className="row wrap gap-2">
          <span className="strong">
            The second log first knows less at {drawnName(placeText(side))}.
          </span>
          <Button size="small" onClick={onFirst}>
            Show line
          </Button>
        </p>
      )}
      {isSameCode ? null : <p>The programs differ: lines are paired by their text.</p>}
      {apart === null ? null : (
        <p className="row wrap gap-2">
          The paths part after insn {grouped(apart[1].insn)}.
          {places.map((place, i) => (
            <Button
              key={place.file}
              size="small"
              onClick={() => showInReplay(place, apart[i]?.logLine ?? 0)}
            >
              {i === 0 ? 'First' : 'Second'} path
            </Button>
          ))}
        </p>
      )}
      {isCut ? <p>The paths are long: later rounds of loops were not compared.</p> : null}
    </div>
  );
}

const KNOWLEDGE = {
  less: { text: 'less', tone: 'danger' },
  more: { text: 'more', tone: 'ok' },
  other: { text: 'differs', tone: 'neutral' },
} as const;

/** Returns what the second log knows of a line: less if it does of one value; null if it is equal. */
function knowledgeOf({ differences }: ComparedLine): keyof typeof KNOWLEDGE | null {
  const all = differences.map(({ second }) => second);
  return all.find((second) => second === 'less') ?? all[0] ?? null;
}

const known = column<ComparedLine>('known', 'Known', 84, (line) => {
  const second = knowledgeOf(line);
  return second === null ? null : <Badge {...KNOWLEDGE[second]} />;
});

function sourceColumn(side: 0 | 1, header: string): RowColumn<ComparedLine> {
  return column(`source-${side}`, header, 200, ({ sides }) => <SourceText side={sides[side]} />, {
    grow: 1,
  });
}

function costColumn(side: 0 | 1, header: string): RowColumn<ComparedLine> {
  return column(
    `insns-${side}`,
    header,
    92,
    ({ sides }) => (sides[side] === null ? null : grouped(sides[side].steps)),
    { ...NUMBER, by: ({ sides }) => sides[side]?.steps ?? 0 },
  );
}

const COLUMNS = [
  known,
  sourceColumn(0, 'First log'),
  costColumn(0, 'Insns'),
  sourceColumn(1, 'Second log'),
  costColumn(1, 'Insns'),
];

const NARROW_COLUMNS = [
  known,
  column<ComparedLine>(
    'source',
    'Source',
    160,
    ({ sides }) => <SourceText side={namedSide(sides)} />,
    { grow: 1 },
  ),
  column<ComparedLine>(
    'insns',
    'Insns',
    96,
    ({ sides: [one, two] }) => `${grouped(one?.steps ?? 0)} → ${grouped(two?.steps ?? 0)}`,
    NUMBER,
  ),
];

function SourceText({ side }: { readonly side: WalkLine | null }) {
  if (side === null) return <span className="muted">not walked</span>;
  return (
    <span className="shrink clip" title={drawnName(placeText(side))}>
      {side.line === null ? null : <span className="muted mono small">{side.line} </span>}
      <code className="small">{drawnName(side.text) || 'no source line'}</code>
    </span>
  );
}

type LineProps = {
  readonly line: ComparedLine;
  readonly places: readonly [LogPlace, LogPlace];
};

function LineDifferences({ line, places }: LineProps) {
  const { sides, differences } = line;
  const bindings = [useLogBinding(places[0]), useLogBinding(places[1])] as const;
  const side = namedSide(sides);
  return (
    <Panel title={side === null ? 'No source line' : drawnName(placeText(side))}>
      <div className={styles.head}>
        <code className="break small">{drawnName(side?.text ?? '')}</code>
        <p className="row wrap gap-2">
          {places.map((place, i) => {
            const own = sides[i] ?? null;
            const name = i === 0 ? 'First' : 'Second';
            return own === null ? (
              <span key={place.file} className="muted">
                {name}: not walked
              </span>
            ) : (
              <Button
                key={place.file}
                size="small"
                icon={ArrowUpRight}
                onClick={() => showInReplay(place, own.logLine)}
              >
                {name}: {countOf(own.steps, 'instruction')}
              </Button>
            );
          })}
        </p>
      </div>
      {differences.length === 0 ? (
        <p className={styles.note}>
          {sides.includes(null)
            ? 'Only one of the logs walked this line.'
            : 'Both logs know the same values here.'}
        </p>
      ) : (
        <ul aria-label="Values that differ">
          {differences.map((difference) => (
            <Difference
              key={[
                difference.places[1].insn,
                difference.names[1],
                difference.isAfter,
                difference.kinds,
              ].join(' ')}
              difference={difference}
              places={places}
              bindings={bindings}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

type DifferenceProps = {
  readonly difference: ValueDifference;
  readonly places: readonly [LogPlace, LogPlace];
  readonly bindings: readonly [LogBinding, LogBinding];
};

const KINDS = {
  type: 'type',
  null: 'may be NULL',
  trust: 'trust',
  range: 'range',
  number: 'number',
  references: 'references held',
} as const;

function Difference({ difference, places, bindings }: DifferenceProps) {
  const { names, values, kinds, second, isAfter } = difference;
  return (
    <li className={styles.difference}>
      <p className="row wrap gap-2">
        <Badge {...KNOWLEDGE[second]} />
        <span className="soft">{kinds.map((kind) => KINDS[kind]).join(', ')}</span>
      </p>
      <dl className={styles.values}>
        {values.map((value, i) => {
          const at = difference.places[i];
          const place = places[i];
          const binding = bindings[i];
          if (at === undefined || place === undefined || binding === undefined) return null;
          return (
            <div key={place.file}>
              <dt className="muted">{i === 0 ? 'First' : 'Second'}</dt>
              <dd className="break">
                <code>{names[i]}</code> {isAfter ? 'after' : 'before'}{' '}
                <Button size="small" onClick={() => showInReplay(place, at.logLine)}>
                  insn {grouped(at.insn)}
                </Button>{' '}
                <ValueText value={value} binding={binding} />
              </dd>
            </div>
          );
        })}
      </dl>
    </li>
  );
}

/** Returns the files that a log is read beside. React hook. */
function useLogBinding({ file, part }: LogPlace): LogBinding {
  const bound = useBoundProgram(file, part);
  const kernel = useBoundKernel(file);
  return {
    object: bound?.model ?? null,
    program: bound?.program ?? null,
    kernel: kernel?.types ?? null,
  };
}
