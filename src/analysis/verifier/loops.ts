/** Finds the loop that the end of a path is in. */
import type { Walk } from './walk.ts';

export type Loop = {
  /** Steps of the last whole round, from the instruction that the jump back leads to. */
  readonly steps: readonly number[];
  /** The conditional jump that decides about another round; without one, the jump back. */
  readonly bound: number;
};

/** Largest number of steps of a round. */
const MAX_ROUND = 100_000;

/** Returns the loop that `step` is in, or null. */
export function lastLoop(walk: Walk, step: number): Loop | null {
  const last = new Map<number, number>();
  const frame = walk.frameOf(step);
  let child = step;
  // A round is complete where an instruction is met for the second time.
  for (let at = step, count = 0; at >= 0 && count < MAX_ROUND; at = walk.parents[at] ?? -1) {
    count += 1;
    const insn = walk.insnOf(at);
    if (walk.frameOf(at) === frame) {
      if (last.has(insn)) break;
      last.set(insn, at);
    }
    child = at;
    if ((walk.parents[at] ?? -1) < 0) return null;
  }
  const round = [...last.values()].filter((at) => at >= child).sort((a, b) => a - b);
  const isBack = (at: number) => {
    const jump = walk.textOf(at)?.jump ?? null;
    return jump !== null && jump < 0;
  };
  const back = round.findLast(isBack);
  if (back === undefined) return null;
  const head = walk.insnOf(back) + 1 + (walk.textOf(back)?.jump ?? 0);
  const start = round.findIndex((at) => walk.insnOf(at) === head);
  const steps = start < 0 ? round : [...round.slice(start), ...round.slice(0, start)];
  const bound = steps.findLast((at) => walk.textOf(at)?.form === 'branch');
  return { steps, bound: bound ?? back };
}
