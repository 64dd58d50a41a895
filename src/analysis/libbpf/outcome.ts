/** Errors of libbpf's calls, and the outcome of loading an object or program, with reasons. */
import type { Dependency } from '#analysis/kernel/dependency.ts';
import { errnoIn, errnoNamed } from '#analysis/kernel/errno.ts';

/** Outcomes of loading, the best first. */
export const OUTCOMES = ['loads', 'may-fail', 'rejected', 'fails'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Words for the outcomes; a reason tells whether libbpf or the kernel refuses. */
export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  loads: 'loads',
  'may-fail': 'depends',
  rejected: 'refused',
  fails: 'refused',
};

/** Meaning of each outcome as one sentence. */
export const OUTCOME_MEANINGS: Readonly<Record<Outcome, string>> = {
  loads:
    'Nothing was found that libbpf or the kernel refuses. The other checks of the verifier, permissions and limits are not judged.',
  'may-fail': 'It depends on what is not known of the kernel, or on a branch that is not decided.',
  rejected: 'The kernel refuses it.',
  fails: 'libbpf refuses it before the kernel sees the program.',
};

export function worstOf(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.findLast((outcome) => outcomes.includes(outcome)) ?? 'loads';
}

/** A line of the C source that the object was compiled from; file name and text are raw. */
export type SourcePlace = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Text of the line; empty if the compiler could not read it. */
  readonly text: string;
};

/** What a reason is about: a CO-RE record by its row, an extern, a helper, an attach target, or a struct_ops callback. */
export type About =
  | { readonly of: 'record'; readonly record: number }
  | { readonly of: 'extern'; readonly name: string }
  | { readonly of: 'helper'; readonly helper: number }
  | { readonly of: 'target'; readonly program: string }
  | { readonly of: 'callback'; readonly map: string; readonly member: string };

export type Reason = {
  readonly outcome: Outcome;
  /** What decides the outcome `may-fail`; absent for other outcomes. */
  readonly dependsOn?: Dependency;
  /**
   * Step of loading: open, prepare, externs, struct_ops, maps, core, attach, type, instruction,
   * field, kfunc or helper.
   */
  readonly step: string;
  /** The reason as one sentence; names are raw text. */
  readonly text: string;
  /** The line that libbpf or the kernel logs, without `libbpf: `, exactly; null if none is known. */
  readonly line: string | null;
  /** Instruction slot, counted in the program with its subprograms; null if there is none. */
  readonly insn: number | null;
  readonly source: SourcePlace | null;
  /** What the reason is about; absent if no remedy needs it. */
  readonly about?: About;
};

/** Returns how many of the reasons, in their order, are met today: those up to the first refusal. */
export function metToday(reasons: readonly Reason[]): number {
  const first = reasons.findIndex(({ outcome }) => outcome === 'fails' || outcome === 'rejected');
  return first < 0 ? reasons.length : first + 1;
}

/** The failure of a call of libbpf. */
export type Failure = {
  /** Name of an error in errno.h or libbpf.h. */
  readonly errno: string;
  /** Warnings that libbpf logs, without `libbpf: `; names are raw text. */
  readonly lines: readonly string[];
  /** The cause as a sentence, for a failure that libbpf does not log; names are raw text. */
  readonly cause?: string;
};

/** Returns the text of a failure: the first line that libbpf logs, or the cause. */
export function failureText({ errno, lines, cause }: Failure): string {
  return lines.at(0) ?? cause ?? `It fails with -${errno}.`;
}

/** Error of a relocation that libbpf cannot apply. */
export const RELOC = 'LIBBPF_ERRNO__RELOC';

export function failed(errno: string, ...lines: readonly string[]): Failure {
  return { errno, lines };
}

/** Returns a failure that libbpf does not log. `cause` is a sentence with raw names. */
export function failedSilently(errno: string, cause: string): Failure {
  return { errno, lines: [], cause };
}

/** Returns the name of an error by its negative number. */
export function errnoOf(number: number): string {
  return errnoIn(`${number}`)?.name ?? 'EINVAL';
}

/** Returns an error as libbpf's log has it, such as `-EINVAL`. Source: libbpf_errstr. */
export function errnoText(errno: string): string {
  if (errno.startsWith('LIBBPF_')) return `${errnoNumber({ errno })}`;
  // The two names have one number on Linux.
  return errno === 'ENOTSUP' ? '-EOPNOTSUPP' : `-${errno}`;
}

/** Returns the negative number of an error. */
export function errnoNumber({ errno }: Pick<Failure, 'errno'>): number {
  return -(errnoNamed(errno)?.number ?? 22);
}
