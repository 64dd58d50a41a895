/** Groups the parts of a text into logs, with the lines of loaders around each. */
import { type RootCause, rootCause, tellingLine } from '#analysis/log/failures.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { EMPTY, type LogPart } from './log-parts.ts';

/** A log of the verifier, of the check of BTF, or lines of a loader. */
export type LogGroup = {
  readonly part: LogPart;
  /** Lines of loaders and of the check of BTF that belong to the log. */
  readonly readings: readonly LogLine[];
  /** Explanation of the failure by the lines of the part; null without one. */
  readonly cause: RootCause | null;
  /** Line that is shown first: the one that explains the failure best, else the first line. */
  readonly tellingLine: number;
};

/**
 * Returns the logs of a text, at least one. The lines of loaders around a log of the verifier belong
 * to it, but for those that tell of a failure of their own. `readings` are ascending.
 */
export function logGroups(
  parts: readonly LogPart[],
  readings: readonly LogLine[],
  lineCount: number,
): readonly LogGroup[] {
  const isRefused = parts.some(
    ({ kind, verdict }) => kind === 'verifier' && verdict === 'rejected',
  );
  const told = partsTold(parts, readings);
  const logs = told.filter(
    ({ part, cause }) => part.kind !== 'loader' || (cause !== null && !isRefused),
  );
  const [first = { part: EMPTY, cause: null, tellingLine: 0 }] = told;
  const whole = { ...first, part: { ...first.part, lastLine: Math.max(0, lineCount - 1) } };
  const groups = (logs.length > 0 ? logs : [whole]).map((log) => ({
    ...log,
    readings: [] as LogLine[],
  }));
  let at = 0;
  for (const line of readings) {
    while (at + 1 < groups.length && line.lineNumber > (groups[at]?.part.lastLine ?? 0)) at++;
    groups[at]?.readings.push(line);
  }
  return groups;
}

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
    return { part, cause, tellingLine: shown ?? part.firstLine };
  });
}
