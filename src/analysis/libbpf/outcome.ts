/** The errors of libbpf's calls, the outcome of loading an object or a program on a kernel, and the reasons for it. */

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

/** A call of libbpf that fails. */
export type Failure = {
  /** A name of errno.h, or of libbpf's own errors. */
  readonly errno: string;
  /** The warnings that libbpf logs, without `libbpf: `. Names are raw. */
  readonly lines: readonly string[];
};

/** libbpf cannot apply a relocation. */
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

/** The name of a negative error number. */
export function errnoOf(number: number): string {
  return NAMES.get(number) ?? 'EINVAL';
}

/** The code that the call returns: negative. */
export function errnoNumber({ errno }: Pick<Failure, 'errno'>): number {
  return -(NUMBERS[errno] ?? 22);
}
