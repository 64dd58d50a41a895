/** Explains log lines of loaders about failures other than CO-RE relocations. */
import { BUILD } from './build-rows.ts';
import { AYA, CILIUM, type FailureRow, LIBBPF } from './failure-rows.ts';
import { LIBBPF_PREFIX } from './libbpf-lines.ts';
import { LIBBPF_PARTS } from './libbpf-part-rows.ts';
import type { FailureEvent, LineReading, LogSource } from './log-line.ts';

type CompiledRow = {
  readonly form: RegExp;
  readonly names: readonly string[];
  readonly sentence: string;
};

const QUOTED = "'\\{(\\w+)\\}'";
const TICKED = '`\\{(\\w+)\\}`';
const PLACE = new RegExp(`${QUOTED}|${TICKED}|\\{(\\w+)\\}`, 'g');

/** Compiles a row to a pattern. Placeholders exclude delimiters: matching takes linear time. */
function compileRow([line, sentence]: FailureRow): CompiledRow {
  const names: string[] = [];
  let form = '^';
  let at = 0;
  for (const match of line.matchAll(PLACE)) {
    const [all, quoted, ticked, word] = match;
    form += escaped(line.slice(at, match.index));
    at = match.index + all.length;
    names.push(quoted ?? ticked ?? word ?? '');
    if (quoted !== undefined) form += "'([^']{0,512})'";
    else if (ticked !== undefined) form += '`([^`]{0,512})`';
    else form += at === line.length ? '(.{0,512})' : "([^\\s:'\\])]{1,512})";
  }
  return { form: new RegExp(form + escaped(line.slice(at))), names, sentence };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const TOOLS: readonly (readonly [LogSource, readonly CompiledRow[]])[] = [
  ['libbpf', [...LIBBPF, ...LIBBPF_PARTS].map(compileRow)],
  ['aya', AYA.map(compileRow)],
  ['cilium', CILIUM.map(compileRow)],
];

const BUILD_ROWS = BUILD.map(compileRow);

/** Returns the reading of a line about the BTF of a kernel's build or of a module; else null. */
export function readBuildLine(line: string): LineReading | null {
  const text = line.trim();
  for (const row of BUILD_ROWS) {
    const match = row.form.exec(text);
    if (match !== null) return readingOf('build', row, match, text);
  }
  return null;
}

const PROG = /^prog '([^']{0,512})'/;

/** Matches the name of the program in a line of cilium/ebpf. */
const PROGRAM = /(?:^|[ "])program ([A-Za-z_][\w.]{0,511}): /;

/** Matches words that a line of libbpf about a failure has. */
const FAILS =
  /\b(?:fail(?:ed|ure)?|errors?|invalid|bad|incorrect|unexpected|unrecognized|ambiguous|conflicting|expected|isn't|doesn't|is not|should|not set|beyond|unsupported|not supported|not found|can't|couldn't|cannot|missing|corrupted|malformed|mismatch)\b/i;

/** Returns the reading of a line about a failure, else null. Its sentence may be empty. */
export function readFailureLine(line: string): LineReading | null {
  const at = line.indexOf(LIBBPF_PREFIX);
  const text = (at < 0 ? line : line.slice(at + LIBBPF_PREFIX.length)).trim();
  for (const [source, rows] of TOOLS) {
    if (at >= 0 && source !== 'libbpf') break;
    const parts = source === 'cilium' ? partsOf(text) : [text];
    for (const row of rows) {
      for (const part of parts) {
        const match = row.form.exec(part);
        if (match !== null) return readingOf(source, row, match, text);
      }
    }
  }
  if (at < 0 || !FAILS.test(text)) return null;
  const event: FailureEvent = { event: 'failure', sentence: '', text };
  return { source: 'libbpf', event, prog: PROG.exec(text)?.[1] ?? null };
}

const MAX_PARTS = 32;

/** Returns a cilium/ebpf line from each of its parts to its end: `map create: … (a note)`. */
function partsOf(text: string): string[] {
  const ends = [...text.matchAll(/: | \(/g)].slice(0, MAX_PARTS);
  return [text, ...ends.map(({ 0: mark, index }) => text.slice(index + mark.length))];
}

function readingOf(
  source: LogSource,
  { names, sentence }: CompiledRow,
  match: RegExpExecArray,
  text: string,
): LineReading {
  const values = new Map(names.map((name, i) => [name, (match[i + 1] ?? '').replace(/\.$/, '')]));
  const filled = sentence.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) || '(none)');
  return {
    source,
    event: { event: 'failure', sentence: filled.replace(/\.\.+$/, '.'), text },
    prog: values.get('prog') ?? PROGRAM.exec(text)?.[1] ?? null,
  };
}
