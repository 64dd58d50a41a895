/**
 * Finds names by the beginnings of their words: `tsk_st` finds `task_struct`.
 *
 * Each part of the needle begins at a word of the name, in order; inside a part
 * some characters may be left out. The matching is uFuzzy's. It works by regular
 * expressions that try many ways, so what goes in is bounded: short parts, short
 * names, and a limit of time that is looked at between a few names.
 */
import UFuzzy from '@leeoniya/ufuzzy';

const WORD_BOUND = 2;

const matcher = new UFuzzy({
  intraChars: '[a-z\\d_]',
  // Characters that can be skipped between two letters: `vas` finds vm_area_struct.
  intraIns: 5,
  interLft: WORD_BOUND,
});

/** Characters of a name; longer names are found by their beginning and by substrings. */
export const MAX_FUZZY_NAME = 64;
const MAX_PART = 10;
const MIN_NEEDLE = 2;
const MAX_NEEDLE = 32;
const BATCH = 64;

/** Returns the parts of a needle for a search by word beginnings; null if the needle does not suit. */
export function fuzzyParts(needle: string): readonly string[] | null {
  if (needle.length < MIN_NEEDLE || needle.length > MAX_NEEDLE) return null;
  if (!/^[a-z0-9_.]+$/.test(needle)) return null;
  const parts = needle.split(/[^a-z0-9]+/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => part.length <= MAX_PART) ? parts : null;
}

/** Returns the matching characters of `name` (lower case), or null. */
export function fuzzyRanges(name: string, needle: string): number[] | null {
  if (name.length > MAX_FUZZY_NAME || fuzzyParts(needle) === null) return null;
  const found = matcher.filter([name], needle);
  if (found === null || found.length === 0) return null;
  return matcher.info(found, [name], needle).ranges[0] ?? null;
}

export type FuzzyFound = {
  /** Index in `names`. */
  readonly index: number;
  /** Number of matching runs that begin inside a word, plus one if the name does not begin with a match. Fewer is better. */
  readonly breaks: number;
};

/** Returns the matches among `names` (lower case). Ends early after `limitMs`. */
export function fuzzyFilter(names: string[], needle: string, limitMs: number): FuzzyFound[] {
  const end = performance.now() + limitMs;
  const all: FuzzyFound[] = [];
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

/** Does a word begin at `at`, after a character that is no letter or digit? */
export function isWordStart(text: string, at: number): boolean {
  return at === 0 || !isAlnum(text.charCodeAt(at - 1));
}

function isAlnum(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}
