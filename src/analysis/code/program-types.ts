/**
 * What libbpf makes of the name of a program's section.
 *
 * Source: libbpf's documentation, "Program Types and ELF Sections" (the table of
 * SEC() names), libbpf 1.x. A name that ends in `+` takes `name` and `name/…`;
 * all others must be met exactly.
 */
const SECTIONS: readonly string[] = `
  socket sk_reuseport/migrate sk_reuseport
  kprobe+ uprobe+ uprobe.s+ kretprobe+ uretprobe+ uretprobe.s+
  kprobe.multi+ kretprobe.multi+ kprobe.session+
  uprobe.multi+ uretprobe.multi+ uprobe.session+
  uprobe.multi.s+ uretprobe.multi.s+ uprobe.session.s+
  ksyscall+ kretsyscall+ usdt+ usdt.s+
  tc/ingress tc/egress tcx/ingress tcx/egress tc classifier action
  netkit/primary netkit/peer
  tracepoint+ tp+ raw_tracepoint+ raw_tp+ raw_tracepoint.w+ raw_tp.w+ tp_btf+
  fentry+ fmod_ret+ fexit+ fsession+ fentry.s+ fmod_ret.s+ fexit.s+ fsession.s+ freplace+
  lsm+ lsm.s+ lsm_cgroup+ iter+ iter.s+ syscall
  xdp.frags/devmap xdp/devmap xdp.frags/cpumap xdp/cpumap xdp.frags xdp
  perf_event lwt_in lwt_out lwt_xmit lwt_seg6local
  sockops sk_skb/stream_parser sk_skb/stream_verdict sk_skb/verdict sk_skb sk_msg
  lirc_mode2 flow_dissector
  cgroup_skb/ingress cgroup_skb/egress cgroup/skb
  cgroup/sock_create cgroup/sock_release cgroup/sock cgroup/post_bind4 cgroup/post_bind6
  cgroup/bind4 cgroup/bind6 cgroup/connect4 cgroup/connect6 cgroup/connect_unix
  cgroup/sendmsg4 cgroup/sendmsg6 cgroup/sendmsg_unix
  cgroup/recvmsg4 cgroup/recvmsg6 cgroup/recvmsg_unix
  cgroup/getpeername4 cgroup/getpeername6 cgroup/getpeername_unix
  cgroup/getsockname4 cgroup/getsockname6 cgroup/getsockname_unix
  cgroup/sysctl cgroup/getsockopt cgroup/setsockopt cgroup/dev
  struct_ops+ struct_ops.s+ sk_lookup netfilter
`
  .trim()
  .split(/\s+/);

// None of the names that end in `+` has a slash, so that what stands before the first is the name.
const WITH_REST = new Set(SECTIONS.filter((s) => s.endsWith('+')).map((s) => s.slice(0, -1)));
const EXACT = new Set(SECTIONS.filter((entry) => !entry.endsWith('+')));

export type ProgramType = {
  /** The name that libbpf goes by: `kprobe`, `xdp`; empty where it knows none. */
  readonly kind: string;
  /** What stands behind it: `do_unlinkat`, `syscalls/sys_enter_openat`. Raw text. */
  readonly attachTo: string;
};

/** The program type that a section of this name asks for. A leading `?` (do not load by itself) counts for nothing. */
export function programType(sectionName: string): ProgramType {
  const name = sectionName.startsWith('?') ? sectionName.slice(1) : sectionName;
  if (EXACT.has(name)) return { kind: name, attachTo: '' };
  const [kind = ''] = name.split('/', 1);
  return WITH_REST.has(kind)
    ? { kind, attachTo: name.slice(kind.length + 1) }
    : { kind: '', attachTo: '' };
}
