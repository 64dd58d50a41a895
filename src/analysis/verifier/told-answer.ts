/** The answer for one log with the texts that the page shows beside it: lines of C, instructions. */
import type { ProgramPart } from '#analysis/libbpf/program-parts.ts';
import type { Value } from '#formats/verifier-log/line.ts';
import { type Answer, answerFor } from './answer.ts';
import type { LogPart } from './log-parts.ts';
import type { LogTable } from './log-table.ts';
import { type StepStates, statesOf } from './step-states.ts';
import type { LogBinding } from './typed-value.ts';
import { type StepSource, type Walk, walkOf } from './walk.ts';

/** An instruction of the chain from a value's origin to the fault. Texts are raw. */
export type ChainInsn = {
  readonly insn: number;
  /** Step of the walk; null if the instruction was not walked. */
  readonly step: number | null;
  /** Line of the step in the text. */
  readonly logLine: number | null;
  /** Text of the instruction as printed; empty if it was not walked. */
  readonly text: string;
  readonly source: StepSource | null;
};

export type ToldAnswer = Answer & {
  /** Step of the walk at which the program fails; null if it was not walked. */
  readonly step: number | null;
  /** Line of the step in the text. */
  readonly stepLine: number | null;
  /** The chain with its texts, in the order of the path. */
  readonly places: readonly ChainInsn[];
  /** Value of the register before the failing instruction; null if the log does not have it. */
  readonly value: Value | null;
  /** Functions of the program in the object, in the order of their code; none if not known. */
  readonly functions: readonly ProgramPart[];
};

/** Returns the answer for one log of a text, with the texts of its chain. */
export function toldAnswer(table: LogTable, part: LogPart, binding: LogBinding): ToldAnswer {
  const answer = answerFor(table, part, binding);
  const { error, chain } = answer;
  const functions = binding.code?.parts ?? [];
  if (part.kind !== 'verifier' || error === null) {
    return { ...answer, step: null, stepLine: null, places: [], value: null, functions };
  }
  const walk = walkOf(table, part);
  const step = error.insn === null ? null : lastStep(walk, error.insn);
  const state = step === null ? null : statesOf(walk).before(step);
  const { register } = error;
  const value = register === null ? null : (state?.regs.get(register) ?? slot(state, register));
  const stepLine = step === null ? null : (walk.lines[step] ?? null);
  return { ...answer, step, stepLine, places: chainPlaces(walk, chain, step), value, functions };
}

function slot(state: ReturnType<StepStates['before']> | null, name: string): Value | null {
  return state?.stack.get(name) ?? null;
}

/** Returns the failing step: the last one of the log, if it has the instruction. */
function lastStep(walk: Walk, insn: number): number | null {
  const last = walk.stepCount - 1;
  return last >= 0 && walk.insnOf(last) === insn ? last : walk.lastStepOf(insn);
}

/** Finds each instruction where the path to `step` met it last. */
function chainPlaces(walk: Walk, chain: readonly number[], step: number | null): ChainInsn[] {
  const wanted = new Set(chain);
  const found = new Map<number, number>();
  for (let at = step ?? -1; at >= 0 && found.size < wanted.size; at = walk.parents[at] ?? -1) {
    const insn = walk.insnOf(at);
    if (wanted.has(insn) && !found.has(insn)) found.set(insn, at);
  }
  return chain.map((insn) => {
    const at = found.get(insn) ?? walk.lastStepOf(insn);
    if (at === null) return { insn, step: null, logLine: null, text: '', source: null };
    return chainInsn(walk, at);
  });
}

/** Returns a step of a walk with its texts. */
export function chainInsn(walk: Walk, step: number): ChainInsn {
  return {
    insn: walk.insnOf(step),
    step,
    logLine: walk.lines[step] ?? null,
    text: walk.printedOf(step),
    source: walk.sourceOf(step),
  };
}
