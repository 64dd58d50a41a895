/** Rates how well a name, from a file or of a command of the app, matches a search text. */
import UFuzzy from '@leeoniya/ufuzzy';

/** Classes of matches, best first. */
export const Match = { EXACT: 0, PREFIX: 1, WORD: 2, STARTS: 3, INSIDE: 4 } as const;
export type MatchClass = (typeof Match)[keyof typeof Match];

export type NameMatch = {
  readonly match: MatchClass;
  /** Matching characters: start and end (exclusive) of each range, in order. */
  readonly ranges: readonly number[];
};

/** Returns a search text in the form to compare: lower case, with `_` for blanks. */
export function needleOf(typed: string): string {
  return typed.trim().toLowerCase().replace(/\s+/g, '_');
}

/** Matches `name` with a text from `needleOf`; one character matches only the start of a name. */
export function matchName(name: string, needle: string): NameMatch | null {
  if (needle === '') return { match: Match.PREFIX, ranges: [] };
  const lower = name.toLowerCase();
  // Ranges would be wrong if lower case changed the number of characters.
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

const WORD_BOUND = 2;

/**
 * Finds names by the starts of their words: `tsk_st` finds `task_struct`. uFuzzy backtracks, so the
 * lengths of names and words and the time are limited.
 */
const matcher = new UFuzzy({
  intraChars: '[a-z\\d_]',
  // Maximum number of characters between two matching letters: `vas` finds vm_area_struct.
  intraIns: 5,
  interLft: WORD_BOUND,
});

/** Maximum length of a name to search by word starts; longer names match by prefix or substring. */
export const MAX_FUZZY_NAME = 64;
const MAX_PART = 10;
const MIN_NEEDLE = 2;
const MAX_NEEDLE = 32;
const BATCH = 64;

/** Returns the words of a needle for a search by word starts; null if the search cannot use it. */
export function fuzzyParts(needle: string): readonly string[] | null {
  if (needle.length < MIN_NEEDLE || needle.length > MAX_NEEDLE) return null;
  if (!/^[a-z0-9_.]+$/.test(needle)) return null;
  const parts = needle.split(/[^a-z0-9]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => part.length <= MAX_PART) ? parts : null;
}

/** Returns the matching characters of `name` (lower case), or null if it does not match. */
function fuzzyRanges(name: string, needle: string): number[] | null {
  if (name.length > MAX_FUZZY_NAME || fuzzyParts(needle) === null) return null;
  const found = matcher.filter([name], needle);
  if (found === null || found.length === 0) return null;
  return matcher.info(found, [name], needle).ranges[0] ?? null;
}

export type FuzzyMatch = {
  readonly index: number;
  /** Number of ranges inside words, plus 1 if the name's start does not match. Lower is better. */
  readonly breaks: number;
};

/** Returns the matching names of `names` (lower case). Stops after `limitMs` milliseconds. */
export function fuzzyFilter(names: string[], needle: string, limitMs: number): FuzzyMatch[] {
  const end = performance.now() + limitMs;
  const all: FuzzyMatch[] = [];
  for (let from = 0; from < names.length; from += BATCH) {
    const batch = names.slice(from, from + BATCH);
    const found = matcher.filter(batch, needle);
    if (found !== null && found.length > 0) {
      const info = matcher.info(found, batch, needle);
      info.idx.forEach((at, i) => {
        all.push({ index: from + at, breaks: breaksIn(batch[at] ?? '', info.ranges[i] ?? []) });
      });
    }
    if (performance.now() > end) break;
  }
  return all;
}

function breaksIn(name: string, ranges: readonly number[]): number {
  let breaks = ranges[0] === 0 ? 0 : 1;
  for (let i = 0; i < ranges.length; i += 2) {
    if (!isWordStart(name, ranges[i] ?? 0)) breaks++;
  }
  return breaks;
}

/** Returns true if a word starts at `at`: the character before `at` is no letter or digit. */
export function isWordStart(text: string, at: number): boolean {
  return at === 0 || !isAlnum(text.charCodeAt(at - 1));
}

function isAlnum(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}
