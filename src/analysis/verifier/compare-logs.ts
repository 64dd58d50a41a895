/** Compares the logs of two texts: which logs belong together, and the texts of what differs. */
import { finish } from '#bytes/long-work.ts';
import { compareWalks, type ValueDifference, type WalkComparison } from './compare-walks.ts';
import { overviewOf } from './log-overview.ts';
import type { LogPart } from './log-parts.ts';
import type { LogTable } from './log-table.ts';
import { shownText } from './state-rows.ts';
import type { LogBinding } from './typed-value.ts';
import { type Walk, walkOf } from './walk.ts';

/** What tells which logs of two texts belong together. */
type NamedPart = Pick<LogPart, 'kind' | 'program'>;

/**
 * Returns the index of the part of another text that a part belongs to: the log of the same program,
 * else the one at the same place among the logs of the verifier, else the first one; -1 for none.
 */
export function partnerOf(
  parts: readonly NamedPart[],
  part: number,
  others: readonly NamedPart[],
): number {
  const program = parts[part]?.program ?? null;
  const isLog = ({ kind }: NamedPart) => kind === 'verifier';
  const named = others.findIndex((other) => isLog(other) && other.program === program);
  if (program !== null && named >= 0) return named;
  const logs = [...others.keys()].filter((i) => isLog(others[i] ?? { kind: 'btf', program: null }));
  const place = parts.slice(0, part).filter(isLog).length;
  return logs[place] ?? logs[0] ?? -1;
}

/** A log of each text, compared. */
export type ComparedLogs = {
  readonly program: string | null;
  readonly verdicts: readonly [LogPart['verdict'], LogPart['verdict']];
  readonly comparison: WalkComparison;
};

/** Compares a part of each of two texts; null if one of them has no walked instructions. */
export function compareParts(
  first: LogTable,
  second: LogTable,
  [a, b]: readonly [LogPart | undefined, LogPart | undefined],
): ComparedLogs | null {
  if (a?.kind !== 'verifier' || b?.kind !== 'verifier') return null;
  const walks: readonly [Walk, Walk] = [walkOf(first, a), walkOf(second, b)];
  if (walks.some(({ stepCount }) => stepCount === 0)) return null;
  const isRefused = [a.verdict === 'rejected', b.verdict === 'rejected'] as const;
  return {
    program: a.program ?? b.program,
    verdicts: [a.verdict, b.verdict],
    comparison: compareWalks(...walks, isRefused),
  };
}

/** Compares each log of the first text with the one of the second that belongs to it. */
export function compareLogs(first: LogTable, second: LogTable): readonly ComparedLogs[] {
  const [parts, others] = [first, second].map((table) => finish(overviewOf(table)).overview.parts);
  if (parts === undefined || others === undefined) return [];
  return parts.flatMap((part, index) => {
    if (part.kind !== 'verifier') return [];
    const partner = others[partnerOf(parts, index, others)];
    const compared = compareParts(first, second, [part, partner]);
    return compared === null ? [] : [compared];
  });
}

/** Returns a difference in words: `R0 after insn 5: map_value → map_value, may be NULL`. */
export function differenceText(
  difference: ValueDifference,
  bindings: readonly [LogBinding, LogBinding],
): string {
  const { names, values, places, isAfter } = difference;
  const [one, two] = places;
  const name = names[0] === names[1] ? names[0] : `${names[0]} and ${names[1]}`;
  const insns = one.insn === two.insn ? `${one.insn}` : `${one.insn} and ${two.insn}`;
  const [first, second] = values.map((value, i) => shownText(value, bindings[i] ?? bindings[0]));
  return `${name} ${isAfter ? 'after' : 'before'} insn ${insns}: ${first} → ${second}`;
}
