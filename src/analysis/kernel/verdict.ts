/** The verdicts of the kernel and libbpf on a BTF blob, in the words of their logs. */
import type { KernelRule } from './rules.ts';

/** A name of `<errno.h>`, or ENOTSUPP, which is 524 in the kernel. */
export type Errno =
  | 'EACCES'
  | 'EINVAL'
  | 'E2BIG'
  | 'EEXIST'
  | 'EFAULT'
  | 'EIO'
  | 'ELOOP'
  | 'ENOENT'
  | 'ENOTSUPP'
  | 'EOPNOTSUPP'
  | 'EPROTO';

/** The first broken rule of a blob, at which the kernel stops. */
type KernelRefusal = {
  readonly verdict: 'refused';
  readonly errno: Errno;
  /** Constant part of the kernel's log line; empty if the kernel logs no line. */
  readonly word: string;
  /** Type that the log line names; null if it names none. */
  readonly typeId: number | null;
  /** Offset in bytes from the start of the blob. */
  readonly blobOffset: number;
  /** The rule as one sentence. */
  readonly rule: string;
  /** Kernel function that checks the rule: `kernel/bpf/btf.c: btf_struct_check_meta`. */
  readonly where: string;
};

export type KernelVerdict = { readonly verdict: 'ok' } | KernelRefusal;

type LibbpfRefusal = {
  readonly verdict: 'refused';
  readonly errno: Errno;
  /** Line that libbpf logs, without `libbpf: `; empty if it logs no line. */
  readonly message: string;
};

export type LibbpfVerdict = { readonly verdict: 'ok' } | LibbpfRefusal;

/** Returns what happens if libbpf refuses a target's BTF. Source: bpf_object__relocate_core. */
export function refusedTargetText({ errno, message }: LibbpfRefusal): string {
  const why = message === '' ? '' : `: ${message}`;
  return `libbpf 1.8 refuses these types (${errno}${why}) and loads no object on them. The results are those of its relocation code alone.`;
}

/** Where a problem is: its type, and its bytes in the blob. */
export type Place = {
  readonly typeId: number | null;
  /** Offset in bytes from the start of the blob. */
  readonly blobOffset: number;
  /** Length in bytes. */
  readonly length: number;
};

export type Problem = Place & {
  /** Constant part of the kernel's log line, or of libbpf's if the kernel has no such rule. */
  readonly word: string;
  /** Description of the problem. Names in it are raw text. */
  readonly sentence: string;
  readonly rule: string;
  readonly where: string;
  readonly by: 'kernel' | 'libbpf' | 'both';
};

export type Verdict = {
  /** Verdict of a 64-bit Linux 6.18 on a little-endian machine. */
  readonly kernel: KernelVerdict;
  /** Verdict of Linux 6.18 on a machine with the blob's byte order and size of pointers. */
  readonly native: KernelVerdict;
  /** The machine of `native`: `32-bit`, `big-endian`; empty for 64-bit little-endian. */
  readonly machine: string;
  /**
   * Verdict of bpf-next, whose rules were read, not run, on a machine with the blob's byte order.
   */
  readonly next: KernelVerdict;
  /** Verdict of libbpf 1.8, which reads both byte orders. */
  readonly libbpf: LibbpfVerdict;
  /** Problems in the order in which the kernel checks. */
  readonly problems: readonly Problem[];
  /** Number of problems that are not listed in `problems`. */
  readonly moreProblems: number;
};

const MAX_PROBLEMS = 1000;

/** A broken rule of libbpf with its log line; `word` is the constant part of the line. */
export type LibbpfComplaint = {
  readonly errno?: Errno;
  readonly message: string;
  readonly word: string;
  readonly rule: string;
  /** Function of libbpf's btf.c that has the rule. */
  readonly where: string;
};

/**
 * Collects the problems of a blob in order, one per place. At most `MAX_PROBLEMS` have sentences.
 * The first problem since the last `takeKernelVerdict` is the kernel's verdict: the kernel stops
 * there.
 */
export class Report {
  readonly #problems: Problem[] = [];
  /** Index in `problems` of the problem at a place; -1 for places after `MAX_PROBLEMS`. */
  readonly #seen = new Map<number, number>();
  #kernel: KernelVerdict = { verdict: 'ok' };
  #libbpf: LibbpfVerdict = { verdict: 'ok' };

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Number of problems that have no sentence. */
  get more(): number {
    return this.#seen.size - this.#problems.length;
  }

  get libbpfVerdict(): LibbpfVerdict {
    return this.#libbpf;
  }

  /** Adds a broken rule of the kernel. `where` is a function of kernel/bpf/btf.c. */
  kernel(broken: KernelRule, where: string, place: Place, sentence: () => string): void {
    const source = `kernel/bpf/btf.c: ${where}`;
    if (this.#kernel.verdict === 'ok') {
      const { word, errno, rule } = broken;
      const { blobOffset } = place;
      const typeId = broken.unnamed ? null : place.typeId;
      this.#kernel = { verdict: 'refused', word, errno, rule, typeId, blobOffset, where: source };
    }
    if (this.#seen.has(keyOf(place))) return;
    this.#add(place, () => ({
      word: broken.word,
      rule: broken.rule,
      ...place,
      sentence: sentence(),
      where: source,
      by: 'kernel',
    }));
  }

  /** Adds a broken rule of libbpf to the kernel's problem at the same place, or a new problem. */
  libbpf(complaint: LibbpfComplaint, place: Place): void {
    const { errno = 'EINVAL', message, word, rule } = complaint;
    if (this.#libbpf.verdict === 'ok') this.#libbpf = { verdict: 'refused', errno, message };
    const at = this.#seen.get(keyOf(place));
    const known = at === undefined ? undefined : this.#problems[at];
    if (at !== undefined && known?.by === 'kernel') this.#problems[at] = { ...known, by: 'both' };
    if (at !== undefined) return;
    this.#add(place, () => ({
      word,
      rule,
      ...place,
      sentence: `libbpf rejects it: ${message === '' ? word : message}.`,
      where: `libbpf btf.c: ${complaint.where}`,
      by: 'libbpf',
    }));
  }

  /** True if the kernel has refused the blob since `takeKernelVerdict`. */
  get isRefused(): boolean {
    return this.#kernel.verdict === 'refused';
  }

  /** Returns the kernel's verdict on the problems since the last call. */
  takeKernelVerdict(): KernelVerdict {
    const verdict = this.#kernel;
    this.#kernel = { verdict: 'ok' };
    return verdict;
  }

  #add(place: Place, problem: () => Problem): void {
    const hasRoom = this.#problems.length < MAX_PROBLEMS;
    this.#seen.set(keyOf(place), hasRoom ? this.#problems.length : -1);
    if (hasRoom) this.#problems.push(problem());
  }
}

/** Returns a key for offset and length. Lengths above 14 bytes are treated as equal. */
function keyOf({ blobOffset, length }: Place): number {
  return blobOffset * 16 + Math.min(length, 15);
}
