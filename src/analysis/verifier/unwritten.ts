/** Finds the branch because of which a path did not write a register or stack slot. */

import { slotName } from './step-states.ts';
import type { Walk } from './walk.ts';

/** Largest number of instructions that are looked at on the other side of a branch. */
const MAX_SCAN = 512;
/** Largest number of branches that are looked at. */
const MAX_BRANCHES = 4096;

/** Returns the call before `step` that returned from a function of the program, if it is the latest. */
export function emptyReturn(walk: Walk, step: number): number | null {
  const frame = walk.frameOf(step);
  let at = walk.parents[step] ?? -1;
  for (; at >= 0 && walk.frameOf(at) === frame; at = walk.parents[at] ?? -1) {
    if (walk.textOf(at)?.form === 'call') return null;
  }
  while (at >= 0 && walk.frameOf(at) > frame) at = walk.parents[at] ?? -1;
  const isCall = at >= 0 && walk.frameOf(at) === frame;
  return isCall && walk.textOf(at)?.call?.kind === 'subprogram' ? at : null;
}

type Slot = { readonly off: number; readonly size: number };

/**
 * Returns the latest branch on the path to `step` whose other side writes to the register, or to
 * the slot. Where the log does not have the instructions of the other side, since at level 1 only
 * the path that failed remains: the latest branch whose other side was walked without a fault.
 */
export function skippedAssignment(
  walk: Walk,
  step: number,
  register: number | null,
  slot: Slot | null,
): number | null {
  const frame = walk.frameOf(step);
  const onPath = new Set<number>();
  let child = step;
  let walked: number | null = null;
  for (let at = step, count = 0; at >= 0 && count < MAX_BRANCHES; at = walk.parents[at] ?? -1) {
    onPath.add(walk.insnOf(at));
    const text = walk.textOf(at);
    if (at !== step && walk.frameOf(at) < frame) break;
    if (at !== step && text?.form === 'branch' && text.jump !== null) {
      count += 1;
      const insn = walk.insnOf(at);
      const target = insn + 1 + text.jump;
      const other = walk.insnOf(child) === target ? insn + 1 : target;
      const found = writesFrom(walk, other, onPath, register, slot);
      if (found === 'yes') return at;
      if (found === 'unknown' && walk.edgeOf(child) === 'popped') walked ??= at;
    }
    child = at;
  }
  return walked;
}

/** Looks for a write between `start` and the first instruction of the path. */
function writesFrom(
  walk: Walk,
  start: number,
  onPath: ReadonlySet<number>,
  register: number | null,
  slot: Slot | null,
): 'yes' | 'no' | 'unknown' {
  let insn = start;
  let hasGap = false;
  for (let count = 0; count < MAX_SCAN && !onPath.has(insn); count++) {
    const step = walk.lastStepOf(insn);
    const text = step === null ? null : walk.textOf(step);
    if (text === null) {
      // The second half of an instruction of two slots has no line.
      hasGap = true;
      insn += 1;
      continue;
    }
    if (register !== null && slot === null && text.writes.includes(register)) return 'yes';
    const { mem } = text;
    if (slot !== null && text.form === 'store' && mem?.base === 10) {
      if (slotName(mem.off) === slotName(slot.off)) return 'yes';
    }
    if (text.form === 'exit') return 'no';
    insn += text.form === 'goto' ? 1 + (text.jump ?? 0) : 1;
  }
  return hasGap ? 'unknown' : 'no';
}
