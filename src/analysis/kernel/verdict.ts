/** The verdicts of the kernel and libbpf on a BTF blob, in the words of their logs. */
import type { KernelRule } from './kernel-rules.ts';

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

/** The first rule that the kernel finds broken: there it stops. */
type KernelRefusal = {
  readonly verdict: 'refused';
  readonly errno: Errno;
  /** The constant part of the log line; empty where the kernel logs nothing. */
  readonly word: string;
  /** The type that the log line names; null where it is about the blob, and where the line names none. */
  readonly typeId: number | null;
  /** Bytes from the start of the blob. */
  readonly blobOffset: number;
  /** The rule, in one plain sentence. */
  readonly rule: string;
  /** The function with the rule: `kernel/bpf/btf.c: btf_struct_check_meta`. */
  readonly where: string;
};

export type KernelVerdict = { readonly verdict: 'ok' } | KernelRefusal;

type LibbpfRefusal = {
  readonly verdict: 'refused';
  readonly errno: Errno;
  /** The line that libbpf logs, without `libbpf: `; empty where it logs nothing. */
  readonly message: string;
};

export type LibbpfVerdict = { readonly verdict: 'ok' } | LibbpfRefusal;

/** Returns the consequence of a refused BTF of a target, as a sentence. Names in it are raw text. Source: bpf_object__relocate_core. */
export function refusedTargetText({ errno, message }: LibbpfRefusal): string {
  const why = message === '' ? '' : `: ${message}`;
  return `libbpf 1.8 refuses these types (${errno}${why}) and loads no object on them. The results are those of its relocation code alone.`;
}

export type Problem = {
  /** The constant part of the line in the log of the kernel, or of libbpf where only that objects. */
  readonly word: string;
  readonly typeId: number | null;
  /** Bytes from the start of the blob. */
  readonly blobOffset: number;
  /** In bytes. */
  readonly length: number;
  /** The problem, with its numbers. Names in it are raw text: escape them when drawn. */
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
  /** The problems, in the order in which the kernel would find them. */
  readonly problems: readonly Problem[];
  /** The number of problems beyond `problems`. */
  readonly moreProblems: number;
};

const CAP = 1000;

/** The type and the bytes of a problem. */
export type Place = {
  readonly typeId: number | null;
  /** Bytes from the start of the blob. */
  readonly blobOffset: number;
  readonly length: number;
};

/** A refusal of libbpf: the line it logs is `message`, `word` its constant part. */
export type LibbpfComplaint = {
  readonly errno?: Errno;
  readonly message: string;
  readonly word: string;
  readonly rule: string;
  /** The function in libbpf's btf.c. */
  readonly where: string;
};

/**
 * Collects the problems of a blob: each place once, in the order of finding, and at most `CAP` of
 * them in words. The first one since the last `takeKernelVerdict` is the kernel's verdict, since
 * the kernel stops there.
 */
export class Report {
  readonly #problems: Problem[] = [];
  /** Place → its number in `problems`, or -1 beyond the cap. */
  readonly #seen = new Map<number, number>();
  #kernel: KernelVerdict = { verdict: 'ok' };
  #libbpf: LibbpfVerdict = { verdict: 'ok' };

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Places with a problem beyond those in `problems`. */
  get more(): number {
    return this.#seen.size - this.#problems.length;
  }

  get libbpfVerdict(): LibbpfVerdict {
    return this.#libbpf;
  }

  /** Reports a rule of the kernel. `where` is a function of kernel/bpf/btf.c; `sentence` is called only for a new place. */
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

  /** libbpf objects. A place that the kernel objects to as well becomes one problem by both. */
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

  /** Whether the kernel reported a rule since `takeKernelVerdict`. */
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
    const room = this.#problems.length < CAP;
    this.#seen.set(keyOf(place), room ? this.#problems.length : -1);
    if (room) this.#problems.push(problem());
  }
}

/** Offset and length in one number; two places of one key would begin at one byte and both be long. */
function keyOf({ blobOffset, length }: Place): number {
  return blobOffset * 16 + Math.min(length, 15);
}
