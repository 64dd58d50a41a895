import { CircleAlert } from 'lucide-react';
import { useId, useMemo } from 'react';
import { explainLine } from '#analysis/log/explain.ts';
import { lineKind, verifierTextOf } from '#analysis/log/line-kind.ts';
import type { LineLink } from '#analysis/log/link-log.ts';
import type { LogLine, LogSource } from '#analysis/log/log-line.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { LineText, lineParts, type TargetTypes } from './LineText.tsx';
import styles from './LogLines.module.css';
import type { ReadLog } from './LogPanel.tsx';
import type { LineFilter } from './state.ts';

const FILTERS = { all: 'All', known: 'Known', failures: 'Failures' } as const;

type LineColumnsProps = {
  readonly model: ObjectModel;
  readonly link: (line: LogLine) => LineLink | null;
  readonly target: TargetTypes | null;
};

type LogLinesProps = LineColumnsProps & {
  readonly read: ReadLog;
  readonly filter: LineFilter;
  readonly onFilter: (filter: LineFilter) => void;
  readonly chosen: number | null;
  readonly onChoose: (lineNumber: number) => void;
};

/** Shows the lines of a log, with their sources and links. */
export function LogLines(props: LogLinesProps) {
  const { model, read, link, target, filter, onFilter, chosen, onChoose } = props;
  const titleId = useId();
  const { lines } = read;
  const counts = useMemo(() => countsOf(lines), [lines]);
  const passing = useMemo(() => linesThatPass(lines, filter), [lines, filter]);
  const columns = useMemo(
    () => rowColumns((index) => lines[passing[index] ?? -1], lineColumns({ model, link, target })),
    [model, lines, passing, link, target],
  );
  const lit = chosen === null ? -1 : passing.indexOf(chosen);
  return (
    <Landmark className={styles.lines} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className="size-13">
          Lines
        </h2>
        <p className="small muted" aria-live="polite">
          {summaryOf(read)} · {grouped(counts.known)} known · {countOf(counts.failures, 'failure')}
        </p>
        <div className="at-end">
          <Segmented label="Lines to show" options={FILTERS} value={filter} onChange={onFilter} />
        </div>
      </header>
      <VirtualTable
        // A new filter scrolls to the start of the list.
        key={filter}
        label="Lines of the log"
        isInOrder
        columns={columns}
        count={passing.length}
        rowHeight={26}
        selectedIndex={lit < 0 ? null : lit}
        scrollToIndex={lit < 0 ? null : lit}
        onSelect={(index) => {
          const lineNumber = passing[index];
          if (lineNumber !== undefined) onChoose(lineNumber);
        }}
        emptyText={filter === 'failures' ? 'No failures' : 'No known lines'}
      />
    </Landmark>
  );
}

function summaryOf({ lines, isDone, lineCount }: ReadLog): string {
  const all = countOf(lineCount, 'line');
  if (!isDone) return `reading, ${grouped(lines.length)} of ${all}`;
  return lines.length < lineCount ? `the first ${grouped(lines.length)} of ${all}` : all;
}

/** Returns the columns number, source and text. Lines of unknown form are grey. */
function lineColumns({ model, link, target }: LineColumnsProps): RowColumn<LogLine>[] {
  const number = ({ lineNumber }: LogLine) => (
    <span className="muted">{grouped(lineNumber + 1)}</span>
  );
  const text = (line: LogLine) => (
    <span className={line.event === null ? 'small muted' : undefined}>
      <LineText parts={lineParts(model, line, link(line), target)} />
    </span>
  );
  return [
    column('number', 'Line', 64, number, NUMBER),
    column('source', 'From', 104, (line) => <Source line={line} />),
    column('text', 'Text', 480, text, { grow: 1, mono: true }),
  ];
}

function Source({ line }: { readonly line: LogLine }) {
  if (line.event === null || line.source === null) {
    return <span className="small muted">unknown</span>;
  }
  const name = SOURCE_NAMES[line.source];
  if (!isFailure(line)) return <span className="small soft">{name}</span>;
  return (
    <span className={styles.failure} data-tone="danger" title="Failure">
      <CircleAlert size={13} role="img" aria-label="Failure" />
      {name}
    </span>
  );
}

const SOURCE_NAMES: Readonly<Record<LogSource, string>> = {
  libbpf: 'libbpf',
  cilium: 'cilium/ebpf',
  aya: 'aya',
  bpftool: 'bpftool',
  tc: 'iproute2',
  libxdp: 'libxdp',
  bpftrace: 'bpftrace',
  bcc: 'bcc',
  veristat: 'veristat',
  clang: 'clang',
  verifier: 'verifier',
  btf: 'kernel BTF',
  kernel: 'kernel',
  build: 'BTF build',
};

function isFailure(line: LogLine): boolean {
  const kind = lineKind(line);
  return kind === 'failure' || kind === 'verdict';
}

export function countsOf(lines: readonly LogLine[]) {
  return {
    known: lines.filter(({ event }) => event !== null).length,
    failures: lines.filter(isFailure).length,
  };
}

/** Returns the indices of the lines that match the filter. */
export function linesThatPass(lines: readonly LogLine[], filter: LineFilter): readonly number[] {
  const passes = {
    all: () => true,
    known: ({ event }: LogLine) => event !== null,
    failures: isFailure,
  };
  return lines.flatMap((line, index) => (passes[filter](line) ? [index] : []));
}

/** Returns true for a failure whose reason is in another line. */
function isFollowing(line: LogLine): boolean {
  return lineKind(line) === 'verdict' && (verifierTextOf(line) ?? '') === '';
}

/** Returns an explanation of the failure, and the number of the line with its cause; or null. */
export function rootCause(
  lines: readonly LogLine[],
): { readonly lineNumber: number; readonly sentence: string } | null {
  const at = tellingLine(lines);
  const line = lines[at ?? -1];
  if (at === null || line === undefined || !lines.some(isFailure)) return null;
  // The spec line names the field; the failure is that libbpf did not find this field.
  const isSpec = line.event?.event === 'spec';
  const sentence = explainLine(line);
  if (isFollowing(line) || sentence === '') return null;
  return {
    lineNumber: at,
    sentence: isSpec ? `${sentence} This kernel does not have it so.` : sentence,
  };
}

/** Events whose lines name the field. The last lines of a loader do not. */
const TELLING: ReadonlySet<string> = new Set(['unresolved', 'loader-error', 'parse-failed']);

/** Returns the index of the line that explains the failure best; null if there is none. */
export function tellingLine(lines: readonly LogLine[]): number | null {
  const telling = lines.findIndex(({ event }) => event !== null && TELLING.has(event.event));
  if (telling >= 0) return telling;
  const direct = lines.findIndex((line) => isFailure(line) && !isFollowing(line));
  const failure = direct >= 0 ? direct : lines.findIndex(isFailure);
  if (failure >= 0) return specAbove(lines, failure) ?? failure;
  const spec = lines.findIndex(({ event }) => event?.event === 'spec');
  const known = spec >= 0 ? spec : lines.findIndex(({ event }) => event !== null);
  return known >= 0 ? known : null;
}

/** Finds the spec line above a failure. libbpf names the field only there. */
function specAbove(lines: readonly LogLine[], failure: number): number | null {
  const { prog, reloIndex } = lines[failure] ?? { prog: null, reloIndex: null };
  if (reloIndex === null) return null;
  for (let at = failure - 1; at >= 0; at--) {
    const line = lines[at];
    if (line === undefined || line.reloIndex === null) continue;
    if (line.prog !== prog || line.reloIndex !== reloIndex) return null;
    if (line.event?.event === 'spec') return at;
  }
  return null;
}
