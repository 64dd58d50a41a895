/** What the walk of a program costs: walked instructions of each line of C and of each loop. */
import { lowerBound } from '#bytes/arrays.ts';
import type { Replay } from './replay.ts';
import type { ReplayLines } from './replay-source.ts';

/** Instructions from the target of a jump back to the jump. */
export type LoopCost = {
  readonly first: number;
  /** The jump back. */
  readonly last: number;
  /** How often the jump back was walked. */
  readonly rounds: number;
  /** Walked instructions of the loop, without those of functions that it calls. */
  readonly steps: number;
};

/** Maximum number of loops that are counted: a hostile log has a jump back in each line. */
const MAX_LOOPS = 1000;

/** Returns the loops of a walk, the most expensive first. */
export function loopCosts(replay: Replay): LoopCost[] {
  const insns = [...replay.counts.keys()].sort((a, b) => a - b);
  const sums = [0];
  for (const insn of insns) sums.push((sums.at(-1) ?? 0) + (replay.counts.get(insn) ?? 0));
  const stepsBefore = (insn: number) => sums[lowerBound(insns, insn)] ?? 0;
  const byHead = new Map<number, number>();
  for (const insn of insns) {
    const text = replay.textOf(insn);
    const jump = text?.jump ?? 0;
    if (jump >= 0 || (text?.form !== 'branch' && text?.form !== 'goto')) continue;
    const head = insn + 1 + jump;
    if (byHead.size >= MAX_LOOPS && !byHead.has(head)) break;
    byHead.set(head, Math.max(insn, byHead.get(head) ?? 0));
  }
  return [...byHead]
    .map(([first, last]) => ({
      first,
      last,
      rounds: replay.counts.get(last) ?? 0,
      steps: stepsBefore(last + 1) - stepsBefore(first),
    }))
    .filter(({ rounds }) => rounds > 1)
    .sort((a, b) => b.steps - a.steps);
}

/** Returns the indexes of the walked lines, the most expensive first. */
export function costlyLines({ lines }: ReplayLines): number[] {
  return lines
    .flatMap(({ count }, line) => (count === 0 ? [] : [line]))
    .sort((a, b) => (lines[b]?.count ?? 0) - (lines[a]?.count ?? 0) || a - b);
}
