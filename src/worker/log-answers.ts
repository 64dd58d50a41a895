/** Answers requests about a log: its overview, the text of lines, a search, the answer, its replay. */

import { explainLine } from '#analysis/log/explain.ts';
import { isLogLine } from '#analysis/log/failures.ts';
import { sanitised } from '#analysis/log/sanitise.ts';
import { cardOf } from '#analysis/verifier/cards.ts';
import { compareParts } from '#analysis/verifier/compare-logs.ts';
import {
  type LogOverview,
  overviewOf,
  type ReadOverview,
  readLines,
} from '#analysis/verifier/log-overview.ts';
import type { LogPart } from '#analysis/verifier/log-parts.ts';
import { type LogTable, LogTableBuilder, tableOf } from '#analysis/verifier/log-table.ts';
import { oneCharacterPerByte, plainLine } from '#analysis/verifier/plain-line.ts';
import { replayColumns } from '#analysis/verifier/replay-columns.ts';
import { lastWrite, stepFacts } from '#analysis/verifier/step-facts.ts';
import { statesOf } from '#analysis/verifier/step-states.ts';
import { toldAnswer } from '#analysis/verifier/told-answer.ts';
import { valueFlow } from '#analysis/verifier/value-flow.ts';
import { type Walk, walkOf } from '#analysis/verifier/walk.ts';
import { Malformed } from '#bytes/issue.ts';
import { type Context, inSlices, SLICE_MS, Slices } from '#bytes/long-work.ts';
import { type ByteSource, blobSource, bufferSource, MAX_MEMORY } from '#bytes/source.ts';
import { visibleLines } from '#bytes/text.ts';
import { ingest } from '#ingest/ingest.ts';
import type { Methods, OtherLog } from './protocol.ts';

/** Maximum number of lines in an answer. */
const MAX_LINES = 4096;
/** Maximum characters of a text to copy. */
const MAX_TEXT = 8_000_000;
/** Lines before a range that are read with it: a line of the check of BTF belongs to a type. */
const CONTEXT_LINES = 32;
/** Lines searched between two checks of the time. */
const BATCH = 1024;

export class LogAnswers {
  readonly overview: LogOverview;
  readonly #table: LogTable;
  readonly #readings: ReadOverview['readings'];
  /** The log that this one was compared with last. */
  #other: { readonly key: number; readonly table: LogTable } | null = null;

  private constructor(table: LogTable, { overview, readings }: ReadOverview) {
    this.#table = table;
    this.overview = overview;
    this.#readings = readings;
  }

  /** Reads a log. Throws `Malformed` if it cannot be read, and `AbortError`. */
  static async open(source: ByteSource, context: Context): Promise<LogAnswers> {
    const table = await readLog(source, context);
    return new LogAnswers(table, await inSlices(overviewOf(table), context));
  }

  /** Returns lines `from` to `to` (exclusive) with what a loader's line reports. */
  lines({ from, to }: Methods['logLines']['params']): Methods['logLines']['result'] {
    const start = Math.max(0, Math.min(from, this.#table.lineCount));
    const end = Math.max(start, Math.min(to, start + MAX_LINES, this.#table.lineCount));
    const first = Math.max(0, start - CONTEXT_LINES);
    const numbers = Array.from({ length: end - first }, (_, i) => first + i);
    return readLines(this.#table, numbers)
      .slice(start - first)
      .map((line) => ({ ...line, sentence: explainLine(line) }));
  }

  /** Returns the first lines of libbpf. */
  loaderLines(): Methods['loaderLines']['result'] {
    return this.#readings.filter(({ source }) => source === 'libbpf').slice(0, MAX_LINES);
  }

  /** Returns the text of lines; null if it is too long to copy. */
  text({ from, to, isSanitised }: Methods['logText']['params']): Methods['logText']['result'] {
    let text = '';
    for (let line = Math.max(0, from); line < Math.min(to, this.#table.lineCount); line++) {
      const own = this.#table.textOf(line);
      text += `${isSanitised ? sanitised(own) : own}\n`;
      if (text.length > MAX_TEXT) return null;
    }
    return text;
  }

  /** Returns the lines that contain a text, in any case, ascending. */
  async find(
    { text }: Methods['findInLog']['params'],
    { signal, onProgress }: Context,
  ): Promise<Methods['findInLog']['result']> {
    const { lineCount } = this.#table;
    const wanted = text.toLowerCase();
    const slices = new Slices(SLICE_MS, signal);
    const found: number[] = [];
    for (let line = 0; line < lineCount; line++) {
      if (this.#table.textOf(line).toLowerCase().includes(wanted)) found.push(line);
      if (line % BATCH !== 0 || !slices.isOver) continue;
      onProgress({ step: 'searching', done: line, total: lineCount });
      await slices.rest();
    }
    return Uint32Array.from(found);
  }

  /** Says why the program of a part was refused; null if there is no such part. */
  answer({ part, ...binding }: Methods['answerLog']['params']): Methods['answerLog']['result'] {
    const own = this.#part(part);
    return own === null ? null : toldAnswer(this.#table, own, binding);
  }

  /** Returns the card of a rule of the verifier; null if there is none. */
  ruleCard({ rule }: Methods['ruleCard']['params']): Methods['ruleCard']['result'] {
    return cardOf(rule);
  }

  /** Returns the walk of a part; null if no instruction was walked. */
  replay({ part }: Methods['replayLog']['params']): Methods['replayLog']['result'] {
    const walk = this.#walk(part);
    return walk === null ? null : replayColumns(walk);
  }

  /** Returns what the verifier knew at a step of a part; null if there is no such step. */
  step({ part, step }: Methods['logStep']['params']): Methods['logStep']['result'] {
    const walk = this.#walk(part);
    if (walk === null || walk.lines[step] === undefined) return null;
    return stepFacts(walk, statesOf(walk), step);
  }

  /** Returns the step before `step` that wrote a register or stack slot last, or null. */
  write({ part, step, name }: Methods['logWrite']['params']): Methods['logWrite']['result'] {
    const walk = this.#walk(part);
    return walk === null ? null : lastWrite(walk, statesOf(walk), step, name);
  }

  /** Returns where a value comes from and goes to; null without a walk. */
  flow({ part, ...params }: Methods['logFlow']['params']): Methods['logFlow']['result'] {
    const walk = this.#walk(part);
    return walk === null ? null : valueFlow(walk, statesOf(walk), params);
  }

  /** Compares a part with one of another log. Throws `Malformed` if that cannot be read. */
  async compare(
    { part, other }: Methods['compareLog']['params'],
    context: Context,
  ): Promise<Methods['compareLog']['result']> {
    if (this.#other?.key !== other.key) {
      this.#other = { key: other.key, table: await readOther(other, context) };
    }
    const own = this.#part(part) ?? undefined;
    return { compared: compareParts(this.#table, this.#other.table, [own, other.part]) };
  }

  #part(index: number): LogPart | null {
    return this.overview.parts[index] ?? null;
  }

  #walk(part: number): Walk | null {
    const own = this.#part(part);
    if (own?.kind !== 'verifier') return null;
    const walk = walkOf(this.#table, own);
    return walk.stepCount === 0 ? null : walk;
  }
}

async function readOther({ name, file }: OtherLog, context: Context): Promise<LogTable> {
  const source =
    file instanceof Blob ? blobSource(name, file) : bufferSource(name, new Uint8Array(file));
  const opened = await ingest(source, { ...context, loadForms: async () => isLogLine });
  if (opened.kind !== 'log') throw new Error(`${name} is no log`);
  return await readLog(opened.source, context);
}

/** Bytes of a log that are read at once. */
const PIECE = 1 << 20;

/** Number of lines, and of bytes, that the page shows while a log is read. */
const FIRST_LINES = 100;
const FIRST_BYTES = 1 << 14;

/** Returns the first whole lines of a log. */
function firstLines(piece: Uint8Array): string {
  const text = oneCharacterPerByte(piece.subarray(0, FIRST_BYTES));
  const lines = text.split('\n').slice(0, -1).slice(0, FIRST_LINES);
  return visibleLines(lines.map((line) => plainLine(line, false)).join('\n'));
}

/** Reads the lines of a log in pieces. Throws `Malformed` if it is too large, and `AbortError`. */
async function readLog(source: ByteSource, { signal, onProgress }: Context): Promise<LogTable> {
  const { size } = source;
  if (size > MAX_MEMORY) {
    throw new Malformed({
      code: 'log.too-large',
      region: source.name,
      message: `${source.name}: a log of ${size} bytes is too large`,
      span: null,
      expected: `at most ${MAX_MEMORY} bytes`,
      found: `${size} bytes`,
      advice: 'Cut the log: its last lines tell why a program was refused.',
    });
  }
  const bytes = new Uint8Array(size);
  const builder = new LogTableBuilder();
  const slices = new Slices(SLICE_MS, signal);
  for (let start = 0; start < size; start += PIECE) {
    const piece = await source.read(start, start + PIECE);
    bytes.set(piece, start);
    builder.add(piece);
    const lines = start === 0 && size > PIECE ? firstLines(piece) : undefined;
    onProgress({ step: 'reading lines', done: start, total: size, lines });
    if (slices.isOver) await slices.rest();
  }
  return tableOf(builder.finish(), bytes);
}
