/**
 * Finding bytes in a region of any size: read by pieces, from where one is to the
 * end, then on from the beginning, until found or stopped.
 */
import type { Span } from '#bytes/span.ts';

/** What is looked for; null stands for any byte. */
export type Needle = readonly (number | null)[];

export type FindMode = 'hex' | 'text';

export type ParsedNeedle =
  | { readonly ok: true; readonly needle: Needle }
  | { readonly ok: false; readonly problem: string };

/** `18 01 ??`, `0x1801`, or a text as UTF-8. The problem is a sentence for the person. */
export function parseNeedle(text: string, mode: FindMode): ParsedNeedle {
  if (mode === 'text') {
    return text === ''
      ? { ok: false, problem: 'Enter the text to find' }
      : { ok: true, needle: [...new TextEncoder().encode(text)] };
  }
  const digits = text.replace(/0x/gi, '').replace(/[\s,]/g, '');
  if (digits === '' || digits.length % 2 !== 0 || !/^([\da-f]{2}|\?\?)+$/i.test(digits)) {
    return { ok: false, problem: 'Enter whole bytes in hex such as 18 01 ?? 00; ?? is any byte' };
  }
  const pairs = digits.match(/../g) ?? [];
  return {
    ok: true,
    needle: pairs.map((pair) => (pair === '??' ? null : Number.parseInt(pair, 16))),
  };
}

export type FindRequest = {
  readonly needle: Needle;
  /** File bytes that are searched. */
  readonly region: Span;
  /** Where the search begins: matches at or behind it (`next`), or before it (`previous`). */
  readonly from: number;
  readonly step: 'next' | 'previous';
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
  readonly signal: AbortSignal;
};

const PIECE = 256 * 1024;

/** File offset of the nearest match, going round the ends of the region; null where there is none, or it was stopped. */
export async function findBytes(request: FindRequest): Promise<number | null> {
  const { region, step } = request;
  const from = Math.max(region.start, Math.min(request.from, region.end));
  const behind = { start: from, end: region.end };
  const before = { start: region.start, end: from };
  for (const starts of step === 'next' ? [behind, before] : [before, behind]) {
    const found = await findIn(request, starts);
    if (found !== null || request.signal.aborted) return request.signal.aborted ? null : found;
  }
  return null;
}

/** The first (or last) match that begins in `starts`; it may end behind it. */
async function findIn(request: FindRequest, starts: Span): Promise<number | null> {
  const { needle, region, step, read, signal } = request;
  const pieces = Math.ceil((starts.end - starts.start) / PIECE);
  for (let i = 0; i < pieces && !signal.aborted; i++) {
    const piece = step === 'next' ? i : pieces - 1 - i;
    const start = starts.start + piece * PIECE;
    const end = Math.min(starts.end, start + PIECE);
    const bytes = await read(start, Math.min(region.end, end + needle.length - 1));
    const at =
      step === 'next'
        ? firstMatch(bytes, needle, end - start)
        : lastMatch(bytes, needle, end - start);
    if (at !== null) return start + at;
  }
  return null;
}

/** `limit`: matches begin before it. */
function firstMatch(bytes: Uint8Array, needle: Needle, limit: number): number | null {
  const [head] = needle;
  for (let at = 0; at < limit; at++) {
    if (typeof head === 'number') at = bytes.indexOf(head, at);
    if (at < 0 || at >= limit) return null;
    if (matches(bytes, needle, at)) return at;
  }
  return null;
}

function lastMatch(bytes: Uint8Array, needle: Needle, limit: number): number | null {
  for (let at = limit - 1; at >= 0; at--) if (matches(bytes, needle, at)) return at;
  return null;
}

function matches(bytes: Uint8Array, needle: Needle, at: number): boolean {
  if (at + needle.length > bytes.length) return false;
  for (const [i, byte] of needle.entries()) {
    if (byte !== null && bytes[at + i] !== byte) return false;
  }
  return true;
}
