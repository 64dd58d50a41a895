/** The outcome of loading an object or a program on a kernel, and the reasons for it. */

/** From good to bad. */
export const OUTCOMES = ['loads', 'may-fail', 'rejected', 'fails'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  loads: 'loads',
  'may-fail': 'may fail',
  rejected: 'verifier rejects',
  fails: 'fails',
};

/** Each outcome as one sentence. */
export const OUTCOME_MEANINGS: Readonly<Record<Outcome, string>> = {
  loads:
    'libbpf hands the program to the kernel. The verifier, permissions and limits are not checked.',
  'may-fail': 'It depends on what is not known of the kernel, or on a branch that is not decided.',
  rejected: 'The verifier reaches an instruction that libbpf made invalid.',
  fails: 'libbpf gives up before the verifier.',
};

export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.findLast((outcome) => outcomes.includes(outcome)) ?? 'loads';
}

/** A line of the C source of an instruction. Raw text. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number };

/** The subject of a reason: a CO-RE record by its row in the file, an extern, a helper, or the target of a program. */
export type About =
  | { readonly of: 'record'; readonly record: number }
  | { readonly of: 'extern'; readonly name: string }
  | { readonly of: 'helper'; readonly helper: number }
  | { readonly of: 'target'; readonly program: string };

export type Reason = {
  readonly outcome: Outcome;
  /** open, prepare, externs, struct_ops, maps, core, attach, type, helper. */
  readonly step: string;
  /** One sentence. Raw names. */
  readonly text: string;
  /** Slot of the program with its subprograms; null where the reason is about no instruction. */
  readonly insn: number | null;
  readonly source: SourcePlace | null;
  /** Absent where there is nothing to remedy. */
  readonly about?: About;
};
