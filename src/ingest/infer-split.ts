/**
 * Infers the size of the missing base of split BTF: the number of types and the length of the
 * strings. With the right size, every string of the split BTF is the name of something and every
 * prototype belongs to a function. The largest used offset (or id) belongs to the split BTF. So
 * each string (or type) of the split BTF gives one candidate for the size. The candidate with the
 * fewest faults is best.
 */
import { lowerBound } from '#bytes/arrays.ts';
import type { BaseNeeds, Estimate } from '#model/split-base.ts';
import type { SplitEvidence } from './split-evidence.ts';

export type Guess = Estimate & {
  /** Number of references and strings that contradict the value. */
  readonly faults: number;
};

export type SplitGuess = {
  /** Guess for the first id of the split BTF: number of base types, plus 1. */
  readonly firstId: Guess;
  /** Guess for the length of the base's strings in bytes. */
  readonly strBase: Guess;
};

/** How many of the largest values are tried, because some of them may be damaged. */
const TOP_VALUES = 4;
/** Largest number of candidates for the base size that one id or string offset gives. */
const MAX_CANDIDATES = 1 << 16;
/** First id after the largest base that a kernel loads (BTF_MAX_TYPE in linux/btf.h). */
const MAX_FIRST_ID = 0xfffff + 1;
/** Largest number of steps of a guess, so that hostile data does not take long. */
const MAX_STEPS = 20_000_000;

/** Returns the base size that fits the evidence best. Takes linear time for usual files. */
export function inferSplit(evidence: SplitEvidence): SplitGuess {
  return { firstId: guessFirstId(evidence), strBase: guessStrBase(evidence) };
}

/** Returns a guess in the form of a base size. */
export function needsOf({ firstId, strBase }: SplitGuess): BaseNeeds {
  return {
    typeCount: { value: firstId.value - 1, sure: firstId.sure },
    strLen: { value: strBase.value, sure: strBase.sure },
  };
}

/** Returns true if the blob is valid without a base, so that it is not split BTF. */
export function standsAlone(evidence: SplitEvidence): boolean {
  const maxRef = evidence.refs[0] ?? 0;
  const maxName = evidence.names.at(-1) ?? 0;
  return maxRef <= evidence.countLimit && maxName < Math.max(1, evidence.strLen);
}

/** Returns the faults of a given base size, for example of an available base. */
export function faultsOf(evidence: SplitEvidence, firstId: number, strBase: number): number {
  return (
    scoreFirstId(evidence, firstId, Number.POSITIVE_INFINITY).faults +
    scoreStrBase(evidence, strBase, Number.POSITIVE_INFINITY).faults
  );
}

type Score = { readonly faults: number; readonly hits: number; readonly steps: number };

function guessFirstId(evidence: SplitEvidence): Guess {
  const { refs, count, mustCount } = evidence;
  const candidates = new Set<number>();
  for (const top of refs.subarray(0, TOP_VALUES)) {
    const lowest = Math.max(1, top - count + 1);
    const highest = Math.min(top, lowest + MAX_CANDIDATES, MAX_FIRST_ID);
    for (let first = lowest; first <= highest; first++) candidates.add(first);
    if (top < MAX_FIRST_ID) candidates.add(top + 1);
  }
  if (candidates.size === 0) candidates.add(1);
  return best(
    candidates,
    (first, limit) => scoreFirstId(evidence, first, limit),
    (hits) => mustCount > 0 || hits >= 3,
    (hits) => mustCount > 0 || hits >= 3,
  );
}

function guessStrBase(evidence: SplitEvidence): Guess {
  const { names, starts } = evidence;
  const candidates = new Set<number>();
  const lastStarts = starts.slice(-MAX_CANDIDATES).reverse();
  for (const top of names.slice(-TOP_VALUES).reverse()) {
    for (const start of lastStarts) if (top > start) candidates.add(top - start);
  }
  if (candidates.size === 0) {
    return { value: (names.at(-1) ?? 0) + 1, sure: 'unknown', faults: 0 };
  }
  return best(
    candidates,
    (base, limit) => scoreStrBase(evidence, base, limit),
    (hits) => hits >= 1,
    (hits) => hits >= 2,
  );
}

/** Returns a candidate with the fewest faults: the one with clearly most hits, or the lowest. */
function best(
  candidates: Iterable<number>,
  score: (candidate: number, limit: number) => Score,
  isLikely: (hits: number) => boolean,
  isCertain: (hits: number) => boolean,
): Guess {
  let faults = Number.POSITIVE_INFINITY;
  /** Number of candidates with `faults` faults, and the smallest such candidate. */
  let fitting = 0;
  let smallest = 0;
  /** Candidate with the most hits, its hits, and the hits of the second best candidate. */
  let value = 0;
  let hits = -1;
  let nextHits = -1;
  let steps = 0;
  for (const candidate of candidates) {
    const s = score(candidate, faults);
    steps += s.steps + 1;
    if (steps > MAX_STEPS) break;
    if (s.faults > faults) continue;
    if (s.faults < faults) {
      ({ faults } = s);
      fitting = 0;
      smallest = candidate;
      hits = -1;
    }
    fitting++;
    smallest = Math.min(smallest, candidate);
    nextHits = Math.max(Math.min(hits, s.hits), fitting === 1 ? -1 : nextHits);
    if (s.hits > hits) {
      ({ hits } = s);
      value = candidate;
    }
  }
  const isClear = fitting === 1 || hits > 2 * nextHits;
  if (!isClear || !isLikely(hits)) return { value: smallest, sure: 'unknown', faults };
  const isOnly = fitting === 1 && faults === 0 && steps <= MAX_STEPS;
  return { value, sure: isOnly && isCertain(hits) ? 'certain' : 'likely', faults };
}

/** Counts self-references, wrong kinds and ids, base variables and unused prototypes as faults. */
function scoreFirstId(evidence: SplitEvidence, firstId: number, limit: number): Score {
  const { refs, refKinds, kindBit, wanted, count, countLimit, mustCount, varRefs } = evidence;
  let faults = evidence.selfRefs.get(firstId) ?? 0;
  let hits = 0;
  let must = 0;
  let i = 0;
  for (; i < refs.length && faults <= limit; i++) {
    const index = (refs[i] ?? 0) - firstId;
    if (index < 0) break;
    if (index >= countLimit) faults++;
    if (index >= count) continue;
    if (((kindBit[index] ?? 0) & (refKinds[i] ?? 0)) === 0) {
      faults++;
      continue;
    }
    const weight = wanted[index] ?? 0;
    if (weight > 0) hits++;
    if (weight === 2) must++;
  }
  for (let v = 0; v < varRefs.length && (varRefs[v] ?? 0) < firstId; v++) faults++;
  return { faults: faults + mustCount - must, hits, steps: i };
}

/** Counts unused strings as faults, and names that do not begin at the start of a string. */
function scoreStrBase(evidence: SplitEvidence, strBase: number, limit: number): Score {
  const { names, starts } = evidence;
  let faults = 0;
  let hits = 0;
  let n = lowerBound(names, strBase);
  let s = 0;
  while ((n < names.length || s < starts.length) && faults <= limit) {
    const name = names[n] ?? Number.POSITIVE_INFINITY;
    const start = strBase + (starts[s] ?? Number.POSITIVE_INFINITY);
    if (name === start) hits++;
    else faults++;
    if (name <= start) n++;
    if (start <= name) s++;
  }
  return { faults, hits, steps: n + s };
}
