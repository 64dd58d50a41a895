/** Follows a value along a path: where it comes from, and where it is used, copied and passed on. */
import { CALLBACK_ARGUMENTS, Lineages, type Place } from './lineage.ts';
import { type StepStates, slotName } from './step-states.ts';
import { type ChainInsn, chainInsn } from './told-answer.ts';
import type { Walk } from './walk.ts';

/** Largest number of steps that are looked at. */
const MAX_STEPS = 100_000;

/** Maximum number of instructions that are returned in each direction. */
const MAX_SHOWN = 200;

/** Instructions that a value passes, each once, in the order of the path. */
export type ValueFlow = {
  /** Instructions that made the value what it is; empty if the log does not have them. */
  readonly from: readonly ChainInsn[];
  /** Instructions that use the value, a copy of it, or what was made of it. */
  readonly to: readonly ChainInsn[];
  /** There are more instructions in one of the directions. */
  readonly isCut: boolean;
};

/**
 * Returns where the value of a register or slot comes from and goes to, on the path to `until`: the
 * value that it has after `step`, or before it if the path ends there.
 */
export function valueFlow(
  walk: Walk,
  states: StepStates,
  { step, name, until }: { readonly step: number; readonly name: string; readonly until: number },
): ValueFlow {
  const place = placeNamed(name, walk.frameOf(step));
  if (place === null || walk.lines[step] === undefined) return { from: [], to: [], isCut: false };
  const path = walk.pathTo(until);
  const next = path[path.indexOf(step) + 1];
  const isSame = next !== undefined && walk.frameOf(next) === walk.frameOf(step);
  const lineages = new Lineages(walk, states);
  const born = lineages.of(isSame ? next : step, place).steps.map((each) => each.step);
  const used = forwardFrom(walk, states, step, name, until);
  const [from, to] = [firstSteps(walk, born), firstSteps(walk, used)];
  return {
    // The last ones are next to the value, the first ones of the others.
    from: from.slice(-MAX_SHOWN).map((at) => chainInsn(walk, at)),
    to: to.slice(0, MAX_SHOWN).map((at) => chainInsn(walk, at)),
    isCut: Math.max(from.length, to.length) > MAX_SHOWN,
  };
}

function placeNamed(name: string, frame: number): Place | null {
  const register = /^R(\d{1,2})$/.exec(name)?.[1];
  if (register !== undefined) return { register: Number(register), frame };
  const off = /^fp(-\d{1,10})$/.exec(name)?.[1];
  return off === undefined ? null : { off: Number(off), size: 8, frame };
}

/** Returns the first of the steps of each instruction. */
function firstSteps(walk: Walk, steps: readonly number[]): number[] {
  const seen = new Set<number>();
  return steps.filter((step) => {
    const insn = walk.insnOf(step);
    return !seen.has(insn) && seen.add(insn);
  });
}

/**
 * Returns the steps after `step` on the path to `until` that use the value which a register or slot
 * has after `step`, or a value made from it. The path ends where no copy is left.
 */
function forwardFrom(
  walk: Walk,
  states: StepStates,
  step: number,
  name: string,
  until: number = walk.stepCount - 1,
): readonly number[] {
  const path = walk.pathTo(until);
  const start = path.indexOf(step);
  if (start < 0) return [];
  const flow = new Flow(walk, states, `${walk.frameOf(step)} ${name}`);
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

  constructor(walk: Walk, states: StepStates, holder: string) {
    this.#walk = walk;
    this.#lineages = new Lineages(walk, states);
    this.#holders = new Set([holder]);
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
      const given = Object.entries(CALLBACK_ARGUMENTS[text.call?.name ?? ''] ?? {});
      const own = text.reads.map((register) => [`${register}`, register] as const);
      const pairs = text.call?.kind === 'subprogram' ? own : given;
      for (const [to, from] of pairs) {
        if (holds(from)) this.#holders.add(`${nextFrame} R${to}`);
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
