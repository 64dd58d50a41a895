/**
 * Reads the summary at the end of a log: counters, and at level 4 time and stack depths. Source:
 * kernel/bpf/verifier.c, print_verification_stats().
 */

/** Counters of a summary; null where an older kernel prints none. */
export type SummaryCounts = {
  readonly insns: number;
  readonly limit: number | null;
  readonly maxStatesPerInsn: number | null;
  readonly totalStates: number | null;
  readonly peakStates: number | null;
  readonly markRead: number | null;
};

const PROCESSED =
  /^processed (\d{1,10}) insns(?: \(limit (\d{1,10})\))?(?: max_states_per_insn (\d{1,10}))?(?: total_states (\d{1,10}))?(?: peak_states (\d{1,10}))?(?: mark_read (\d{1,10}))?/;
const TIME = /^verification time (\d{1,15}) usec/;
const STACK_DEPTH = /^stack depth (\d{1,10}(?:\+\d{1,10}){0,1023})/;

/** Returns the counters of a line; null if it has none. */
export function readCounts(text: string): SummaryCounts | null {
  const counts = PROCESSED.exec(text)?.slice(1).map(countOf);
  if (counts === undefined) return null;
  const [insns, limit = null, maxStatesPerInsn = null, totalStates = null] = counts;
  const [peakStates = null, markRead = null] = counts.slice(4);
  return { insns: insns ?? 0, limit, maxStatesPerInsn, totalStates, peakStates, markRead };
}

function countOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** Returns the time of a line in microseconds; null if it has none. */
export function readTime(text: string): number | null {
  const digits = TIME.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Returns the bytes of stack of each subprogram in a line; null if it has none. */
export function readStackDepths(text: string): readonly number[] | null {
  return STACK_DEPTH.exec(text)?.[1]?.split('+').map(Number) ?? null;
}

/** First line of a summary, up to the end of the line. */
const SUMMARY =
  /(?:processed \d{1,10} insns \(limit \d{1,10}\)(?: [a-z_]{1,24} \d{1,10}){0,8}|verification time \d{1,15} usec)\s{0,8}$/;

/**
 * Returns the length of a message before the summary that follows it in the same line: the length of
 * the text if none follows. The kernel ends some messages without a line end.
 */
export function messageLength(text: string): number {
  const isLikely = text.includes(' insns (limit ') || text.includes('verification time ');
  const at = isLikely ? text.search(SUMMARY) : -1;
  return at < 0 ? text.length : at;
}
