/**
 * A text that has logs of the verifier, as columns: a row a line. The text is read once, from bytes
 * that arrive in pieces; the content of a line is read when a caller asks for it.
 */
import { readLine as readLoaderLine } from '#analysis/log/parse-log.ts';
import type { Steps } from '#bytes/long-work.ts';
import { LINE_CLASSES, type LineClass, type VerifierLine } from '#formats/verifier-log/line.ts';
import { LineReader } from '#formats/verifier-log/line-reader.ts';
import { readLine } from '#formats/verifier-log/read-line.ts';
import { PrefixFinder } from './line-prefix.ts';
import { classIndex, type LineKnowledge, type LogPart } from './log-parts.ts';
import { matchMessage } from './message.ts';
import { INFORMATION } from './message-table.ts';
import { PartsBuilder } from './parts-builder.ts';
import { oneCharacterPerByte, plainLine, textOfLine } from './plain-line.ts';

/** Columns of a log's lines. They can be transferred to another thread. */
export type LogColumns = {
  readonly lineCount: number;
  /** Offset in bytes of each line. */
  readonly starts: Uint32Array;
  /**
   * Characters at the start of each line that a logger wrote: `Nov 29 00:27:01 host app[1]: `.
   * `ESCAPED` is set for a line whose ends and quotes a logger wrote as `\n` and `\"`.
   */
  readonly prefixes: Uint16Array;
  /** Indexes in `LINE_CLASSES`. */
  readonly classes: Uint8Array;
  /** Instruction that a line is about, else -1. */
  readonly insns: Int32Array;
  readonly parts: readonly LogPart[];
};

/** Reads bytes `start` to `end` (exclusive) of the text. */
export type ReadBytes = (start: number, end: number) => Uint8Array;

/** Longest line whose text is read, in bytes; the rest of a longer one is left out. */
export const MAX_LINE_LENGTH = 1 << 16;
/** Longest line in which a logger's escaped line ends are looked for, in bytes. */
const MAX_ESCAPED_LENGTH = 1 << 22;
const NO_BYTES = new Uint8Array(0);
const ESCAPED = 0x8000;
const MAX_PREFIX = ESCAPED - 1;
/** Size of the pieces of a text that a step reads, in bytes. */
const STEP_SIZE = 1 << 18;

/** A log's columns with the text that they describe. */
export class LogTable {
  readonly columns: LogColumns;
  readonly #read: ReadBytes;
  readonly #size: number;

  /** `size` is the length of the text in bytes. */
  constructor(columns: LogColumns, size: number, read: ReadBytes) {
    this.columns = columns;
    this.#size = size;
    this.#read = read;
  }

  get lineCount(): number {
    return this.columns.lineCount;
  }

  get parts(): readonly LogPart[] {
    return this.columns.parts;
  }

  /** Indexes of the lines' classes in `LINE_CLASSES`. */
  get classes(): Uint8Array {
    return this.columns.classes;
  }

  /** Instruction that each line is about, else -1. */
  get insns(): Int32Array {
    return this.columns.insns;
  }

  /** Returns the class of a line. */
  classOf(line: number): LineClass {
    return LINE_CLASSES[this.columns.classes[line] ?? 0] ?? 'unknown';
  }

  /** Returns the instruction that a line is about, else -1. */
  insnOf(line: number): number {
    return this.columns.insns[line] ?? -1;
  }

  /** Returns the text of a line without prefix, colours and line end. */
  textOf(line: number): string {
    return this.#textFrom(line, (this.columns.prefixes[line] ?? 0) & MAX_PREFIX);
  }

  /** Returns the text of a line with its prefix, without colours and line end. */
  wholeTextOf(line: number): string {
    return this.#textFrom(line, 0);
  }

  /** True if a line, or what a logger wrote before it, has a text. Decodes nothing. */
  hasBytes(line: number, text: Uint8Array): boolean {
    const bytes = this.#bytesOf(line);
    const [first = 0] = text;
    for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
      if (text.every((byte, i) => bytes[at + i] === byte)) return true;
    }
    return false;
  }

  #bytesOf(line: number): Uint8Array {
    const { starts, lineCount } = this.columns;
    const start = line < lineCount ? starts[line] : undefined;
    if (start === undefined) return NO_BYTES;
    const end = line + 1 < lineCount ? (starts[line + 1] ?? start) : this.#size;
    return this.#read(start, Math.min(end, start + MAX_LINE_LENGTH));
  }

  #textFrom(line: number, skip: number): string {
    const isEscaped = ((this.columns.prefixes[line] ?? 0) & ESCAPED) !== 0;
    return textOfLine(this.#bytesOf(line), isEscaped, skip);
  }

  /** Returns the content of a line. */
  line(line: number): VerifierLine {
    return readLine(this.textOf(line), { class: this.classOf(line) });
  }

  /** Counts the lines that are neither of a log nor of a known loader. */
  get unknownCount(): number {
    const unknown = classIndex('unknown');
    let count = 0;
    for (const each of this.columns.classes) if (each === unknown) count += 1;
    return count;
  }
}

/** End of an escaped line, and the start of a line of the verifier's log. */
const ESCAPED_END =
  /\\n(?:\\t)?(?:\d{1,10}: |; |processed \d|func#\d|from \d|R\d{1,2} |-- (?:BEGIN|END) )/;
const VERIFIER_START = /^ *(?:;|\d{1,10}: )/;

/** Largest number of lines that wait for the form of their prefix. */
const MAX_UNPLACED = 64;

/** A line of the text; `start` is its offset in bytes. */
type RawLine = { readonly text: string; readonly start: number; readonly isEscaped: boolean };

/** A line without the `skip` characters of its prefix. */
type ReadLine = {
  readonly skip: number;
  readonly body: string;
  readonly head: ReturnType<LineReader['read']>;
};

/** Builds the columns of a text from pieces of its bytes. */
export class LogTableBuilder {
  readonly #reader = new LineReader();
  readonly #prefixes = new PrefixFinder();
  readonly #parts: PartsBuilder;
  #columns = newColumns(1024);
  #count = 0;
  /** Offset of the line that the pieces so far have not ended. */
  #lineStart = 0;
  #held = '';
  #heldLength = 0;
  /** Lines of no known form since the last that had one: the form of their prefix may be learned. */
  readonly #unplaced: RawLine[] = [];
  /** Table or block of the reader before the first of these lines. */
  #insideBefore: LineReader['inside'] = 'walk';

  constructor(knowledge: LineKnowledge = KNOWN_LINES) {
    this.#parts = new PartsBuilder(
      knowledge,
      (line, lineClass) => {
        this.#columns.classes[line] = classIndex(lineClass);
      },
      (line) => LINE_CLASSES[this.#columns.classes[line] ?? 0] ?? 'unknown',
    );
  }

  /** Adds the next bytes of the text. */
  add(chunk: Uint8Array): void {
    const text = oneCharacterPerByte(chunk);
    let from = 0;
    for (;;) {
      const newline = text.indexOf('\n', from);
      if (newline < 0) break;
      const piece = text.slice(from, newline);
      const line = this.#heldLength === 0 ? piece : this.#hold(piece);
      this.#addPhysicalLine(line, this.#lineStart);
      this.#lineStart += this.#heldLength === 0 ? newline + 1 - from : this.#heldLength + 1;
      this.#held = '';
      this.#heldLength = 0;
      from = newline + 1;
    }
    if (from < text.length) this.#hold(text.slice(from));
  }

  /** Adds a piece of a line to those before. Returns the line so far. */
  #hold(piece: string): string {
    if (this.#held.length < MAX_ESCAPED_LENGTH) {
      this.#held += piece.slice(0, MAX_ESCAPED_LENGTH - this.#held.length);
    }
    this.#heldLength += piece.length;
    return this.#held;
  }

  /** Ends the text. Returns its columns; their buffers are of their exact size. */
  finish(): LogColumns {
    if (this.#heldLength > 0) this.#addPhysicalLine(this.#held, this.#lineStart);
    this.#heldLength = 0;
    this.#place();
    const count = this.#count;
    const parts = this.#parts.finish(count - 1);
    const { starts, prefixes, classes, insns } = this.#columns;
    return {
      lineCount: count,
      starts: starts.slice(0, count),
      prefixes: prefixes.slice(0, count),
      classes: classes.slice(0, count),
      insns: insns.slice(0, count),
      parts,
    };
  }

  /** Adds a line of the text, which may hold the escaped lines of a log. */
  #addPhysicalLine(text: string, start: number): void {
    if (!text.includes('\\n') || !this.#isEscaped(text)) {
      this.#addLine(text, start, false);
      return;
    }
    for (let from = 0; from <= text.length; ) {
      const end = text.indexOf('\\n', from);
      this.#addLine(end < 0 ? text.slice(from) : text.slice(from, end), start + from, true);
      if (end < 0) break;
      from = end + 2;
    }
  }

  #isEscaped(text: string): boolean {
    const start = text.slice(0, MAX_LINE_LENGTH);
    if (VERIFIER_START.test(start.slice(this.#prefixes.lengthOf(start)))) return false;
    return ESCAPED_END.test(text);
  }

  #addLine(raw: string, start: number, isEscaped: boolean): void {
    const cut = raw.length > MAX_LINE_LENGTH ? raw.slice(0, MAX_LINE_LENGTH) : raw;
    const text = plainLine(cut, isEscaped);
    // A tab is a prefix after lines of cilium/ebpf.
    if (text.startsWith('\t') && !this.#unplaced.some(isTabbed)) this.#place();
    const isFirst = this.#unplaced.length === 0;
    if (isFirst) this.#insideBefore = this.#reader.inside;
    const read = this.#read(text);
    if (!this.#mayWait(read)) {
      this.#place();
      this.#append({ text, start, isEscaped }, isFirst ? read : this.#read(text));
      return;
    }
    const added = this.#prefixBefore(text.slice(read.skip));
    if (added > 0) {
      this.#place();
      if (isFirst) this.#reader.inside = this.#insideBefore;
      this.#append({ text, start, isEscaped }, this.#readAfter(text, read.skip + added));
      return;
    }
    if (this.#unplaced.length === MAX_UNPLACED) {
      this.#place();
      this.#insideBefore = this.#reader.inside;
    }
    this.#unplaced.push({ text, start, isEscaped });
  }

  /**
   * True for a line without a form, and for the first lines that have one only with the blanks
   * before them: a row of a table or a state, or the start of an indented log.
   */
  #mayWait({ head, body }: ReadLine): boolean {
    if (head.class === 'other') return true;
    if (this.#parts.hasBegun) return false;
    if (head.class === 'empty') return this.#unplaced.length > 0;
    if (head.class === 'listing') return head.insn >= 0;
    return head.class === 'state' && body.startsWith('  ');
  }

  /** Adds the lines that wait for the form of their prefix. */
  #place(): void {
    if (this.#unplaced.length === 0) return;
    this.#reader.inside = this.#insideBefore;
    for (const line of this.#unplaced) this.#append(line, this.#read(line.text));
    this.#unplaced.length = 0;
  }

  #read(text: string): ReadLine {
    const hasTab = text.startsWith('\t') && this.#parts.isOfCilium;
    return this.#readAfter(text, this.#prefixes.lengthOf(text) || (hasTab ? 1 : 0));
  }

  #readAfter(text: string, skip: number): ReadLine {
    const body = skip === 0 ? text : text.slice(skip);
    return { skip, body, head: this.#reader.read(body) };
  }

  #append({ text, start, isEscaped }: RawLine, { skip, body, head }: ReadLine): void {
    const line = this.#count++;
    if (line === this.#columns.classes.length) this.#columns = grown(this.#columns);
    const { starts, prefixes, classes, insns } = this.#columns;
    starts[line] = start;
    prefixes[line] = Math.min(skip, MAX_PREFIX) | (isEscaped ? ESCAPED : 0);
    insns[line] = head.insn;
    const prefix = skip === 0 ? '' : text.slice(0, skip);
    classes[line] = classIndex(this.#parts.add(line, body, head, prefix));
  }

  /** Returns the length of a prefix that has not been seen before. */
  #prefixBefore(text: string): number {
    const output = text.indexOf(AYA_OUTPUT);
    if (output >= 0 && output < MAX_LINE_LENGTH / 8) return output + AYA_OUTPUT.length;
    return this.#prefixes.learn(text);
  }
}

const isTabbed = ({ text }: RawLine): boolean => text.startsWith('\t');

/** Words of aya before the first line of a log. */
const AYA_OUTPUT = 'Verifier output: ';

type GrowingColumns = Omit<LogColumns, 'lineCount' | 'parts'>;

function newColumns(size: number): GrowingColumns {
  return {
    starts: new Uint32Array(size),
    prefixes: new Uint16Array(size),
    classes: new Uint8Array(size),
    insns: new Int32Array(size),
  };
}

function grown(columns: GrowingColumns): GrowingColumns {
  const larger = newColumns(2 * columns.classes.length);
  larger.starts.set(columns.starts);
  larger.prefixes.set(columns.prefixes);
  larger.classes.set(columns.classes);
  larger.insns.set(columns.insns);
  return larger;
}

/** Knows loaders' lines and the verifier's messages; other lines are told apart by their form. */
const KNOWN_LINES: LineKnowledge = {
  sourceOf(text) {
    const { source } = readLoaderLine(text, null);
    if (source === null || source === 'verifier') return null;
    return source === 'btf' ? 'btf' : 'loader';
  },
  // A line that no kernel that was read prints may be of another kernel.
  isMessage(text) {
    const message = matchMessage(text);
    if (message === null || message.class === INFORMATION) return null;
    return KNOWN_LINES.sourceOf(text) === null ? true : null;
  },
};

/** Builds the table of a text in memory. */
export function* logTableSteps(bytes: Uint8Array): Steps<LogTable> {
  const builder = new LogTableBuilder();
  for (let start = 0; start < bytes.length; start += STEP_SIZE) {
    builder.add(bytes.subarray(start, start + STEP_SIZE));
    yield;
  }
  return tableOf(builder.finish(), bytes);
}

/** Returns the table of a text in memory from its columns. */
export function tableOf(columns: LogColumns, bytes: Uint8Array): LogTable {
  return new LogTable(columns, bytes.length, (start, end) => bytes.subarray(start, end));
}
