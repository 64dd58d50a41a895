/**
 * How well one name answers what was typed. The palette ranks by it, the names
 * of a file in the worker and its own commands in the page.
 */
import { fuzzyRanges, isWordStart } from './fuzzy.ts';

/** The ways in which a name can answer, the best first. */
export const Match = { EXACT: 0, PREFIX: 1, WORD: 2, STARTS: 3, INSIDE: 4 } as const;
export type MatchClass = (typeof Match)[keyof typeof Match];

export type NameMatch = {
  readonly match: MatchClass;
  /** The characters that answer: start and end (exclusive) of each run, one after the other. */
  readonly ranges: readonly number[];
};

/** Lower case; blanks stand for the `_` between the words of C names. */
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
  // Some letters change their length with their case: then no range would be right.
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
