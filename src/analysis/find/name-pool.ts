/** Joins many names in one string for substring search, and stores the first letters of words. */
import type { Slices } from '#bytes/long-work.ts';
import type { NamePlace } from '#model/names.ts';
import {
  fuzzyFilter,
  fuzzyParts,
  isWordStart,
  MAX_FUZZY_NAME,
  Match,
  type MatchClass,
} from './match-name.ts';

export type NamePool = {
  readonly count: number;
  /** Names in lower case, each followed by a NUL. Names contain no NUL. */
  readonly text: string;
  /** Start of each name in `text`, followed by the length of `text`. */
  readonly starts: Uint32Array;
  /** By name: first letters of its words, as bits of `letterBit`. */
  readonly firstLetters: Uint32Array;
};

/** Maximum total number of characters in a pool. */
const MAX_TEXT = 1 << 27;
const MAX_NAME = 1024;
/** Number of names between two checks of the elapsed time. */
const STRIDE = 2048;

/** Returns the maximum bytes per name: `count` overlapping strings can exceed the file's size. */
export function nameCut(count: number): number {
  return Math.max(32, Math.min(MAX_NAME, Math.floor(MAX_TEXT / Math.max(1, count))));
}

/** Builds a pool of `count` names. `write` writes one name of at most `nameCut(count)` bytes. */
export async function buildPool(
  count: number,
  write: (name: number, pool: PoolWriter) => void,
  slices: Slices,
  onDone: (done: number) => void,
): Promise<NamePool> {
  const pool = new PoolWriter();
  const starts = new Uint32Array(count + 1);
  const firstLetters = new Uint32Array(count);
  for (let name = 0; name < count; name++) {
    starts[name] = pool.length;
    write(name, pool);
    firstLetters[name] = pool.firstLetters;
    if (name % STRIDE === 0 && slices.isOver) {
      onDone(name);
      await slices.rest();
    }
  }
  starts[count] = pool.length;
  return { count, text: pool.finish(), starts, firstLetters };
}

const ascii = new TextDecoder();
const utf8 = new TextEncoder();

/** Writes the text of a pool without creating a string for each name. */
export class PoolWriter {
  /** Number of characters written so far. */
  length = 0;
  /** First letters of the words in the last written name. */
  firstLetters = 0;
  readonly #parts: string[] = [];
  /** ASCII characters that are not yet in `#parts`. */
  readonly #bytes = new Uint8Array(1 << 16);
  #used = 0;

  /** Writes a name: the bytes if they are ASCII, else the text that `text` returns. */
  name({ bytes, start, end }: NamePlace, text: () => string): void {
    if (!this.#ascii(bytes, start, end)) this.#nonAscii(text());
  }

  text(name: string): void {
    const bytes = utf8.encode(name);
    this.name({ bytes, start: 0, end: bytes.length }, () => name);
  }

  /** Writes the name in `bytes` if it is ASCII without NUL. Returns true if it was written. */
  #ascii(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start >= this.#bytes.length) return false;
    if (this.#used + end - start >= this.#bytes.length) this.#flush();
    const out = this.#bytes;
    let used = this.#used;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === 0 || byte >= 0x80) return false;
      out[used++] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    }
    this.firstLetters = firstLettersOf(out, this.#used, used);
    out[used++] = 0;
    this.length += used - this.#used;
    this.#used = used;
    return true;
  }

  #nonAscii(name: string): void {
    const lower = name.toLowerCase().replaceAll('\0', ' ');
    this.#flush();
    this.#parts.push(lower, '\0');
    this.length += lower.length + 1;
    const codes = Uint16Array.from({ length: lower.length }, (_, at) => lower.charCodeAt(at));
    this.firstLetters = firstLettersOf(codes, 0, codes.length);
  }

  finish(): string {
    this.#flush();
    return this.#parts.join('');
  }

  #flush(): void {
    if (this.#used > 0) this.#parts.push(ascii.decode(this.#bytes.subarray(0, this.#used)));
    this.#used = 0;
  }
}

/** Returns name number `name` in lower case. */
export function pooledName(pool: NamePool, name: number): string {
  return pool.text.slice(pool.starts[name], (pool.starts[name + 1] ?? 1) - 1);
}

/** Returns the number of characters of name number `name`. */
export function nameLength({ starts }: NamePool, name: number): number {
  return (starts[name + 1] ?? 0) - (starts[name] ?? 0) - 1;
}

/** Receives the number of each matching name; `breaks` as in `FuzzyMatch`. */
export type Visit = (name: number, match: MatchClass, breaks: number) => void;

/** Number of good matches that make a search by word starts unnecessary. */
const ENOUGH_MATCHES = 200;

/** Calls `visit` for each name that matches a needle of `needleOf`; an empty needle matches all. */
export function searchPool(pool: NamePool, needle: string, visit: Visit): void {
  if (needle === '') {
    for (let name = 0; name < pool.count; name++) visit(name, Match.PREFIX, 0);
    return;
  }
  if (needle.includes('\0')) return;
  if (needle.length === 1) {
    searchFirstLetter(pool, needle, visit);
    return;
  }
  const inside: number[] = [];
  let good = 0;
  searchSubstring(pool, needle, (name, match) => {
    if (match === Match.INSIDE) {
      inside.push(name);
    } else {
      good++;
      visit(name, match, 0);
    }
  });
  const byStarts = good < ENOUGH_MATCHES ? searchStarts(pool, needle, visit) : new Set<number>();
  for (const name of inside) if (!byStarts.has(name)) visit(name, Match.INSIDE, 0);
}

function searchFirstLetter(pool: NamePool, letter: string, visit: Visit): void {
  const { text, starts, count } = pool;
  const code = letter.charCodeAt(0);
  for (let name = 0; name < count; name++) {
    if (text.charCodeAt(starts[name] ?? 0) !== code) continue;
    visit(name, nameLength(pool, name) === 1 ? Match.EXACT : Match.PREFIX, 0);
  }
}

/** Calls `visit` for each name that contains `needle` (lower case, no NUL, not empty). */
export function searchSubstring(
  { text, starts }: NamePool,
  needle: string,
  visit: (name: number, match: MatchClass) => void,
): void {
  let name = 0;
  let at = text.indexOf(needle);
  while (at >= 0) {
    name = nameAt(starts, name, at);
    const start = starts[name] ?? 0;
    const next = starts[name + 1] ?? text.length;
    let match: MatchClass = Match.INSIDE;
    if (at === start) match = next - 1 - start === needle.length ? Match.EXACT : Match.PREFIX;
    while (match === Match.INSIDE && at >= 0 && at < next) {
      if (isWordStart(text, at)) match = Match.WORD;
      else at = text.indexOf(needle, at + 1);
    }
    visit(name, match);
    if (at >= 0 && at < next) at = text.indexOf(needle, next);
  }
}

/** Returns the number of the name that contains character `at`; the search begins at `from`. */
function nameAt(starts: Uint32Array, from: number, at: number): number {
  let step = 1;
  while (from + step < starts.length && (starts[from + step] ?? 0) <= at) step *= 2;
  let low = from;
  let high = Math.min(from + step, starts.length - 1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** Calls `visit` for names that match by word starts. Returns these names. */
function searchStarts(pool: NamePool, needle: string, visit: Visit): ReadonlySet<number> {
  const parts = fuzzyParts(needle);
  const matched = new Set<number>();
  if (parts === null) return matched;
  const candidates = fuzzyCandidates(pool, parts);
  const names = candidates.map((name) => pooledName(pool, name));
  for (const { index, breaks } of fuzzyFilter(names, needle, MAX_FUZZY_MS)) {
    const name = candidates[index];
    // A match without gaps was already found by the substring search.
    if (name === undefined || isPlain(names[index] ?? '', needle)) continue;
    matched.add(name);
    visit(name, Match.STARTS, breaks);
  }
  return matched;
}

function isPlain(name: string, needle: string): boolean {
  for (let at = name.indexOf(needle); at >= 0; at = name.indexOf(needle, at + 1)) {
    if (isWordStart(name, at)) return true;
  }
  return false;
}

/** Time limit of a search by word starts: ten times the time for a kernel's names. */
const MAX_FUZZY_MS = 100;

/** Maximum number of names for which uFuzzy runs. */
const MAX_CANDIDATES = 20_000;

const DIGIT = 1 << 26;
const BETWEEN = 1 << 27;
const OTHER = 1 << 28;

/** Returns the bit of a lower-case character. Digits share one bit, as do `_` and `.`. */
function letterBit(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return DIGIT;
  return code === 95 || code === 46 ? BETWEEN : OTHER;
}

/** Returns the first letters of the words between `start` and `end` (lower case), as bits. */
function firstLettersOf(codes: Uint8Array | Uint16Array, start: number, end: number): number {
  let letters = 0;
  let isStart = true;
  for (let at = start; at < end; at++) {
    const bit = letterBit(codes[at] ?? 0);
    if (isStart) letters |= bit;
    isStart = (bit & (BETWEEN | OTHER)) !== 0;
  }
  return letters;
}

/** Returns short names with the letters of `parts` in order and a word for each first letter. */
function fuzzyCandidates(
  { count, text, starts, firstLetters }: NamePool,
  parts: readonly string[],
): number[] {
  const needed = parts.reduce((bits, part) => bits | letterBit(part.charCodeAt(0)), 0);
  const inOrder = parts.join('');
  const candidates: number[] = [];
  for (let name = 0; name < count; name++) {
    if (((firstLetters[name] ?? 0) & needed) !== needed) continue;
    const start = starts[name] ?? 0;
    const end = (starts[name + 1] ?? 0) - 1;
    if (end - start > MAX_FUZZY_NAME || !holdsInOrder(text, start, end, inOrder)) continue;
    candidates.push(name);
    if (candidates.length >= MAX_CANDIDATES) break;
  }
  return candidates;
}

/** Returns true if the text from `start` to `end` contains the characters of `wanted` in order. */
function holdsInOrder(text: string, start: number, end: number, wanted: string): boolean {
  let next = 0;
  for (let at = start; at < end && next < wanted.length; at++) {
    if (text.charCodeAt(at) === wanted.charCodeAt(next)) next++;
  }
  return next === wanted.length;
}
