import type { Question } from './question.ts';
import type { Walk } from './walk.ts';

/** The origin of a refused value. */
export type Blame = {
  /** `R0` … `R10`, `fp-N`, `ref`, or null where no value is concerned. */
  readonly register: string | null;
  /** Instruction that made the value what it is; null if none did. */
  readonly insn: number | null;
  /** Instructions from the value's birth to the fault, in the order of the path. */
  readonly chain: readonly number[];
  /** The steps of the walk of `chain`, where they are known. */
  readonly steps: readonly number[];
  readonly why: 'born' | 'changed' | 'merged' | 'none';
};

/** What a message says beside the register and the question. */
export type BlameHint = {
  /** `id=` of a reference. */
  readonly referenceId?: number;
  /** An instruction that the message names (`alloc_insn=12`, `acquired at insn_idx=7`). */
  readonly insn?: number;
};

/** Returns where the value in `register` before `step` comes from. */
export function blameFor(
  _walk: Walk,
  step: number,
  register: string | null,
  _question: Question,
  _hint: BlameHint = {},
): Blame {
  return { register, insn: null, chain: [], steps: [step], why: 'none' };
}
