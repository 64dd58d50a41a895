/** Groups the parts of a text into logs, with the lines of loaders around each. */
import { type RootCause, rootCause, tellingLine } from '#analysis/log/failures.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { opensLog } from './loader-forms.ts';
import { EMPTY, type LogPart } from './log-parts.ts';

/** A log of the verifier, of the check of BTF, or lines of a loader. */
export type LogGroup = {
  readonly part: LogPart;
  /** Lines of loaders and of the check of BTF that belong to the log. */
  readonly readings: readonly LogLine[];
  /** Explanation of the failure by the lines of the part; null without one. */
  readonly cause: RootCause | null;
  /** First line that belongs to the log, of a loader or its own. */
  readonly ownFirstLine: number;
  /** Line that is shown first: the one that explains the failure best, else the first line. */
  readonly tellingLine: number;
};

/**
 * Returns the logs of a text, at least one. The lines of loaders around a log of the verifier belong
 * to it (`firstOwnLine`), but for those that tell of a failure of their own. `readings` are ascending.
 */
export function logGroups(
  parts: readonly LogPart[],
  readings: readonly LogLine[],
  { lineCount, textOf }: { readonly lineCount: number; textOf(line: number): string },
): readonly LogGroup[] {
  const isRefused = parts.some(
    ({ kind, verdict }) => kind === 'verifier' && verdict === 'rejected',
  );
  const told = partsTold(parts, readings);
  const isBtfRefused = told.some(({ part, cause }) => part.kind === 'btf' && cause !== null);
  const isTold = (text: string) => isRefused || (isBtfRefused && BTF_LOAD.test(text));
  const logs = told.filter(
    ({ part, cause, causeText }) =>
      part.kind !== 'loader' || (cause !== null && !isTold(causeText)),
  );
  const [first = { part: EMPTY, cause: null, causeText: '', tellingLine: 0 }] = told;
  const whole = { ...first, part: { ...first.part, lastLine: Math.max(0, lineCount - 1) } };
  const shown = logs.length > 0 ? logs : [whole];
  const groups = shown.map(({ causeText: _, ...log }, i) => ({
    ...log,
    readings: [] as LogLine[],
    ownFirstLine: firstOwnLine(textOf, shown[i - 1]?.part.lastLine ?? -1, log.part.firstLine),
  }));
  let at = 0;
  for (const line of readings) {
    while (line.lineNumber >= (groups[at + 1]?.ownFirstLine ?? Number.POSITIVE_INFINITY)) at++;
    groups[at]?.readings.push(line);
  }
  return groups;
}

/** Lines of libbpf around the kernel's log of a check of BTF. */
const BTF_LOAD = /^libbpf: Error loading (?:BTF:|\.BTF into kernel:)/;

/** Returns the parts with what their own lines tell. */
function partsTold(parts: readonly LogPart[], readings: readonly LogLine[]) {
  let next = 0;
  return parts.map((part) => {
    const own: LogLine[] = [];
    for (let line = readings[next]; line !== undefined; line = readings[++next]) {
      if (line.lineNumber > part.lastLine) break;
      if (line.lineNumber >= part.firstLine) own.push(line);
    }
    const cause = rootCause(own);
    const shown = cause?.lineNumber ?? part.errorLines[0] ?? tellingLine(own)?.lineNumber;
    const causeText = own.find(({ lineNumber }) => lineNumber === cause?.lineNumber)?.text ?? '';
    return { part, cause, causeText, tellingLine: shown ?? part.firstLine };
  });
}

/**
 * Returns the first line that belongs to a log: of the lines between `previous`, the last line of
 * the log before (-1 for none), and its own, those from the first on that opens a log. libbpf prints
 * `BPF program load failed` before a log, and `failed to load` after it.
 */
export function firstOwnLine(
  textOf: (line: number) => string,
  previous: number,
  firstLine: number,
): number {
  if (previous < 0) return 0;
  const start = Math.max(previous + 1, firstLine - MAX_BETWEEN);
  for (let line = start; line < firstLine; line++) {
    if (opensLog(textOf(line))) return line;
  }
  return firstLine;
}

/** Largest number of lines between two logs whose text is read. */
const MAX_BETWEEN = 1000;
