/** What the page keeps of a log: the columns that it draws, failures, and what the log is of. */
import { isFailure } from '#analysis/log/failures.ts';
import type { LogLine } from '#analysis/log/log-line.ts';
import { logLines } from '#analysis/log/parse-log.ts';
import { isVeristatHeader } from '#analysis/log/veristat.ts';
import { isRest, type Progress } from '#bytes/long-work.ts';
import { LINE_CLASSES, type LineClass } from '#formats/verifier-log/line.ts';
import type { NamedId } from './agreement.ts';
import { evidenceOf, type KernelTypes, type LogEvidence } from './log-evidence.ts';
import { type LogGroup, logGroups } from './log-groups.ts';
import type { LogPart } from './log-parts.ts';
import { lineClassOf } from './log-places.ts';
import type { LogTable } from './log-table.ts';

/** One of the logs of a text, and what it is of. */
export type PartOverview = LogPart &
  Pick<LogGroup, 'cause' | 'tellingLine' | 'ownFirstLine'> & { readonly evidence: LogEvidence };

export type LogOverview = {
  readonly lineCount: number;
  /** Class of each line; `lineClassOf` reads it. */
  readonly classes: Uint8Array;
  /** Instruction that each line is about, else -1. */
  readonly insns: Int32Array;
  /** Logs of the text, at least one: see `logGroups`. */
  readonly parts: readonly PartOverview[];
  /** Types and functions that the log names by ids of the kernel's BTF. */
  readonly kernelTypes: readonly NamedId[];
  /** Lines that report a failure, ascending. */
  readonly failures: Uint32Array;
  /** Lines of which nothing is known, ascending. */
  readonly unknowns: Uint32Array;
  /** The text is a CSV of veristat: its lines are rows of a table. */
  readonly isVeristat: boolean;
};

/** Classes of lines that a loader may have written, or that tell why a log is of a failure. */
const READ: ReadonlySet<LineClass> = new Set(['unknown', 'loader', 'error', 'other', 'block']);

/** Maximum number of lines whose text is read here: a hostile log may have only such lines. */
const MAX_READ = 100_000;
const BATCH = 256;

/** The overview of a log, and its lines with known forms that are not of the verifier's walk. */
export type ReadOverview = {
  readonly overview: LogOverview;
  readonly readings: readonly LogLine[];
  /** Those that belong to each of `overview.parts`. */
  readonly ofParts: readonly (readonly LogLine[])[];
};

/** Reads the lines of a log that a loader wrote, and what each part is of. */
export function* overviewOf(table: LogTable): Generator<Progress, ReadOverview, void> {
  const { lineCount, classes, insns } = table;
  const readings: LogLine[] = [];
  const failures: number[] = [];
  const unknowns: number[] = [];
  let batch: number[] = [];
  let left = MAX_READ;
  const flush = () => {
    for (const line of readLines(table, batch)) {
      if (line.event !== null) readings.push(line);
      const lineClass = lineClassOf(table, line.lineNumber);
      if (lineClass === 'error' || isFailure(line)) failures.push(line.lineNumber);
      else if (lineClass === 'unknown' && line.event === null) unknowns.push(line.lineNumber);
    }
    batch = [];
  };
  for (let line = 0; line < lineCount; line++) {
    if (isRest(line)) yield { step: 'reading the log', done: line, total: lineCount };
    const lineClass = lineClassOf(table, line);
    if (!READ.has(lineClass)) continue;
    if (left > 0) {
      left -= 1;
      batch.push(line);
      if (batch.length === BATCH) {
        flush();
        yield { step: 'reading the log', done: line, total: lineCount };
      }
    } else if (lineClass === 'error') failures.push(line);
    else if (lineClass === 'unknown') unknowns.push(line);
  }
  flush();
  const parts: PartOverview[] = [];
  const kernel: KernelTypes = new Map();
  const groups = logGroups(table.parts, readings, {
    lineCount,
    textOf: (line) => table.textOf(line),
  });
  for (const { part, readings: own, cause, tellingLine, ownFirstLine } of groups) {
    const evidence = yield* evidenceOf(table, part, own, kernel);
    parts.push({ ...part, evidence, cause, tellingLine, ownFirstLine });
  }
  const isVeristat = isVeristatHeader(table.textOf(0));
  const overview = {
    lineCount,
    classes: isVeristat ? classes.slice().fill(LINE_CLASSES.indexOf('loader')) : classes,
    insns,
    parts,
    kernelTypes: [...kernel.values()],
    failures: Uint32Array.from(failures).sort(),
    unknowns: isVeristat ? new Uint32Array(0) : Uint32Array.from(unknowns).sort(),
    isVeristat,
  };
  return { overview, readings, ofParts: groups.map((group) => group.readings) };
}

/** Reads lines of a table as lines of loaders. `numbers` are ascending. */
export function readLines(table: LogTable, numbers: readonly number[]): LogLine[] {
  // The line end after the last line makes an empty last line a line.
  const text = numbers.map((line) => `${table.textOf(line)}\n`).join('');
  return Array.from(logLines(text), (line) => ({
    ...line,
    lineNumber: numbers[line.lineNumber] ?? line.lineNumber,
  }));
}
