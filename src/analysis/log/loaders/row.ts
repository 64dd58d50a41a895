/** Tables of the lines that loaders and tools print, each with a sentence that explains it. */

/** Who writes lines that rows explain; `kernel` is the kernel log, `build` pahole and resolve_btfids. */
export type LoaderName =
  | 'libbpf'
  | 'cilium'
  | 'aya'
  | 'bpftool'
  | 'tc'
  | 'libxdp'
  | 'bpftrace'
  | 'bcc'
  | 'veristat'
  | 'clang'
  | 'kernel'
  | 'build';

/**
 * A line, its sentence, and options. In the line, `'{x}'` matches a quoted name, `{x}` a word or
 * the rest of the line, `{e}` an error number, name or words, and `{log}` the verifier's own words.
 * The sentence has the same names; `{ x}` is a space and the name, or nothing where it is unknown.
 * A row matches every line that begins with it; the row with the most text in common counts.
 */
export type LoaderRow = readonly [line: string, sentence: string, options?: RowOptions];

export type RowOptions = {
  /**
   * `information` is no failure. `verdict` is a failure whose reason is in other lines, or in the
   * verifier's words. Default: `failure`.
   */
  readonly kind?: 'information' | 'verdict';
  /** What usually helps, by the name of the error `{e}`. */
  readonly errors?: Readonly<Record<string, string>>;
};

export type LoaderTable = {
  readonly source: LoaderName;
  /** Text that the loader writes before its lines; a bare line is matched as well. */
  readonly prefix?: string;
  readonly rows: readonly LoaderRow[];
};

export const INFORMS: RowOptions = { kind: 'information' };
export const VERDICT: RowOptions = { kind: 'verdict' };

const RIGHTS =
  'The process lacks CAP_BPF, and CAP_PERFMON or CAP_NET_ADMIN as the type asks, or is in a container or a locked-down kernel.';
const NO_MEMORY = 'Memory, or the memory limit of the cgroup, is used up.';

/** Errors of BPF_PROG_LOAD. Source: kernel/bpf/syscall.c, bpf_prog_load; verifier.c, bpf_check. */
export const PROG_LOAD: Readonly<Record<string, string>> = {
  EACCES: 'The verifier refuses what the program does: its log says why.',
  EINVAL:
    'The verifier refuses the program, and its log says why; without a log, the kernel does not know the program type, the attach type or an attribute.',
  EPERM: `${RIGHTS} Kernels before 5.11 also need a high RLIMIT_MEMLOCK.`,
  E2BIG:
    'The program is too long or too complex for the verifier, or the attributes are newer than the kernel.',
  ENOSPC: 'The buffer for the verifier’s log is too small.',
  ENOENT: 'Something that the program names, as its attach target, does not exist.',
  ESRCH: 'The attach target is not in the kernel’s BTF.',
  EBADF: 'A map or a program that it refers to is not open.',
  ENOMEM: NO_MEMORY,
  EFAULT: 'The verifier met a state that cannot be: the log or dmesg has more.',
  ENOTSUPP:
    'The JIT of this machine cannot compile the program, or the kernel lacks a feature that it uses.',
  EOPNOTSUPP: 'The kernel lacks a feature that the program uses.',
  EAGAIN: 'A signal interrupted the verifier: the loader tries again.',
};

/** Errors of BPF_MAP_CREATE. Source: kernel/bpf/syscall.c, map_create; map_alloc of each type. */
export const MAP_CREATE: Readonly<Record<string, string>> = {
  EPERM: `${RIGHTS} Kernels before 5.11 also need a high RLIMIT_MEMLOCK.`,
  EINVAL:
    'The kernel does not know the map type, or a size, a flag or max_entries is not allowed for it.',
  E2BIG: 'A size or max_entries is larger than the map type allows.',
  ENOMEM: NO_MEMORY,
  ENOTSUPP: 'The kernel lacks what the map needs: the struct_ops of its BTF type, or a JIT for it.',
  EOPNOTSUPP: 'The kernel or its JIT lacks what the map type needs.',
  EBUSY: 'The map is in use elsewhere.',
};

/** Errors of attaching. Source: bpf_tracing_prog_attach, perf_event_open, bpf_link_create. */
export const ATTACH: Readonly<Record<string, string>> = {
  ENOENT:
    'There is no such function or event: it is misspelt, inlined, or in a module that is not loaded.',
  EADDRNOTAVAIL: 'The kernel has several functions of this name, or none that can be probed.',
  EINVAL: 'The kernel does not know this way of attaching, or the target cannot be traced.',
  EBUSY: 'Something else is attached there already, and only one can be.',
  EEXIST: 'The program, or another at the same place, is attached already.',
  EPERM: `${RIGHTS}`,
  EACCES: `${RIGHTS}`,
  ENOTSUPP: 'The kernel or this machine has no trampoline for such a function.',
  EOPNOTSUPP: 'The kernel, the driver or this machine cannot attach such programs.',
  ENODEV: 'The device or event does not exist.',
  E2BIG: 'Too many programs are attached there.',
  ESRCH: 'The process does not run.',
};

/** Errors of pinning. Source: kernel/bpf/inode.c, bpf_obj_do_pin and bpf_obj_do_get. */
export const PIN: Readonly<Record<string, string>> = {
  EPERM: 'The path is not on a bpffs, or the process lacks CAP_BPF: mount -t bpf bpf /sys/fs/bpf.',
  EEXIST: 'Something is pinned there already: remove it, or pin elsewhere.',
  ENOENT: 'A folder of the path does not exist, or bpffs is not mounted there.',
  EACCES: 'The process may not write to that folder.',
  EINVAL: 'The path is on another file system than bpffs, or its name has a dot.',
};
