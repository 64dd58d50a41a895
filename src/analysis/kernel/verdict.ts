/** The verdicts of the kernel and libbpf on a BTF blob, in the words of their logs. */
import type { KernelRule } from './rules.ts';

/** A name of `<errno.h>`; ENOTSUPP is the kernel's own 524. */
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

/** The first broken rule, at which the kernel stops. */
type KernelRefusal = {
  readonly verdict: 'refused';
  readonly errno: Errno;
  /** Constant part of the log line; empty without a line. */
  readonly word: string;
  /** Type that the log line names; null for none. */
  readonly typeId: number | null;
  /** Bytes from the start of the blob. */
  readonly blobOffset: number;
  /** One sentence. */
  readonly rule: string;
  /** Function with the rule: `kernel/bpf/btf.c: btf_struct_check_meta`. */
  readonly where: string;
};

export type KernelVerdict = { readonly verdict: 'ok' } | KernelRefusal;

type LibbpfRefusal = {
  readonly verdict: 'refused';
  readonly errno: Errno;
  /** Line that libbpf logs, without `libbpf: `; empty without a line. */
  readonly message: string;
};

export type LibbpfVerdict = { readonly verdict: 'ok' } | LibbpfRefusal;

/** Returns the effect of a target's refused BTF as a sentence with raw names. Source: bpf_object__relocate_core. */
export function refusedTargetText({ errno, message }: LibbpfRefusal): string {
  const why = message === '' ? '' : `: ${message}`;
  return `libbpf 1.8 refuses these types (${errno}${why}) and loads no object on them. The results are those of its relocation code alone.`;
}

/** The type and the bytes of a problem. */
export type Place = {
  readonly typeId: number | null;
  /** Bytes from the start of the blob. */
  readonly blobOffset: number;
  /** Bytes. */
  readonly length: number;
};

export type Problem = Place & {
  /** Constant part of the kernel's log line, or of libbpf's if the kernel has no such rule. */
  readonly word: string;
  /** Contains names as raw text. */
  readonly sentence: string;
  readonly rule: string;
  readonly where: string;
  readonly by: 'kernel' | 'libbpf' | 'both';
};

export type Verdict = {
  /** A 64-bit kernel 6.18 on a little-endian machine. */
  readonly kernel: KernelVerdict;
  /** The same kernel on a machine of the blob's own byte order. */
  readonly native: KernelVerdict;
  /** bpf-next, which has the location kinds, on a machine of the blob's own byte order. Its rules were read, not run. */
  readonly next: KernelVerdict;
  /** libbpf 1.8, which reads both byte orders. */
  readonly libbpf: LibbpfVerdict;
  /** Problems in the kernel's order. */
  readonly problems: readonly Problem[];
  /** The number of problems beyond `problems`. */
  readonly moreProblems: number;
};

const MAX_PROBLEMS = 1000;

/** A refusal of libbpf with its log line; `word` is the constant part. */
export type LibbpfComplaint = {
  readonly errno?: Errno;
  readonly message: string;
  readonly word: string;
  readonly rule: string;
  /** Function of libbpf's btf.c. */
  readonly where: string;
};

/**
 * Collects the problems of a blob in order, one per place, at most `MAX_PROBLEMS` with sentences. The first
 * one since the last `takeKernelVerdict` is the kernel's verdict, since the kernel stops there.
 */
export class Report {
  readonly #problems: Problem[] = [];
  /** Index in `problems` by place; -1 after `MAX_PROBLEMS`. */
  readonly #seen = new Map<number, number>();
  #kernel: KernelVerdict = { verdict: 'ok' };
  #libbpf: LibbpfVerdict = { verdict: 'ok' };

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Number of problems without a sentence. */
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

  /** Adds a refusal of libbpf. A place with a problem of the kernel becomes one problem by both. */
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

  /** Returns the kernel's verdict since the last call. */
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

/** Returns offset and length in one number; lengths above 14 bytes are one. */
function keyOf({ blobOffset, length }: Place): number {
  return blobOffset * 16 + Math.min(length, 15);
}
