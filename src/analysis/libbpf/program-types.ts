/**
 * Program types by section name, and attach targets in the kernel's BTF. Source: libbpf 1.8,
 * libbpf.c: section_defs, sec_def_matches, prog_needs_vmlinux_btf, libbpf_prepare_prog_load,
 * libbpf_find_attach_btf_id, find_kernel_btf_id, btf_get_kernel_prefix_kind.
 */
import { findByNameKind, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { type Failure, failed } from './outcome.ts';

/** Section names for each program type. A name with `+` matches `name` and `name/…`. */
const SECTIONS: Readonly<Record<string, string>> = {
  SOCKET_FILTER: 'socket',
  SK_REUSEPORT: 'sk_reuseport/migrate sk_reuseport',
  KPROBE: `kprobe+ uprobe+ uprobe.s+ kretprobe+ uretprobe+ uretprobe.s+ kprobe.multi+
    kretprobe.multi+ kprobe.session+ uprobe.multi+ uretprobe.multi+ uprobe.session+
    uprobe.multi.s+ uretprobe.multi.s+ uprobe.session.s+ ksyscall+ kretsyscall+ usdt+ usdt.s+`,
  SCHED_CLS: `tc/ingress tc/egress tcx/ingress tcx/egress tc classifier netkit/primary
    netkit/peer`,
  SCHED_ACT: 'action',
  TRACEPOINT: 'tracepoint+ tp+ tracepoint.s+ tp.s+',
  RAW_TRACEPOINT: 'raw_tracepoint+ raw_tp+ raw_tracepoint.s+ raw_tp.s+',
  RAW_TRACEPOINT_WRITABLE: 'raw_tracepoint.w+ raw_tp.w+',
  TRACING: `tp_btf+ tp_btf.s+ fentry+ fmod_ret+ fexit+ fsession+ fentry.s+ fmod_ret.s+ fexit.s+
    fsession.s+ fentry.multi+ fexit.multi+ fsession.multi+ fentry.multi.s+ fexit.multi.s+
    fsession.multi.s+ iter+ iter.s+`,
  EXT: 'freplace+',
  LSM: 'lsm+ lsm.s+ lsm_cgroup+',
  SYSCALL: 'syscall',
  XDP: 'xdp.frags/devmap xdp/devmap xdp.frags/cpumap xdp/cpumap xdp.frags xdp',
  PERF_EVENT: 'perf_event',
  LWT_IN: 'lwt_in',
  LWT_OUT: 'lwt_out',
  LWT_XMIT: 'lwt_xmit',
  LWT_SEG6LOCAL: 'lwt_seg6local',
  SOCK_OPS: 'sockops',
  SK_SKB: 'sk_skb/stream_parser sk_skb/stream_verdict sk_skb/verdict sk_skb',
  SK_MSG: 'sk_msg',
  LIRC_MODE2: 'lirc_mode2',
  FLOW_DISSECTOR: 'flow_dissector',
  CGROUP_SKB: 'cgroup_skb/ingress cgroup_skb/egress cgroup/skb',
  CGROUP_SOCK: `cgroup/sock_create cgroup/sock_release cgroup/sock cgroup/post_bind4
    cgroup/post_bind6`,
  CGROUP_SOCK_ADDR: `cgroup/bind4 cgroup/bind6 cgroup/connect4 cgroup/connect6 cgroup/connect_unix
    cgroup/sendmsg4 cgroup/sendmsg6 cgroup/sendmsg_unix
    cgroup/recvmsg4 cgroup/recvmsg6 cgroup/recvmsg_unix
    cgroup/getpeername4 cgroup/getpeername6 cgroup/getpeername_unix
    cgroup/getsockname4 cgroup/getsockname6 cgroup/getsockname_unix`,
  CGROUP_SYSCTL: 'cgroup/sysctl',
  CGROUP_SOCKOPT: 'cgroup/getsockopt cgroup/setsockopt',
  CGROUP_DEVICE: 'cgroup/dev',
  STRUCT_OPS: 'struct_ops+ struct_ops.s+',
  SK_LOOKUP: 'sk_lookup',
  NETFILTER: 'netfilter',
};

/** Program type of each name in `SECTIONS`. */
const TYPES = new Map(
  Object.entries(SECTIONS).flatMap(([type, names]) =>
    names.split(/\s+/).map((name) => [name, type] as const),
  ),
);

type ProgramType = {
  /** Kind of program, a name in `SECTIONS`: `kprobe`, `xdp`; empty if libbpf knows none. */
  readonly kind: string;
  /** Rest of the section name, as raw text: `do_unlinkat`, `syscalls/sys_enter_openat`. */
  readonly attachTo: string;
};

/** Returns the program type for the name of a section; a leading `?` is ignored. */
export function programType(sectionName: string): ProgramType {
  const name = sectionName.startsWith('?') ? sectionName.slice(1) : sectionName;
  if (!name.endsWith('+') && TYPES.has(name)) return { kind: name, attachTo: '' };
  // The part before a `/` is looked up: no name with `+` contains a slash.
  const [kind = ''] = name.split('/', 1);
  return TYPES.has(`${kind}+`)
    ? { kind, attachTo: name.slice(kind.length + 1) }
    : { kind: '', attachTo: '' };
}

/** Returns the kernel's program type for a kind (`KPROBE`); empty if libbpf knows none. */
export function kernelProgramType(kind: string): string {
  return TYPES.get(kind) ?? TYPES.get(`${kind}+`) ?? '';
}

/** Matches kinds with many target functions, which libbpf finds only after loading. */
const MULTI = /\.multi(?:\.s)?$/;

/** Returns true if programs of the kind need the kernel's BTF. Source: prog_needs_vmlinux_btf. */
export function needsKernelBtf(kind: string): boolean {
  return ['STRUCT_OPS', 'LSM', 'TRACING'].includes(kernelProgramType(kind));
}

/** Returns true if libbpf looks up only the target's module before loading, not its functions. */
export function namesModule({ kind }: Program): boolean {
  return MULTI.test(kind) && kernelProgramType(kind) === 'TRACING';
}

export function isStructOps(kind: string): boolean {
  return kernelProgramType(kind) === 'STRUCT_OPS';
}

/** Returns true for programs that are attached to a function of the kernel by its name. */
export function isKprobe(kind: string): boolean {
  return /^k(?:ret)?probe\b/.test(kind);
}

/** Returns the name of the target in a section name, without its module; may be empty. */
export function attachName({ section }: Program): string {
  return /[^/:]*$/.exec(section)?.[0] ?? '';
}

/** How to find an attach target in the kernel's BTF: by its kind, with a prefix before its name. */
type Search = { readonly prefix: string; readonly kind: number };

/** Returns how to find the attach target, or null. Source: btf_get_kernel_prefix_kind. */
function searchOf({ kind }: Program): Search | null {
  const type = kernelProgramType(kind);
  if (type === 'LSM') return { prefix: 'bpf_lsm_', kind: BtfKind.FUNC };
  if (type !== 'TRACING') return null;
  if (kind.startsWith('iter')) return { prefix: 'bpf_iter_', kind: BtfKind.FUNC };
  if (kind.startsWith('tp_btf')) return { prefix: 'btf_trace_', kind: BtfKind.TYPEDEF };
  return { prefix: '', kind: BtfKind.FUNC };
}

export type AttachTarget = { readonly btfId: TypeId; readonly module: string | null };

export type Program = {
  /** Name of the program as raw text. */
  readonly name: string;
  /** Section name without a leading `?`, as raw text. */
  readonly section: string;
  /** Kind of program, a name in `SECTIONS`: `fentry`; empty if libbpf knows none. */
  readonly kind: string;
};

/** Returns the attach target in the kernel's BTF, or the failure; null if none is needed. */
export function findTarget(program: Program, kernel: LoadKernel): AttachTarget | Failure | null {
  const { name, section, kind } = program;
  const search = searchOf(program);
  if (namesModule(program)) return missingModule(name, section, kernel);
  const isExtension = kind === 'freplace';
  if (search === null && !isExtension) return null;
  const prepared = (errno: string, line: string) =>
    failed(
      errno,
      `prog '${name}': ${line}`,
      `prog '${name}': failed to prepare load attributes: -${errno}`,
    );
  const slash = section.indexOf('/');
  if (slash < 0) {
    const hint = 'use bpf_program__set_attach_target()';
    return prepared('EINVAL', `no BTF-based attach target is specified, ${hint}`);
  }
  if (search === null) return prepared('EINVAL', 'attach program FD is not set');
  const target = section.slice(slash + 1);
  return (
    findNamed(target, search, kernel) ??
    prepared('ESRCH', `failed to find kernel BTF type ID of '${target}': -ESRCH`)
  );
}

function missingModule(name: string, section: string, { modules }: LoadKernel): Failure | null {
  const [module, functions] = section.slice(section.indexOf('/') + 1).split(':');
  const isLoaded =
    functions === undefined ||
    ['vmlinux', ...(modules ?? []).map((table) => table.name)].includes(`${module}`);
  return isLoaded
    ? null
    : failed('EINVAL', `prog '${name}': failed to prepare load attributes: -EINVAL`);
}

function findNamed(target: string, search: Search, kernel: LoadKernel): AttachTarget | null {
  const colon = target.indexOf(':');
  // libbpf compares only the start of module names: `nf_conn:f` matches nf_conntrack.
  const modulePart = target.slice(0, Math.max(0, colon));
  const wanted = search.prefix + target.slice(colon + 1);
  const { vmlinux, modules } = kernel;
  const tables = [...(vmlinux === null ? [] : [{ name: 'vmlinux', types: vmlinux }])];
  for (const { name, types } of [...tables, ...(modules ?? [])]) {
    const btfId = name.startsWith(modulePart) ? findByNameKind(types, search.kind, wanted) : null;
    if (btfId !== null) return { btfId, module: types === vmlinux ? null : name };
  }
  return null;
}
