/** What the walk of a program costs: instructions walked, by source line, function and loop. */
import type { Walk } from './walk.ts';

export type LineCost = {
  /** A line of the text that has the source line; -1 for instructions without one. */
  readonly textLine: number;
  readonly steps: number;
  /** How often the walk came to the line from another one. */
  readonly visits: number;
};

export type FunctionCost = {
  /** First instruction of the function. */
  readonly start: number;
  readonly steps: number;
};

export type LoopCost = {
  /** First instruction of the loop, and the jump back to it. */
  readonly head: number;
  readonly back: number;
  readonly rounds: number;
};

export type WalkCost = {
  readonly lines: readonly LineCost[];
  readonly functions: readonly FunctionCost[];
  readonly loops: readonly LoopCost[];
};

/** Counts the steps of a walk. The most expensive entry of each list is the first. */
export function walkCost(walk: Walk): WalkCost {
  return { lines: lineCosts(walk), functions: functionCosts(walk), loops: loopCosts(walk) };
}

function lineCosts(walk: Walk): LineCost[] {
  const { sourceLines, table } = walk;
  const keys = new Map<number, string>();
  const costs = new Map<string, { textLine: number; steps: number; visits: number }>();
  let previous = '';
  for (let step = 0; step < walk.stepCount; step++) {
    const textLine = sourceLines[step] ?? -1;
    let key = keys.get(textLine);
    if (key === undefined) {
      key = textLine < 0 ? '' : table.textOf(textLine);
      keys.set(textLine, key);
    }
    const cost = costs.get(key) ?? { textLine, steps: 0, visits: 0 };
    cost.steps += 1;
    if (step === 0 || key !== previous) cost.visits += 1;
    costs.set(key, cost);
    previous = key;
  }
  return [...costs.values()].sort((a, b) => b.steps - a.steps);
}

function functionCosts(walk: Walk): FunctionCost[] {
  const starts = functionStarts(walk);
  const counts = new Map<number, number>();
  for (let step = 0; step < walk.stepCount; step++) {
    const insn = walk.insnOf(step);
    const start = starts.findLast((at) => at <= insn) ?? 0;
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  return [...counts].map(([start, steps]) => ({ start, steps })).sort((a, b) => b.steps - a.steps);
}

/** Returns the first instructions of the functions that the walk entered, ascending. */
function functionStarts(walk: Walk): readonly number[] {
  const starts = new Set<number>([0]);
  for (let step = 0; step < walk.stepCount; step++) {
    const parent = walk.parentOf(step);
    const isStart = parent === null ? walk.edgeOf(step) === 'root' : false;
    const isCall = parent !== null && walk.frameOf(step) > walk.frameOf(parent);
    if (isStart || isCall) starts.add(walk.insnOf(step));
  }
  return [...starts].sort((a, b) => a - b);
}

function loopCosts(walk: Walk): LoopCost[] {
  const loops = new Map<string, { head: number; back: number; rounds: number }>();
  for (let step = 0; step < walk.stepCount; step++) {
    const parent = walk.parentOf(step);
    if (parent === null || walk.frameOf(parent) !== walk.frameOf(step)) continue;
    const [back, head] = [walk.insnOf(parent), walk.insnOf(step)];
    if (head > back || (walk.textOf(parent)?.jump ?? 0) >= 0) continue;
    const key = `${back} ${head}`;
    const loop = loops.get(key) ?? { head, back, rounds: 0 };
    loop.rounds += 1;
    loops.set(key, loop);
  }
  return [...loops.values()].sort((a, b) => b.rounds - a.rounds);
}
