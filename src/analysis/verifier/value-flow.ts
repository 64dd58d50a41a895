/** Follows a value forward along a path: where it is used, copied and passed on. */
import { Lineages } from './lineage.ts';
import { slotName, statesOf } from './step-states.ts';

import type { Walk } from './walk.ts';

/** Largest number of steps that are looked at. */
const MAX_STEPS = 100_000;

/**
 * Returns the steps after `step` on the path to `until` that use the value which `register` has
 * after `step`, or a value made from it. The path ends where no copy is left.
 */
export function forwardFrom(
  walk: Walk,
  step: number,
  register: number,
  until: number = walk.stepCount - 1,
): readonly number[] {
  const path = walk.pathTo(until);
  const start = path.indexOf(step);
  if (start < 0) return [];
  const flow = new Flow(walk, step, register);
  const end = Math.min(path.length, start + 1 + MAX_STEPS);
  for (let index = start + 1; index < end && !flow.isOver; index++) {
    flow.pass(path[index] ?? 0, path[index + 1] ?? null);
  }
  return flow.uses;
}

class Flow {
  readonly uses: number[] = [];
  readonly #walk: Walk;
  readonly #lineages: Lineages;
  /** Registers and slots that hold the value, with their frame: `1 R0`, `0 fp-8`. */
  readonly #holders: Set<string>;

  constructor(walk: Walk, step: number, register: number) {
    this.#walk = walk;
    this.#lineages = new Lineages(walk, statesOf(walk));
    this.#holders = new Set([`${walk.frameOf(step)} R${register}`]);
  }

  get isOver(): boolean {
    return this.#holders.size === 0;
  }

  pass(step: number, next: number | null): void {
    const text = this.#walk.textOf(step);
    if (text === null) return;
    const frame = this.#walk.frameOf(step);
    const nextFrame = next === null ? frame : this.#walk.frameOf(next);
    const holds = (register: number): boolean => this.#holders.has(`${frame} R${register}`);
    const slot = this.#slotOf(step);
    const isSlotUsed = slot !== null && text.form !== 'store' && this.#holders.has(slot);
    const isUsed = text.reads.some(holds) || isSlotUsed;
    if (isUsed) this.uses.push(step);
    if (text.form === 'call' && nextFrame > frame) {
      for (const register of text.reads) {
        if (holds(register)) this.#holders.add(`${nextFrame} R${register}`);
      }
    }
    if (text.form === 'exit') {
      const isReturned = holds(0) && nextFrame < frame;
      for (const holder of this.#holders) {
        if (holder.startsWith(`${frame} `)) this.#holders.delete(holder);
      }
      if (isReturned) this.#holders.add(`${nextFrame} R0`);
      return;
    }
    const isValue = text.form === 'load' ? isSlotUsed : isUsed && text.form !== 'call';
    for (const register of [...text.writes, ...text.clobbers]) {
      this.#holders.delete(`${frame} R${register}`);
    }
    if (isValue) for (const register of text.writes) this.#holders.add(`${frame} R${register}`);
    if (text.form === 'store' && slot !== null) {
      if (text.src !== null && holds(text.src)) this.#holders.add(slot);
      else this.#holders.delete(slot);
    }
  }

  /** Returns the stack slot that a step loads or stores, as a holder. */
  #slotOf(step: number): string | null {
    const text = this.#walk.textOf(step);
    if (text === null || text.mem === null) return null;
    const { base, off, size } = text.mem;
    const place = this.#lineages.stackPlace(step, base, off, size);
    return place === null ? null : `${place.frame} ${slotName(place.off)}`;
  }
}
