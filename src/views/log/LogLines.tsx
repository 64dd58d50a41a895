import { CircleAlert } from 'lucide-react';
import { useDeferredValue, useId, useMemo } from 'react';
import type { LineLink } from '#analysis/log/link-log.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import type { LogOverview } from '#analysis/verifier/log-overview.ts';
import { lineClassOf } from '#analysis/verifier/log-places.ts';
import { addTo } from '#bytes/cache.ts';
import { type Note, useNotes } from '#store/address/notes.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { OpenFile } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { column, NUMBER, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import {
  LineText,
  type LogObject,
  lineParts,
  type TargetTypes,
} from '#views/parts/log/LineText.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { type PinMarkProps, Pinned } from '#views/parts/PinMark.tsx';
import styles from './LogLines.module.css';
import { LINE_WORDS } from './line-class.ts';
import { type LineFilter, logLinesState } from './state.ts';

type LogLinesProps = {
  readonly file: OpenFile;
  readonly log: LogOverview;
  /** Returns a line; null until it is read. */
  readonly readLine: (line: number) => LogLine | null;
  readonly object: LogObject | null;
  readonly link: (line: LogLine) => LineLink | null;
  readonly target: TargetTypes | null;
  readonly chosen: number;
  readonly onChoose: (line: number) => void;
};

/** Shows the lines of a log with their classes and links, a filter and a search. */
export function LogLines(props: LogLinesProps) {
  const { file, log, readLine, object, link, target, chosen, onChoose } = props;
  const { filter, text } = logLinesState.useOf(file.id);
  const titleId = useId();
  const wanted = useDeferredValue(text.trim());
  const search = useAnswer(file.id, 'findInLog', { text: wanted }, wanted === '' ? NOTHING : null);
  const found = wanted === '' ? null : search.value;
  const rows = useMemo(() => shownLines(log, filter, found), [log, filter, found]);
  const failures = useMemo(() => new Set(log.failures), [log]);
  const unknowns = useMemo(() => new Set(log.unknowns), [log]);
  const notes = useNotes(file.id);
  const pins = useMemo(() => pinsByLine(notes), [notes]);
  const columns = useMemo((): TableColumn[] => {
    const lineAt = (row: number) => (rows === null ? row : (rows[row] ?? 0));
    const cells = [
      column<number>(
        'number',
        'Line',
        84,
        (line) => <Pinned pins={pins.get(line) ?? NO_PINS}>{grouped(line + 1)}</Pinned>,
        NUMBER,
      ),
      column<number>('class', 'Class', 104, (line) => (
        <ClassMark
          log={log}
          line={line}
          isFailure={failures.has(line)}
          isUnknown={unknowns.has(line)}
        />
      )),
      column<number>(
        'text',
        'Text',
        480,
        (line) => {
          const own = readLine(line);
          return own === null ? null : (
            <LineText parts={lineParts(object, own, link(own), target)} />
          );
        },
        { grow: 1, mono: true },
      ),
    ];
    return cells.map(({ cell, by: _, ...each }) => ({
      ...each,
      cell: (row) => cell(lineAt(row), row),
    }));
  }, [log, rows, failures, unknowns, readLine, object, link, target, pins]);
  const count = rows?.length ?? log.lineCount;
  const lit = rows === null ? chosen : rows.indexOf(chosen);
  const titles = {
    all: 'All',
    failures: `Failures ${grouped(log.failures.length)}`,
    unknown: `Unknown ${grouped(log.unknowns.length)}`,
  };
  return (
    <Landmark className={styles.lines} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className="size-13">
          Lines
        </h2>
        <p className="small muted" aria-live="polite">
          {countOf(log.lineCount, 'line')} · {countOf(log.failures.length, 'failure')} ·{' '}
          {grouped(log.unknowns.length)} unknown
        </p>
        <Segmented
          label="Show lines"
          options={titles}
          value={filter}
          onChange={(next) => logLinesState.set({ filter: next }, file.id)}
        />
        <div className={styles.search}>
          <FoundList
            label="Find in the log"
            hint="/"
            value={text}
            onChange={(next) => logLinesState.set({ text: next }, file.id)}
            count={[count, log.lineCount]}
            isWaiting={wanted !== text.trim() || search.step === 'waiting'}
            onEnter={() => onChoose(rows?.[0] ?? chosen)}
          />
        </div>
      </header>
      <VirtualTable
        // Another filter scrolls to the start of the list.
        key={`${filter} ${wanted}`}
        label="Lines of the log"
        isInOrder
        columns={columns}
        count={count}
        rowHeight={26}
        selectedIndex={lit < 0 ? null : lit}
        scrollToIndex={lit < 0 ? null : lit}
        onSelect={(row) => onChoose(rows === null ? row : (rows[row] ?? 0))}
        emptyText={wanted === '' ? EMPTY[filter] : 'No line has this text'}
      />
    </Landmark>
  );
}

const NOTHING = new Uint32Array(0);
const NO_PINS: readonly PinMarkProps[] = [];

/** Returns the marks of the notes on lines of a log, by the line from 0. */
function pinsByLine(
  notes: readonly Pick<Note, 'line' | 'text'>[],
): ReadonlyMap<number, readonly PinMarkProps[]> {
  const byLine = new Map<number, PinMarkProps[]>();
  for (const [i, { line, text }] of notes.entries()) {
    if (line !== null) addTo(byLine, line, { number: i + 1, text, isNote: true });
  }
  return byLine;
}

const EMPTY = { all: 'No lines', failures: 'No failures', unknown: 'No unknown lines' } as const;

/** Returns the lines that pass the filter and the search, ascending; null for all lines. */
export function shownLines(
  { failures, unknowns }: Pick<LogOverview, 'failures' | 'unknowns'>,
  filter: LineFilter,
  found: Uint32Array | null,
): Uint32Array | null {
  const passing = { all: null, failures, unknown: unknowns }[filter];
  if (passing === null || found === null) return passing ?? found;
  const wanted = new Set(found);
  return passing.filter((line) => wanted.has(line));
}

type ClassMarkProps = {
  readonly log: LogOverview;
  readonly line: number;
  readonly isFailure: boolean;
  readonly isUnknown: boolean;
};

function ClassMark({ log, line, isFailure, isUnknown }: ClassMarkProps) {
  const lineClass = lineClassOf(log, line);
  if (isFailure) {
    return (
      <span className={styles.failure} data-tone="danger">
        <CircleAlert size={13} aria-hidden />
        failure
      </span>
    );
  }
  const words = lineClass === 'unknown' && !isUnknown ? 'loader' : LINE_WORDS[lineClass].name;
  return <span className="small muted">{words}</span>;
}
