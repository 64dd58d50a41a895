/** Groups kernels on which an object or program has the same outcome for the same reasons. */
import { allReasons, type LoadVerdict } from '#analysis/libbpf/load.ts';
import { type Outcome, type Reason, worstOf } from '#analysis/libbpf/outcome.ts';
import { getOrCreate } from '#bytes/cache.ts';

/** The outcome of a program, or of the object as a whole, on a kernel. */
export type Answer = {
  readonly outcome: Outcome;
  /** Reasons of the whole object, in order; each is met before those in `own`. */
  readonly ofObject: readonly Reason[];
  /** Reasons of the program alone, in order. */
  readonly own: readonly Reason[];
};

/** Returns the answer for program `at`; null stands for the object without its programs. */
export function answerOf(verdict: LoadVerdict, at: number | null): Answer | null {
  const { reasons: ofObject } = verdict;
  if (at === null) {
    return { outcome: worstOf(ofObject.map(({ outcome }) => outcome)), ofObject, own: [] };
  }
  const program = verdict.programs[at];
  return program === undefined
    ? null
    : { outcome: program.outcome, ofObject, own: program.reasons };
}

export type AnswerGroup<Kernel> = { readonly kernels: readonly Kernel[]; readonly answer: Answer };

/** Groups kernels by equal answers, in the order of each group's first kernel. */
export function groupAnswers<Kernel>(
  rows: readonly (readonly [Kernel, Answer | null])[],
): readonly AnswerGroup<Kernel>[] {
  const groups = new Map<string, { kernels: Kernel[]; answer: Answer }>();
  for (const [kernel, answer] of rows) {
    if (answer === null) continue;
    getOrCreate(groups, answerKey(answer), () => ({ kernels: [], answer })).kernels.push(kernel);
  }
  return [...groups.values()];
}

function answerKey({ outcome, ofObject, own }: Answer): string {
  return JSON.stringify([outcome, ofObject, own]);
}

/** Returns a text that is equal for kernels with equal answers for the object and all programs. */
export function verdictKey(verdict: LoadVerdict): string {
  const { outcome, reasons, programs } = verdict;
  return JSON.stringify([
    outcome,
    reasons,
    programs.map((program) => [program.outcome, program.autoload, program.reasons]),
  ]);
}

/** Returns all reasons of an answer in the order in which they would be met. */
export function reasonsOf({ ofObject, own }: Answer): readonly Reason[] {
  return allReasons({ reasons: ofObject }, { reasons: own });
}
