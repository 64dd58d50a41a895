/**
 * Rates how well a name matches a typed text. The palette ranks by it, the names
 * of a file in the worker and its own commands in the page.
 */
import { fuzzyRanges, isWordStart } from './fuzzy.ts';

/** Kinds of match, the best first. */
export const Match = { EXACT: 0, PREFIX: 1, WORD: 2, STARTS: 3, INSIDE: 4 } as const;
export type MatchClass = (typeof Match)[keyof typeof Match];

export type NameMatch = {
  readonly match: MatchClass;
  /** Matching characters: start and end (exclusive) of each run, in order. */
  readonly ranges: readonly number[];
};

/** Returns a text as a needle: in lower case, with `_` for blanks. */
export function needleOf(typed: string): string {
  return typed.trim().toLowerCase().replace(/\s+/g, '_');
}

/**
 * Matches `name` with a needle of `needleOf`; null where it does not answer. A
 * needle of one character matches only at the beginning.
 */
export function matchName(name: string, needle: string): NameMatch | null {
  if (needle === '') return { match: Match.PREFIX, ranges: [] };
  const lower = name.toLowerCase();
  // Letters whose case changes their length would make ranges wrong.
  const isAligned = lower.length === name.length;
  const found = substring(lower, needle) ?? substring(lower.replace(/[\s-]/g, '_'), needle);
  const plain = found !== null && found.match <= Match.WORD ? found : null;
  const match = plain ?? fuzzy(lower, needle) ?? found;
  return match === null || isAligned ? match : { ...match, ranges: [] };
}

function substring(lower: string, needle: string): NameMatch | null {
  let at = lower.indexOf(needle);
  if (at < 0 || (needle.length === 1 && at > 0)) return null;
  if (at === 0) {
    const isAll = lower.length === needle.length;
    return { match: isAll ? Match.EXACT : Match.PREFIX, ranges: [0, needle.length] };
  }
  const first = at;
  while (at >= 0 && !isWordStart(lower, at)) at = lower.indexOf(needle, at + 1);
  const start = at < 0 ? first : at;
  const match = at < 0 ? Match.INSIDE : Match.WORD;
  return { match, ranges: [start, start + needle.length] };
}

function fuzzy(lower: string, needle: string): NameMatch | null {
  const ranges = fuzzyRanges(lower, needle);
  return ranges === null ? null : { match: Match.STARTS, ranges };
}
