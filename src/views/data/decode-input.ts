/** What a person gave to decode, read: bytes, or the entries of a map's dump; or where it is wrong. */

import type { Value } from '#analysis/values/decode.ts';
import { type DumpEntry, DumpError, hexBytes, parseMapDump } from '#analysis/values/map-dump.ts';
import { countOf } from '#views/parts/number-text.ts';

export type DecodeSource = 'hex' | 'dump';

/** A file that was chosen and is no text. */
export type GivenFile = { readonly name: string; readonly bytes: Uint8Array };

export type InputFault = {
  /** Raw text. */
  readonly message: string;
  /** Characters of the text; null where the place is not known. */
  readonly at: { readonly start: number; readonly length: number } | null;
};

export type ReadInput =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'entries'; readonly entries: readonly DumpEntry[] }
  | { readonly kind: 'fault'; readonly fault: InputFault };

/** Reads hex text or the JSON of a dump; a file stands for the text. */
export function readInput(source: DecodeSource, text: string, file: GivenFile | null): ReadInput {
  if (file !== null) return { kind: 'bytes', bytes: file.bytes };
  if (text.trim() === '') return { kind: 'nothing' };
  try {
    return source === 'hex'
      ? { kind: 'bytes', bytes: hexBytes(text) }
      : { kind: 'entries', entries: parseMapDump(text) };
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    return { kind: 'fault', fault: { message: error.message, at: error.at } };
  }
}

/** Does a text look like a dump? Hex never begins like this. */
export function looksLikeDump(text: string): boolean {
  return /^\s*\[\s*(\{|\])/.test(text);
}

const MOST_SHOWN = 72;

/** The line of a text that a fault is in, and how far in: cut to what fits, with `…` where it is. */
export function faultLine(
  text: string,
  at: { readonly start: number; readonly length: number },
): {
  readonly line: number;
  readonly before: string;
  readonly wrong: string;
  readonly after: string;
} {
  const start = Math.min(at.start, text.length);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const nextBreak = text.indexOf('\n', start);
  const lineEnd = nextBreak < 0 ? text.length : nextBreak;
  const end = Math.max(start, Math.min(lineEnd, start + at.length));
  const before = text.slice(lineStart, start);
  const after = text.slice(end, lineEnd);
  const half = MOST_SHOWN / 2;
  return {
    line: text.slice(0, lineStart).split('\n').length,
    before: before.length > half ? `…${before.slice(-half)}` : before,
    wrong: text.slice(start, end).slice(0, half),
    after: after.length > half ? `${after.slice(0, half)}…` : after,
  };
}

/** More of a file is not read: no value of a map is larger. */
const MOST_OF_FILE = 32 << 20;

/** What a chosen file is: the text of a dump or of hex, or bytes as they are. */
export async function readGivenFile(file: File): Promise<{
  readonly source: DecodeSource;
  readonly text: string;
  readonly file: GivenFile | null;
}> {
  const bytes = new Uint8Array(await file.slice(0, MOST_OF_FILE).arrayBuffer());
  const text = textOf(bytes);
  if (text !== null && looksLikeDump(text)) return { source: 'dump', text, file: null };
  if (text !== null && /\.(txt|hex)$/i.test(file.name)) return { source: 'hex', text, file: null };
  return { source: 'hex', text: '', file: { name: file.name, bytes } };
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A sentence where fewer or more bytes than the type has were given; null where it has as many. */
export function sizeWords({ bitSize }: Value, given: number): string | null {
  const size = Math.ceil(bitSize / 8);
  if (size === given) return null;
  const both = `The type has ${countOf(size, 'byte')}, ${countOf(given, 'byte')} ${given === 1 ? 'was' : 'were'} given`;
  if (given < size) return `${both}: what lies behind them has no value.`;
  const times = size > 0 && given % size === 0 ? `, which is ${given / size} times as many` : '';
  return `${both}${times}: the first ${countOf(size, 'byte')} are read.`;
}
