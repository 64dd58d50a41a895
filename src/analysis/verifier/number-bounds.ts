/** Finds what gave a number its bounds: instructions, and comparisons on the path. */
import type { Value } from '#formats/verifier-log/line.ts';
import type { LineageStep } from './lineage.ts';
import type { StepStates } from './step-states.ts';
import { keyOf } from './values.ts';
import type { Walk } from './walk.ts';

/** A bound of a number. */
export type BoundName = 'min' | 'max';

export class NumberBounds {
  readonly #walk: Walk;
  readonly #states: StepStates;

  constructor(walk: Walk, states: StepStates) {
    this.#walk = walk;
    this.#states = states;
  }

  /**
   * Leaves out what only passes the bounds of a number on: pairs of shifts that extend the lower half
   * and do not change it, and multiplications by a constant.
   */
  setters(steps: readonly LineageStep[]): readonly LineageStep[] {
    const [first] = steps;
    return this.#withoutExtensions(steps).filter(
      (at) =>
        (at.kind === 'birth' || at.kind === 'change' || at.kind === 'part') &&
        (at === first || !this.#isScaling(at.step)),
    );
  }

  /** True if a step multiplies by a constant, and the number had bounds before. */
  #isScaling(step: number): boolean {
    const text = this.#walk.textOf(step);
    if (text?.imm == null || text.dst === null || !['<<=', '*='].includes(text.op ?? ''))
      return false;
    const before = this.#states.registerBefore(step, text.dst);
    return before === undefined || hasBounds(before);
  }

  #withoutExtensions(steps: readonly LineageStep[]): readonly LineageStep[] {
    return steps.filter(({ step }, index) => {
      const [one, two] = [step, steps[index + 1]?.step].map((at) => this.#shiftBy32(at));
      const isFirst = one === '<<=' && two?.endsWith('>>=');
      const isSecond = one?.endsWith('>>=') && this.#shiftBy32(steps[index - 1]?.step) === '<<=';
      if (!isFirst && !isSecond) return true;
      const [first, second] = isFirst
        ? [step, steps[index + 1]?.step]
        : [steps[index - 1]?.step, step];
      const register = this.#walk.textOf(first ?? -1)?.dst ?? -1;
      const before = this.#states.registerBefore(first ?? -1, register);
      const after = this.#states.registerAfter(second ?? -1, register);
      return (
        before === undefined ||
        after === undefined ||
        ['smin', 'smax', 'umin', 'umax'].some((key) => boundOf(before, key) !== boundOf(after, key))
      );
    });
  }

  #shiftBy32(step: number | undefined): string | undefined {
    const text = step === undefined ? null : this.#walk.textOf(step);
    return text?.imm === 32n ? text.op : undefined;
  }

  /** Returns the last comparison after a step that changed the bound which is wrong, or null. */
  boundingBranch(
    number: readonly LineageStep[],
    user: number,
    since: number | null,
    bound: BoundName | undefined,
  ): number | null {
    const keys = BOUNDS[bound ?? 'none'];
    if (since === null || keys.length === 0) return null;
    const { parents } = this.#walk;
    for (let child = user, at = parents[user] ?? -1; at > since; ) {
      const text = this.#walk.textOf(at);
      if (text?.form === 'branch') {
        const writer = number.findLast(({ step }) => step < at)?.step ?? since;
        const { writes = [], src = null } = this.#walk.textOf(writer) ?? {};
        const holders = [...writes, src].filter((register) => register !== null);
        for (const register of holders) {
          if (!text.reads.includes(register)) continue;
          const old = this.#states.registerBefore(at, register);
          const now = this.#states.registerBefore(child, register);
          if (old === undefined || now === undefined) continue;
          if (keys.some((key) => boundOf(old, key) !== boundOf(now, key))) return at;
        }
      }
      child = at;
      at = parents[at] ?? -1;
    }
    return null;
  }

  /**
   * Returns the last instruction after which a number that had bounds has none. The product of two
   * numbers that are not constant has none.
   */
  lostBound(steps: readonly LineageStep[]): LineageStep | undefined {
    let lost: LineageStep | undefined;
    let wasBounded = false;
    for (const at of steps) {
      const text = this.#walk.textOf(at.step);
      const register = text?.writes[0];
      if (register === undefined) continue;
      const value = this.#states.registerAfter(at.step, register);
      const isBounded = value !== undefined && hasBounds(value);
      const isProduct = text?.op === '*=' && text.src !== null;
      if (isBounded) lost = undefined;
      else if (wasBounded || isProduct) lost = at;
      wasBounded = isBounded;
    }
    return lost;
  }
}

const BOUNDS = { min: ['smin', 'umin'], max: ['smax', 'umax'], none: [] } as const;

function boundOf(value: Value, key: string): string | undefined {
  return value.const ?? keyOf(value, key);
}

/** True if a number has a lower and an upper bound that are not those of its type. */
function hasBounds(value: Value): boolean {
  if (value.const !== undefined) return true;
  return keyOf(value, 'umax') !== undefined || keyOf(value, 'smin') !== undefined;
}
