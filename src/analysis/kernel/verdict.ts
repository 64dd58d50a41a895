/** What the kernel and libbpf say of a BTF blob, in the words that a person meets in their logs. */

/** As `<errno.h>` spells it; ENOTSUPP is the kernel's own 524. */
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
  /** Where the rule is written: `kernel/bpf/btf.c: btf_struct_check_meta`. */
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

/** What a refusal of the BTF of a target means, as a sentence. Names in it are raw text. Source: bpf_object__relocate_core. */
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
  /** How many bytes it is about. */
  readonly length: number;
  /** What is wrong here, with the numbers. Names in it are raw text: escape them when drawn. */
  readonly sentence: string;
  readonly rule: string;
  readonly where: string;
  readonly by: 'kernel' | 'libbpf' | 'both';
};

export type Verdict = {
  /** A 64-bit kernel 6.18 on a little-endian machine, which is what nearly all are. */
  readonly kernel: KernelVerdict;
  /** The same kernel on a machine of the blob's own byte order. */
  readonly native: KernelVerdict;
  /** bpf-next, which has the location kinds, on a machine of the blob's own byte order. Its rules were read, not run. */
  readonly next: KernelVerdict;
  /** libbpf 1.8, which reads both byte orders. */
  readonly libbpf: LibbpfVerdict;
  /** All that was found, in the order in which the kernel would come to it. */
  readonly problems: readonly Problem[];
  /** How many more there are than `problems` lists. */
  readonly moreProblems: number;
};
