/** The whole file as text, as one of the field's tools prints it. */
import type { Progress } from '#bytes/progress.ts';
import { lastId, type TypeTable } from '#model/type-table.ts';
import { writeJson } from '#print/btf-json.ts';
import { writeRaw } from '#print/btf-raw.ts';
import { ByteText } from '#print/byte-text.ts';
import { writeC } from '#print/c-dump/btf-c.ts';
import { writePahole } from '#print/pahole/pahole.ts';
import { BY_NEWLINE, BY_OBJECT, lineStartsOf } from './text-lines.ts';

export type TextFormat = 'c' | 'raw' | 'json' | 'pahole';

export type WholeText = {
  /** What the tool prints, byte for byte: names need not be UTF-8. */
  readonly bytes: Uint8Array;
  /** Offset of each line that is shown. JSON is one line, and shown as one for each type and item. */
  readonly lineStarts: Uint32Array;
  /** Is it longer than what is given here? Only a hostile file's text is. */
  readonly isCut: boolean;
};

type Limits = {
  readonly bytes: number;
  readonly lines: number;
  /** Milliseconds of work between two looks at what else is asked. */
  readonly sliceMs: number;
};

/** The JSON of a kernel has 18 MB and 800,000 lines. */
const LIMITS: Limits = { bytes: 1 << 27, lines: 1 << 23, sliceMs: 30 };

const WRITERS = { c: writeC, raw: writeRaw, json: writeJson, pahole: writePahole };

/** The text of `types` in `format`; lets other messages in between, so that it can be cancelled. */
export async function wholeText(
  types: TypeTable,
  format: TextFormat,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
  given: Partial<Limits> = {},
): Promise<WholeText> {
  const limits = { ...LIMITS, ...given };
  const chunks: Uint8Array[] = [];
  const out = new ByteText((chunk) => chunks.push(chunk));
  // These two print the types of a base as well.
  const total = format === 'c' || format === 'pahole' ? lastId(types) : types.count;
  let sliceEnd = performance.now() + limits.sliceMs;
  for (const done of WRITERS[format](types, out)) {
    if (out.length > limits.bytes) break;
    if (performance.now() < sliceEnd) continue;
    onProgress({ step: 'writing', done, total });
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal.throwIfAborted();
    sliceEnd = performance.now() + limits.sliceMs;
  }
  out.end();
  const bytes = joined(chunks, Math.min(out.length, limits.bytes));
  const beginsLine = format === 'json' ? BY_OBJECT : BY_NEWLINE;
  const lineStarts = lineStartsOf(bytes, beginsLine, limits.lines + 1);
  const end = lineStarts[limits.lines];
  return {
    bytes: end === undefined ? bytes : bytes.subarray(0, end),
    lineStarts: lineStarts.subarray(0, limits.lines),
    isCut: out.length > limits.bytes || end !== undefined,
  };
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk.subarray(0, length - at), at);
    at += Math.min(chunk.length, length - at);
  }
  return all;
}
