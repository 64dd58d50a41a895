/** Writes the types of a file as text, in the formats of other tools. */
import { concatBytes } from '#bytes/arrays.ts';
import { type Progress, Slices } from '#bytes/long-work.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { writeJson, writeRaw } from '#print/btf-dump.ts';
import { ByteText, longestText } from '#print/byte-text.ts';
import { type COptions, writeC } from '#print/c-dump/dump.ts';
import { writePahole } from '#print/pahole/pahole.ts';
import type { ToolVersions } from '#print/tool-versions.ts';

export type TextFormat = 'c' | 'raw' | 'json' | 'pahole';

/** Versions of the tools to imitate; `unsorted` makes bpftool's C keep the order of ids. */
export type TextOptions = ToolVersions & Pick<COptions, 'unsorted'>;

export type WholeText = {
  /** The text as bytes, equal to the tool's. Names in it need not be UTF-8. */
  readonly bytes: Uint8Array;
  /** Offset of each line on the screen. JSON is shown with one line per type and item. */
  readonly lineStarts: Uint32Array;
  /** True if the text was longer than the limit, which happens only for hostile files. */
  readonly isCut: boolean;
  /** True if the types were written from the entries of DWARF, not as those of BTF. */
  readonly isOfDwarf?: boolean;
};

/** Writes types as text. Yields the number that is done. */
export type TextWriter = (
  types: TypeTable,
  out: ByteText,
  options: TextOptions,
) => Generator<number, void>;

type Limits = {
  readonly bytes: number;
  readonly lines: number;
  /** Milliseconds of work before the worker handles other messages. */
  readonly sliceMs: number;
};

/** Limits of a text; for comparison, a kernel's JSON has 18 MB and 800,000 lines. */
const LIMITS: Limits = { bytes: 1 << 27, lines: 1 << 23, sliceMs: 30 };

/** Bytes of the first part (some hundred lines), shown while the rest is written. */
const CHUNK_BYTES = 1 << 14;

const WRITERS: Readonly<Record<TextFormat, TextWriter>> = {
  c: writeC,
  raw: writeRaw,
  json: writeJson,
  pahole: writePahole,
};

/**
 * Writes `types` as text in `format`, from DWARF by `ofDwarf`. Pauses in between, and reports the
 * first lines early.
 */
export async function wholeText(
  types: TypeTable,
  format: TextFormat,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  given: Partial<Limits> = {},
  options: TextOptions = {},
  ofDwarf: TextWriter | null = null,
): Promise<WholeText> {
  const { bytes: most, ...limits } = { ...LIMITS, ...given };
  const limit = Math.min(most, longestText(types));
  const beginsLine = format === 'json' ? BY_OBJECT : BY_NEWLINE;
  // The formats `c` and `pahole` include the types of the base.
  const total = format === 'c' || format === 'pahole' ? lastId(types) : types.count;
  const chunks: Uint8Array[] = [];
  let held = 0;
  let isWritten = false;
  const marked = (text: WholeText) => (ofDwarf === null ? text : { ...text, isOfDwarf: true });
  const begin = (beginning: WholeText) =>
    onProgress({ step: 'writing the first lines', done: 0, total, beginning: marked(beginning) });
  const isPrepared = format === 'c' && options.bpftool === undefined && options.unsorted !== true;
  const prepared = isPrepared ? preparedLines.get(types) : undefined;
  if (prepared !== undefined) begin(prepared);
  // Drops what exceeds the limit: even one type can have a very long text.
  const out = new ByteText((lent) => {
    if (held > limit) return;
    const chunk = lent.slice();
    if (held === 0 && !isWritten && prepared === undefined) {
      begin(wholeLines(chunk, beginsLine, limits.lines));
    }
    chunks.push(chunk);
    held += chunk.length;
  }, CHUNK_BYTES);
  const slices = new Slices(limits.sliceMs, signal);
  for (const done of (ofDwarf ?? WRITERS[format])(types, out, options)) {
    if (out.length > limit) break;
    if (!slices.isOver) continue;
    onProgress({ step: 'writing', done, total });
    await slices.rest();
  }
  isWritten = true;
  out.end();
  const bytes = concatBytes(chunks).subarray(0, limit);
  const lineStarts = lineStartsOf(bytes, beginsLine, limits.lines + 1);
  const end = lineStarts[limits.lines];
  return marked({
    bytes: end === undefined ? bytes : bytes.subarray(0, end),
    lineStarts: lineStarts.subarray(0, limits.lines),
    isCut: out.length > limit || end !== undefined,
  });
}

const preparedLines = new WeakMap<TypeTable, WholeText>();

/**
 * Writes the first lines of the C text ahead: bpftool's order needs the names of all types, about
 * 60 ms of a kernel. `wholeText` then reports these lines at once.
 */
export async function prepareC(types: TypeTable, signal: AbortSignal): Promise<void> {
  const out = new ByteText((lent) => {
    if (preparedLines.has(types)) return;
    preparedLines.set(types, wholeLines(lent.slice(), BY_NEWLINE, LIMITS.lines));
  }, CHUNK_BYTES);
  const slices = new Slices(LIMITS.sliceMs, signal);
  for (const _ of writeC(types, out)) {
    if (preparedLines.has(types)) return;
    if (slices.isOver) await slices.rest();
  }
}

/** Returns the complete lines at the start of a text; `bytes` may end inside a line. */
function wholeLines(bytes: Uint8Array, beginsLine: BeginsLine, limit: number): WholeText {
  const starts = lineStartsOf(bytes, beginsLine, limit);
  const end = starts.at(-1) ?? 0;
  return { bytes: bytes.subarray(0, end), lineStarts: starts.subarray(0, -1), isCut: true };
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
const BRACE = 0x7b;

/** Tells if a displayed line begins at offset `at`. */
type BeginsLine = (bytes: Uint8Array, at: number) => boolean;

/** A line begins after each newline. */
export const BY_NEWLINE: BeginsLine = (bytes, at) => bytes[at - 1] === NEWLINE;

/** A line begins at each object in bpftool's JSON: a type or an item. No name contains `{"`. */
export const BY_OBJECT: BeginsLine = (bytes, at) => {
  if (bytes[at] !== BRACE || bytes[at + 1] !== QUOTE) return false;
  const before = bytes[at - 1] ?? 0;
  const letter = bytes[at + 2] ?? 0;
  return (before === COMMA || before === BRACKET) && letter >= SMALL_A && letter <= SMALL_Z;
};

/** Returns the offsets of the lines in `bytes`, at most `limit`; empty for an empty text. */
export function lineStartsOf(
  bytes: Uint8Array,
  beginsLine: BeginsLine,
  limit: number,
): Uint32Array<ArrayBuffer> {
  const { length } = bytes;
  if (length === 0) return new Uint32Array(0);
  let count = 1;
  for (let at = 1; at < length && count < limit; at++) if (beginsLine(bytes, at)) count++;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let at = 1; line < count; at++) if (beginsLine(bytes, at)) starts[line++] = at;
  return starts;
}
