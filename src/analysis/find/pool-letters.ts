/** Which letters the names of a pool have: what lets a search pass most of them over. */
import { MAX_FUZZY_NAME } from './fuzzy.ts';

/**
 * A search by the beginnings of words ends after so many milliseconds: ten times
 * what it takes on a kernel. Only names made to be slow come near it.
 */
export const FUZZY_MS = 100;

/** More names than this are not looked at one by one. */
const MAX_CANDIDATES = 20_000;

const DIGIT = 1 << 26;
const BETWEEN = 1 << 27;
const OTHER = 1 << 28;

/** One bit for each letter, one for all digits, one for `_` and `.`, one for the rest. Of a lower-case character. */
function letterBit(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return DIGIT;
  return code === 95 || code === 46 ? BETWEEN : OTHER;
}

/** The letters of `text` from `start` to before `end`, and those that its words begin with. */
export function lettersOf(
  text: string,
  start: number,
  end: number,
): { readonly letters: number; readonly firstLetters: number } {
  let letters = 0;
  let firstLetters = 0;
  let isStart = true;
  for (let at = start; at < end; at++) {
    const bit = letterBit(text.charCodeAt(at));
    letters |= bit;
    if (isStart) firstLetters |= bit;
    isStart = (bit & (BETWEEN | OTHER)) !== 0;
  }
  return { letters, firstLetters };
}

type Letters = {
  readonly count: number;
  readonly text: string;
  readonly starts: Uint32Array;
  readonly letters: Uint32Array;
  readonly firstLetters: Uint32Array;
};

/** Names that have all letters of `needle` in order, and words that begin as its parts do. Short ones only. */
export function fuzzyCandidates(
  { count, text, starts, letters, firstLetters }: Letters,
  needle: string,
  parts: readonly string[],
): number[] {
  // Between two parts anything may stand, so `_` and `.` are no letters of the needle.
  const need = lettersOf(needle, 0, needle.length).letters & ~(BETWEEN | OTHER);
  const needFirst = parts.reduce((bits, part) => bits | letterBit(part.charCodeAt(0)), 0);
  const inOrder = parts.join('');
  const found: number[] = [];
  for (let name = 0; name < count; name++) {
    if (((firstLetters[name] ?? 0) & needFirst) !== needFirst) continue;
    if (((letters[name] ?? 0) & need) !== need) continue;
    const start = starts[name] ?? 0;
    const end = (starts[name + 1] ?? 0) - 1;
    if (end - start > MAX_FUZZY_NAME || !holdsInOrder(text, start, end, inOrder)) continue;
    found.push(name);
    if (found.length >= MAX_CANDIDATES) break;
  }
  return found;
}

/** Do the characters of `wanted` come in `text` one behind the other, others between them or not? */
function holdsInOrder(text: string, start: number, end: number, wanted: string): boolean {
  let next = 0;
  for (let at = start; at < end && next < wanted.length; at++) {
    if (text.charCodeAt(at) === wanted.charCodeAt(next)) next++;
  }
  return next === wanted.length;
}
