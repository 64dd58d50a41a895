/** Errors of libbpf's calls, and the outcome of loading an object or program with its reasons. */

/** Outcomes, the best first. */
export const OUTCOMES = ['loads', 'may-fail', 'rejected', 'fails'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  loads: 'loads',
  'may-fail': 'may fail',
  rejected: 'verifier rejects',
  fails: 'fails',
};

/** Meanings of outcomes, one sentence each. */
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

/** A line of C source. Raw text. */
export type SourcePlace = { readonly file: string; readonly line: number; readonly column: number };

/** Subject of a reason: a CO-RE record by its row in the file, an extern, a helper, or an attach target. */
export type About =
  | { readonly of: 'record'; readonly record: number }
  | { readonly of: 'extern'; readonly name: string }
  | { readonly of: 'helper'; readonly helper: number }
  | { readonly of: 'target'; readonly program: string };

export type Reason = {
  readonly outcome: Outcome;
  /** open, prepare, externs, struct_ops, maps, core, attach, type, helper. */
  readonly step: string;
  /** One sentence with raw names. */
  readonly text: string;
  /** Slot of the program with its subprograms; null without an instruction. */
  readonly insn: number | null;
  readonly source: SourcePlace | null;
  /** Absent if no remedy depends on it. */
  readonly about?: About;
};

/** A failed call of libbpf. */
export type Failure = {
  /** Name of errno.h, or of libbpf's errors. */
  readonly errno: string;
  /** Warnings that libbpf logs, without `libbpf: `, with raw names. */
  readonly lines: readonly string[];
};

/** Error of a relocation that libbpf cannot apply. */
export const RELOC = 'LIBBPF_ERRNO__RELOC';

const NUMBERS: Readonly<Record<string, number>> = {
  ENOENT: 2,
  ESRCH: 3,
  E2BIG: 7,
  EINVAL: 22,
  ERANGE: 34,
  EDOM: 33,
  ENOTSUP: 95,
  LIBBPF_ERRNO__FORMAT: 4001,
  LIBBPF_ERRNO__ENDIAN: 4003,
  [RELOC]: 4005,
};

export function failed(errno: string, ...lines: readonly string[]): Failure {
  return { errno, lines };
}

const NAMES = new Map(Object.entries(NUMBERS).map(([name, number]) => [-number, name]));

/** Returns the name of a negative error number. */
export function errnoOf(number: number): string {
  return NAMES.get(number) ?? 'EINVAL';
}

/** Returns the negative error number. */
export function errnoNumber({ errno }: Pick<Failure, 'errno'>): number {
  return -(NUMBERS[errno] ?? 22);
}
