import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { MatchSearch, matchFrom, needleOf } from './find-bytes.ts';
import { lineOfOffset, lineRange } from './text-lines.ts';
import type { WholeText } from './whole-text.ts';

/** Bytes searched in one slice, which takes a few milliseconds. */
const PIECE = 1 << 20;
/** Milliseconds between two updates of the count. */
const TELL_MS = 120;

/** Shown match; a new object scrolls to it again. */
export type Match = {
  /** Index among all matches. */
  readonly index: number;
  readonly line: number;
  /** Index among the matches of its line. */
  readonly inLine: number;
};

export type Find = {
  /** Query, deferred while the user types. */
  readonly query: string;
  readonly count: number;
  readonly isSearching: boolean;
  /** null if there is none. */
  readonly match: Match | null;
  readonly next: () => void;
  readonly previous: () => void;
};

type Found = {
  /** Searched text; its matches do not apply to another text. */
  readonly of: WholeText | null;
  readonly offsets: Uint32Array;
  readonly count: number;
  readonly isSearching: boolean;
  readonly match: Match | null;
};

const NONE: Found = {
  of: null,
  offsets: new Uint32Array(0),
  count: 0,
  isSearching: false,
  match: null,
};

/**
 * Searches the text for `typed` in slices, and shows the first match at or after the byte that
 * `from` returns. In another text it only counts the matches.
 */
export function useFind(
  text: WholeText | null,
  typed: string,
  matchCase: boolean,
  from: () => number,
): Find {
  const query = useDeferredValue(typed);
  const [latest, setLatest] = useState<Found>(NONE);
  /** Query whose first match was shown. */
  const shown = useRef('');

  useEffect(() => {
    setLatest(NONE);
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
        // The user can have moved to another match meanwhile.
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

  const found = latest.of === text ? latest : NONE;
  return useMemo(() => {
    const go = (by: number) => {
      const { offsets, count, match } = found;
      if (text === null || count === 0) return;
      const index =
        match === null
          ? (matchFrom(offsets, count, from()) ?? 0)
          : (match.index + by + count) % count;
      setLatest({ ...found, match: matchAt(text, offsets, index) });
    };
    const { count, isSearching, match } = found;
    return { query, count, isSearching, match, next: () => go(1), previous: () => go(-1) };
  }, [text, query, found, from]);
}

function matchAt(text: WholeText, offsets: Uint32Array, index: number): Match {
  const line = lineOfOffset(text, offsets[index] ?? 0);
  const { start } = lineRange(text, line);
  let first = index;
  while (first > 0 && (offsets[first - 1] ?? 0) >= start) first--;
  return { index, line, inLine: index - first };
}
