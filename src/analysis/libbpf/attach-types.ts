/** Attach types by the section name of a program. Source: libbpf 1.8, libbpf.c: section_defs. */

/** Kinds of programs for each attach type, without those that libbpf gives up on old kernels. */
const KINDS: Readonly<Record<string, string>> = {
  BPF_SK_REUSEPORT_SELECT_OR_MIGRATE: 'sk_reuseport/migrate',
  BPF_SK_REUSEPORT_SELECT: 'sk_reuseport',
  BPF_TRACE_KPROBE_MULTI: 'kprobe.multi kretprobe.multi',
  BPF_TRACE_KPROBE_SESSION: 'kprobe.session',
  BPF_TRACE_UPROBE_MULTI: 'uprobe.multi uretprobe.multi uprobe.multi.s uretprobe.multi.s',
  BPF_TRACE_UPROBE_SESSION: 'uprobe.session uprobe.session.s',
  BPF_TCX_INGRESS: 'tc/ingress tcx/ingress',
  BPF_TCX_EGRESS: 'tc/egress tcx/egress',
  BPF_NETKIT_PRIMARY: 'netkit/primary',
  BPF_NETKIT_PEER: 'netkit/peer',
  BPF_TRACE_RAW_TP: 'tp_btf tp_btf.s',
  BPF_TRACE_FENTRY: 'fentry fentry.s',
  BPF_MODIFY_RETURN: 'fmod_ret fmod_ret.s',
  BPF_TRACE_FEXIT: 'fexit fexit.s',
  BPF_TRACE_FSESSION: 'fsession fsession.s',
  BPF_TRACE_FENTRY_MULTI: 'fentry.multi fentry.multi.s',
  BPF_TRACE_FEXIT_MULTI: 'fexit.multi fexit.multi.s',
  BPF_TRACE_FSESSION_MULTI: 'fsession.multi fsession.multi.s',
  BPF_LSM_MAC: 'lsm lsm.s',
  BPF_LSM_CGROUP: 'lsm_cgroup',
  BPF_TRACE_ITER: 'iter iter.s',
  BPF_XDP_DEVMAP: 'xdp.frags/devmap xdp/devmap',
  BPF_XDP_CPUMAP: 'xdp.frags/cpumap xdp/cpumap',
  BPF_XDP: 'xdp.frags',
  BPF_SK_SKB_VERDICT: 'sk_skb/verdict',
  BPF_CGROUP_INET_SOCK_CREATE: 'cgroup/sock_create',
  BPF_CGROUP_INET_SOCK_RELEASE: 'cgroup/sock_release',
  BPF_CGROUP_INET4_POST_BIND: 'cgroup/post_bind4',
  BPF_CGROUP_INET6_POST_BIND: 'cgroup/post_bind6',
  BPF_CGROUP_INET4_BIND: 'cgroup/bind4',
  BPF_CGROUP_INET6_BIND: 'cgroup/bind6',
  BPF_CGROUP_INET4_CONNECT: 'cgroup/connect4',
  BPF_CGROUP_INET6_CONNECT: 'cgroup/connect6',
  BPF_CGROUP_UNIX_CONNECT: 'cgroup/connect_unix',
  BPF_CGROUP_UDP4_SENDMSG: 'cgroup/sendmsg4',
  BPF_CGROUP_UDP6_SENDMSG: 'cgroup/sendmsg6',
  BPF_CGROUP_UNIX_SENDMSG: 'cgroup/sendmsg_unix',
  BPF_CGROUP_UDP4_RECVMSG: 'cgroup/recvmsg4',
  BPF_CGROUP_UDP6_RECVMSG: 'cgroup/recvmsg6',
  BPF_CGROUP_UNIX_RECVMSG: 'cgroup/recvmsg_unix',
  BPF_CGROUP_INET4_GETPEERNAME: 'cgroup/getpeername4',
  BPF_CGROUP_INET6_GETPEERNAME: 'cgroup/getpeername6',
  BPF_CGROUP_UNIX_GETPEERNAME: 'cgroup/getpeername_unix',
  BPF_CGROUP_INET4_GETSOCKNAME: 'cgroup/getsockname4',
  BPF_CGROUP_INET6_GETSOCKNAME: 'cgroup/getsockname6',
  BPF_CGROUP_UNIX_GETSOCKNAME: 'cgroup/getsockname_unix',
  BPF_CGROUP_SYSCTL: 'cgroup/sysctl',
  BPF_CGROUP_GETSOCKOPT: 'cgroup/getsockopt',
  BPF_CGROUP_SETSOCKOPT: 'cgroup/setsockopt',
  BPF_SK_LOOKUP: 'sk_lookup',
  BPF_NETFILTER: 'netfilter',
};

const BY_KIND: ReadonlyMap<string, string> = new Map(
  Object.entries(KINDS).flatMap(([type, kinds]) =>
    kinds.split(' ').map((kind) => [kind, type] as const),
  ),
);

/**
 * Returns the attach type that the kernel must have for a kind of program; null for none. libbpf
 * omits the attach types of other kinds, such as `xdp`, where the kernel does not know them.
 */
export function attachTypeOf(kind: string): string | null {
  return BY_KIND.get(kind) ?? null;
}
