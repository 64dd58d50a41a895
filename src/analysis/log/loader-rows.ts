/** Explains lines of loaders and tools by the tables in `loaders/`. */
import { errnoIn, errnoText } from '#analysis/kernel/errno.ts';
import { LOADERS } from '#analysis/log/loaders/all.ts';
import type { LoaderRow, RowOptions } from '#analysis/log/loaders/row.ts';
import { counted } from '#bytes/text.ts';
import type { LineReading, LogSource, RowEvent } from './log-line.ts';

type CompiledRow = RowOptions & {
  readonly source: LogSource;
  readonly form: RegExp;
  /** Number of characters outside of placeholders: a row with more is more specific. */
  readonly literalLength: number;
  readonly names: readonly string[];
  readonly sentence: string;
};

const PLACE = /'\{(\w+)\}'|`\{(\w+)\}`|"\{(\w+)\}"|\{(\w+)\}/g;

/** Compiles a row to a pattern. Placeholders exclude delimiters: matching takes linear time. */
function compileRow(source: LogSource, [line, sentence, options]: LoaderRow): CompiledRow {
  const names: string[] = [];
  let form = '^';
  let at = 0;
  for (const match of line.matchAll(PLACE)) {
    const [all, single, tick, double, word] = match;
    form += escaped(line.slice(at, match.index));
    at = match.index + all.length;
    names.push(single ?? tick ?? double ?? word ?? '');
    const quote = word === undefined ? all.charAt(0) : '';
    if (quote !== '') form += `${quote}([^${quote}]{0,512})${quote}`;
    else if (at === line.length) form += '(.{0,512})';
    else form += word === 'e' ? '(.{1,80}?)' : "([^\\s:'\\])]{1,512})";
  }
  const literalLength = line.replace(PLACE, '').length;
  // A row of a name alone is the whole line.
  const end = literalLength === 0 ? '$' : '';
  return {
    source,
    form: new RegExp(form + escaped(line.slice(at)) + end),
    literalLength,
    names,
    sentence,
    ...options,
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Names by placeholder that stand outside of the part that a row matches. */
type Subjects = readonly (readonly [name: string, value: string])[];

const INDEXED_WORDS = 3;

/** Returns the first words of a line, with quoted names left out. */
function firstWords(text: string): readonly string[] {
  const start = text.slice(0, 600).replace(/(^|[ (])(?:'[^']*'|`[^`]*`|"[^"]*")/g, "$1''");
  return start.split(' ', INDEXED_WORDS);
}

/** Rows by their first words, so that a line is compared with few of them. */
class RowIndex {
  readonly #rows = new Map<string, CompiledRow[]>();

  add(source: LogSource, row: LoaderRow): void {
    const [line] = row;
    const named = line.replace(/(['`"])\{\w+\}\1/g, '$1$1');
    const place = named.indexOf('{');
    const literal = place < 0 ? named : named.slice(0, place);
    // A line can go on with the last word of the literal text; words after the third do not count.
    const isCut = literal.split(' ').length <= INDEXED_WORDS;
    const words = firstWords(literal);
    const key = (isCut ? words.slice(0, -1) : words).join(' ');
    const rows = [...(this.#rows.get(key) ?? []), compileRow(source, row)];
    this.#rows.set(
      key,
      rows.toSorted((a, b) => b.literalLength - a.literalLength),
    );
  }

  /** Returns the reading of a line by the most specific row that it begins with, or null. */
  read(text: string, subjects: Subjects = []): LineReading | null {
    const words = firstWords(text);
    for (let count = words.length; count >= 0; count--) {
      for (const row of this.#rows.get(words.slice(0, count).join(' ')) ?? []) {
        const match = row.form.exec(text);
        if (match !== null) return readingOf(row, match, text, subjects);
      }
    }
    return null;
  }
}

/** Rows of loaders with a prefix, all of them and by prefix. */
const PREFIXED = new RowIndex();
const BY_PREFIX = new Map<string, { readonly source: LogSource; readonly index: RowIndex }>();
/** Rows of loaders without a prefix, whose lines can be parts of a line of the tool. */
const PARTS = new RowIndex();

for (const { source, prefix, rows } of LOADERS) {
  const index = new RowIndex();
  for (const row of rows) {
    (prefix === undefined ? PARTS : PREFIXED).add(source, row);
    index.add(source, row);
  }
  if (prefix !== undefined) BY_PREFIX.set(prefix, { source, index });
}

const PROG = /^prog '([^']{0,512})'/;

/** Words that a line about a failure has. */
const FAILS =
  /\b(?:fail(?:ed|ure)?|errors?|invalid|bad|incorrect|unexpected|unrecognized|ambiguous|conflicting|expected|isn't|doesn't|is not|should|not set|beyond|unsupported|not supported|not found|can't|couldn't|cannot|missing|corrupted|malformed|mismatch)\b/i;

/** Returns the reading of a line of a loader, else null. Its sentence may be empty. */
export function readLoaderRow(line: string): LineReading | null {
  for (const [prefix, { source, index }] of BY_PREFIX) {
    const at = line.indexOf(prefix);
    if (at < 0) continue;
    const text = line.slice(at + prefix.length).trim();
    const reading = index.read(text);
    if (reading !== null || !FAILS.test(text)) return reading;
    const event: RowEvent = { event: 'failure', sentence: '', text, verifierText: null };
    return { source, event, prog: PROG.exec(text)?.[1] ?? null };
  }
  const text = line.trim();
  return readParts(text) ?? PREFIXED.read(text);
}

const MAX_PARTS = 32;

/** Parts of a line after which the kernel's own words follow. */
const KERNEL_WORDS = /^(?:load (?:program|BTF|btf): |the BPF_)/;

/**
 * Reads a line of a tool by its last known part: a chain of errors, `map a: map create: … (a note)`,
 * has its cause at the end, and other lines begin with a place in a file.
 */
function readParts(text: string): LineReading | null {
  const starts = [0];
  for (const { 0: mark, index } of text.matchAll(/: | \(/g)) {
    const last = starts.at(-1) ?? 0;
    if (starts.length >= MAX_PARTS || KERNEL_WORDS.test(text.slice(last, last + 16))) break;
    starts.push(index + mark.length);
  }
  const subjects = subjectsIn(text);
  for (const start of starts.reverse()) {
    const reading = PARTS.read(text.slice(start), subjects);
    if (reading !== null) return reading;
  }
  return null;
}

const PROGRAM = /(?:^|[ "])program ([A-Za-z_][\w.]{0,511}): /;
const MAP = /(?:^|[ "])map "?([A-Za-z_.][\w.]{0,511})"?: /;

/** Returns the program and the map that a line of cilium/ebpf is about. */
function subjectsIn(text: string): Subjects {
  const prog = PROGRAM.exec(text)?.[1];
  const map = MAP.exec(text)?.[1];
  return [
    ...(prog === undefined ? [] : [['prog', prog] as const]),
    ...(map === undefined ? [] : [['map', map] as const]),
  ];
}

const OMITTED = / \((?:truncated, )?(\d{1,10}) line\(s\) omitted\)$/;

/** Returns the last line of the verifier in the words of a loader, and what the loader left out. */
function verifierWords(text: string): { readonly words: string; readonly note: string } {
  const omitted = OMITTED.exec(text)?.[1];
  // Loggers write the newlines of `%+v` as `\n`.
  const lines = text.replace(OMITTED, '').split('\\n');
  const words = lines.map((line) => line.replace(/^\\t/, '').trim());
  const note =
    omitted === undefined
      ? ''
      : ` ${counted(Number(omitted), 'line')} of the verifier are left out: print the error with %+v to see them.`;
  return { words: words.findLast((line) => !line.startsWith('processed ')) ?? '', note };
}

function readingOf(
  row: CompiledRow,
  match: RegExpExecArray,
  text: string,
  subjects: Subjects,
): LineReading {
  const values = new Map(subjects);
  for (const [i, name] of row.names.entries()) {
    values.set(name, (match[i + 1] ?? '').trim().replace(/\.$/, ''));
  }
  const error = errnoIn(values.get('e') ?? '');
  if (error !== null) values.set('e', errnoText(error));
  const help = row.errors?.[error?.name ?? ''];
  const filled = row.sentence.replace(/\{( ?)(\w+)\}/g, (_, space: string, name: string) => {
    const value = values.get(name) ?? '';
    return value === '' ? (space === '' ? '(none)' : '') : space + value;
  });
  const log = values.get('log');
  const { words, note } = log === undefined ? { words: null, note: '' } : verifierWords(log);
  const sentence = `${filled.replace(/\.\.+$/, '.')}${help === undefined ? '' : ` ${help}`}${note}`;
  return {
    source: row.source,
    event: { event: row.kind ?? 'failure', sentence, text, verifierText: words },
    prog: values.get('prog') ?? null,
  };
}
