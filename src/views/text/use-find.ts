import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { lowerBound } from '#bytes/arrays.ts';
import { lineOfOffset, lineRange, type WholeText } from './whole-text.ts';

const CASE = 0x20;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;

/** A query for Horspool's algorithm. `skip[b]`: distance to move if the last byte read is `b`. */
export type Needle = {
  readonly bytes: Uint8Array;
  readonly fold: Uint8Array;
  readonly skip: Uint32Array;
};

/** Returns the needle of a query; null if it is empty. `matchCase` distinguishes A from a. */
export function needleOf(query: string, matchCase: boolean): Needle | null {
  const encoded = new TextEncoder().encode(query);
  if (encoded.length === 0) return null;
  const fold = Uint8Array.from({ length: 256 }, (_, byte) =>
    !matchCase && byte >= LETTER_A && byte <= LETTER_Z ? byte | CASE : byte,
  );
  const bytes = encoded.map((byte) => fold[byte] ?? 0);
  const skip = new Uint32Array(256).fill(bytes.length);
  for (let byte = 0; byte < 256; byte++) {
    const at = bytes.lastIndexOf(fold[byte] ?? 0, bytes.length - 2);
    if (at >= 0 && bytes.length > 1) skip[byte] = bytes.length - 1 - at;
  }
  return { bytes, fold, skip };
}

/**
 * Calls `found` with the offset of each match that begins between `from` and `to`. Matches do
 * not overlap. Returns the offset at which the search continues.
 */
export function findBytes(
  bytes: Uint8Array,
  needle: Needle,
  from: number,
  to: number,
  found: (offset: number) => void,
): number {
  const { bytes: wanted, fold, skip } = needle;
  const { length } = wanted;
  const last = Math.min(to, bytes.length - length + 1);
  let at = from;
  while (at < last) {
    let same = length - 1;
    while (same >= 0 && fold[bytes[at + same] ?? 0] === wanted[same]) same--;
    if (same < 0) {
      found(at);
      at += length;
    } else {
      at += skip[bytes[at + length - 1] ?? 0] ?? 1;
    }
  }
  return Math.max(at, to);
}

export const MAX_MATCHES = 1_000_000;

export class MatchSearch {
  readonly #bytes: Uint8Array;
  readonly #needle: Needle;
  #at = 0;
  #offsets = new Uint32Array(1024);
  #count = 0;

  constructor(bytes: Uint8Array, needle: Needle) {
    this.#bytes = bytes;
    this.#needle = needle;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length || this.#count >= MAX_MATCHES;
  }

  get count(): number {
    return this.#count;
  }

  /** Offsets of the matches found so far, ascending. Only the first `count` entries are valid. */
  get offsets(): Uint32Array {
    return this.#offsets;
  }

  /** Searches the next `length` bytes of the text. */
  advance(length: number): void {
    const end = Math.min(this.#bytes.length, this.#at + length);
    this.#at = findBytes(this.#bytes, this.#needle, this.#at, end, (offset) => this.#add(offset));
  }

  #add(offset: number): void {
    if (this.#count >= MAX_MATCHES) return;
    if (this.#count === this.#offsets.length) {
      const more = new Uint32Array(2 * this.#count);
      more.set(this.#offsets);
      this.#offsets = more;
    }
    this.#offsets[this.#count++] = offset;
  }
}

/** Returns the index of the first match at or after byte `start`; null if there is none. */
export function matchFrom(offsets: Uint32Array, count: number, start: number): number | null {
  const index = lowerBound(offsets, start, 0, count);
  return index < count ? index : null;
}

/** Number of bytes searched in one slice, which takes a few milliseconds. */
const PIECE = 1 << 20;
/** Milliseconds between two updates of the shown number of matches. */
const TELL_MS = 120;

/** The match to show. A new object with the same match scrolls to it again. */
export type Match = {
  /** Index of the match in the whole text. */
  readonly index: number;
  readonly line: number;
  /** Index of the match in its line. */
  readonly inLine: number;
};

export type Find = Pick<SearchState, 'count' | 'isSearching' | 'match'> & {
  /** The query. It changes a little later than the typed text. */
  readonly query: string;
  readonly next: () => void;
  readonly previous: () => void;
};

type SearchState = {
  /** The text that was searched. Its matches are not valid for another text. */
  readonly of: WholeText | null;
  readonly offsets: Uint32Array;
  readonly count: number;
  readonly isSearching: boolean;
  readonly match: Match | null;
};

const NO_SEARCH: SearchState = {
  of: null,
  offsets: new Uint32Array(0),
  count: 0,
  isSearching: false,
  match: null,
};

/**
 * Searches the text for `typed` in slices, and shows the first match at or after the byte `from()`.
 * When the text changes, counts the matches again but shows none.
 */
export function useFind(
  text: WholeText | null,
  typed: string,
  matchCase: boolean,
  from: () => number,
): Find {
  const query = useDeferredValue(typed);
  const [latest, setLatest] = useState<SearchState>(NO_SEARCH);
  /** Query whose first match was shown. */
  const shown = useRef('');

  useEffect(() => {
    setLatest(NO_SEARCH);
    const needle = needleOf(query, matchCase);
    if (needle === null) shown.current = '';
    if (text === null || needle === null) return;
    const search = new MatchSearch(text.bytes, needle);
    const asks = `${matchCase} ${query}`;
    const start = from();
    let match: Match | null = null;
    let toldAt = Number.NEGATIVE_INFINITY;
    const step = () => {
      search.advance(PIECE);
      const { count, offsets, isDone } = search;
      const isNew = shown.current !== asks && count > 0;
      const first = isNew ? (matchFrom(offsets, count, start) ?? (isDone ? 0 : null)) : null;
      if (first !== null) match = matchAt(text, offsets, first);
      if (first !== null || isDone) shown.current = asks;
      if (first !== null || isDone || performance.now() - toldAt > TELL_MS) {
        toldAt = performance.now();
        // Keep the shown match if the user has moved to another one meanwhile.
        setLatest((old) => {
          const kept = first === null && old.of === text ? old.match : match;
          return { of: text, offsets, count, isSearching: !isDone, match: kept };
        });
      }
      if (!isDone) timer = setTimeout(step, 0);
    };
    let timer = setTimeout(step, 0);
    return () => clearTimeout(timer);
  }, [text, query, matchCase, from]);

  const current = latest.of === text ? latest : NO_SEARCH;
  return useMemo(() => {
    const go = (by: number) => {
      const { offsets, count, match } = current;
      if (text === null || count === 0) return;
      const index =
        match === null
          ? (matchFrom(offsets, count, from()) ?? 0)
          : (match.index + by + count) % count;
      setLatest({ ...current, match: matchAt(text, offsets, index) });
    };
    const { count, isSearching, match } = current;
    return { query, count, isSearching, match, next: () => go(1), previous: () => go(-1) };
  }, [text, query, current, from]);
}

function matchAt(text: WholeText, offsets: Uint32Array, index: number): Match {
  const line = lineOfOffset(text, offsets[index] ?? 0);
  const { start } = lineRange(text, line);
  let first = index;
  while (first > 0 && (offsets[first - 1] ?? 0) >= start) first--;
  return { index, line, inLine: index - first };
}
