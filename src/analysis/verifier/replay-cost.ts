/** What the walk of a program costs: walked instructions by function, line of C and loop. */
import { lowerBound, upperBound } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
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

/** Walked instructions of a function, of a line in it, or of one instruction. */
export type CostNode = {
  readonly kind: 'function' | 'line' | 'insn';
  /** First instruction. */
  readonly insn: number;
  /** Index of the line of C in the lines; -1 if there is none. Of a function, its first line. */
  readonly line: number;
  readonly steps: number;
  /** Lines of a function, instructions of a line; the most expensive first. */
  readonly children: readonly CostNode[];
};

/** Returns the functions of a walk with their lines and instructions, the most expensive first. */
export function costTree(replay: Replay, { lineOfStep }: ReplayLines): readonly CostNode[] {
  const starts = functionStarts(replay);
  const functions = new Map<number, Map<number, Map<number, number>>>();
  for (let step = 0; step < replay.stepCount; step++) {
    const insn = replay.insnOf(step);
    const start = starts[upperBound(starts, insn) - 1] ?? 0;
    const lines = getOrCreate(functions, start, () => new Map<number, Map<number, number>>());
    const insns = getOrCreate(lines, lineOfStep[step] ?? -1, () => new Map<number, number>());
    insns.set(insn, (insns.get(insn) ?? 0) + 1);
  }
  return nodes(functions, (start, lines) => {
    const children = nodes(lines, (line, insns) =>
      node(
        'line',
        line,
        nodes(insns, (insn, steps) => ({ kind: 'insn', insn, line, steps, children: [] })),
      ),
    );
    const first = children.find(({ insn }) => insn === start)?.line ?? -1;
    return { ...node('function', first, children), insn: start };
  });
}

function nodes<T>(
  map: ReadonlyMap<number, T>,
  make: (key: number, value: T) => CostNode,
): readonly CostNode[] {
  const all = [...map].map(([key, value]) => make(key, value));
  return all.sort((a, b) => b.steps - a.steps || a.insn - b.insn);
}

function node(kind: CostNode['kind'], line: number, children: readonly CostNode[]): CostNode {
  let steps = 0;
  let insn = Infinity;
  for (const child of children) {
    steps += child.steps;
    insn = Math.min(insn, child.insn);
  }
  return { kind, insn, line, steps, children };
}

/** Returns the first instructions of the functions that the walk entered, ascending. */
function functionStarts(replay: Replay): readonly number[] {
  const starts = new Set([0]);
  for (let step = 0; step < replay.stepCount; step++) {
    const parent = replay.parentOf(step);
    const isCall = parent >= 0 && replay.frameOf(step) > replay.frameOf(parent);
    // The first step may be in the middle of a function: the head of a long log is cut off.
    if (isCall || (step > 0 && replay.isRoot(step))) starts.add(replay.insnOf(step));
  }
  return [...starts].sort((a, b) => a - b);
}
