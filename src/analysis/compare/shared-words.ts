/** Compares names by their words, to tell a member that may have been renamed from another one. */

/** Maximum characters of a name that are compared. */
const MAX_NAME = 128;
/** Least share of common words, of the words of both names. */
const LEAST_SHARE = 0.6;

/**
 * Returns the share of common words, 0 to 1, if the names may be of one member: if all words of one
 * name are in the other, in any order, and few other words. Else null.
 */
export function sharedWords(a: string, b: string): number | null {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  if (first.size === 0 || second.size === 0) return null;
  const common = [...first].filter((word) => second.has(word)).length;
  const share = (2 * common) / (first.size + second.size);
  const isWithin = common === Math.min(first.size, second.size);
  return isWithin && share >= LEAST_SHARE ? share : null;
}

/** Returns the words of `idle_h_nr_running` or `idleCount`, in lower case. */
function wordsOf(name: string): Set<string> {
  const words = name
    .slice(0, MAX_NAME)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return new Set(words.split(/[^a-z0-9]+/).filter((word) => word !== ''));
}
