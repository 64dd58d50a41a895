/** Finds the lines of a log that report failures, and the line that explains the failure best. */
import { explainLine } from './explain.ts';
import { lineKind, verifierTextOf } from './line-kind.ts';
import type { LogLine } from './log-line.ts';
import { logLines } from './parse-log.ts';
import { isVeristatHeader } from './veristat.ts';

/** Returns true if the line reports a failure. A candidate that does not match is not a failure. */
export function isFailure(line: LogLine): boolean {
  const kind = lineKind(line);
  return kind === 'failure' || kind === 'verdict';
}

/** Returns true for a failure that has a sentence, and for the head of a table of veristat. */
export function isLogLine(text: string): boolean {
  if (isVeristatHeader(text)) return true;
  const [line] = logLines(text);
  if (line === undefined || !isFailure(line)) return false;
  return line.event?.event !== 'failure' || line.event.sentence !== '';
}

/** Returns true for a failure whose reason is in another line. */
function isFollowing(line: LogLine): boolean {
  return lineKind(line) === 'verdict' && (verifierTextOf(line) ?? '') === '';
}

export type RootCause = {
  /** Number of the line with the cause, counted from 0. */
  readonly lineNumber: number;
  /** Explanation, with raw names. */
  readonly sentence: string;
};

/** Returns an explanation of the failure, and the number of the line with its cause; or null. */
export function rootCause(lines: readonly LogLine[]): RootCause | null {
  const line = tellingLine(lines);
  if (line === null || !lines.some(isFailure)) return null;
  // The spec line names the field; the failure is that libbpf did not find this field.
  const isSpec = line.event?.event === 'spec';
  const sentence = explainLine(line);
  if (isFollowing(line) || sentence === '') return null;
  return {
    lineNumber: line.lineNumber,
    sentence: isSpec ? `${sentence} This kernel does not have it so.` : sentence,
  };
}

/** Events whose lines name the field. The last lines of a loader do not. */
const TELLING: ReadonlySet<string> = new Set(['unresolved', 'loader-error', 'parse-failed']);

/** Returns the line that explains the failure best; null if no line is known. */
export function tellingLine(lines: readonly LogLine[]): LogLine | null {
  const telling = lines.find(({ event }) => event !== null && TELLING.has(event.event));
  if (telling !== undefined) return telling;
  const direct = lines.findIndex((line) => isFailure(line) && !isFollowing(line));
  const failure = direct >= 0 ? direct : lines.findIndex(isFailure);
  if (failure >= 0) return specAbove(lines, failure) ?? lines[failure] ?? null;
  const spec = lines.find(({ event }) => event?.event === 'spec');
  return spec ?? lines.find(({ event }) => event !== null) ?? null;
}

/** Finds the spec line above a failure. libbpf names the field only there. */
function specAbove(lines: readonly LogLine[], failure: number): LogLine | null {
  const { prog, reloIndex } = lines[failure] ?? { prog: null, reloIndex: null };
  if (reloIndex === null) return null;
  for (let at = failure - 1; at >= 0; at--) {
    const line = lines[at];
    if (line === undefined || line.reloIndex === null) continue;
    if (line.prog !== prog || line.reloIndex !== reloIndex) return null;
    if (line.event?.event === 'spec') return line;
  }
  return null;
}
