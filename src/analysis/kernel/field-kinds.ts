/**
 * The special types that the kernel finds in structs and map values, and fields of these types.
 * Source: kernel/bpf/btf.c: btf_get_field_type; include/linux/bpf.h: btf_field_type_size,
 * btf_field_type_align.
 */
import type { KernelRule } from './rules.ts';

export const Role = { lock: 0, root: 1, node: 2, refcount: 3, kptr: 4, timer: 5 } as const;

export type Special = {
  readonly name: string;
  readonly role: (typeof Role)[keyof typeof Role];
  /** Size in bytes. */
  readonly size: number;
  /** Alignment in bytes. */
  readonly align: number;
};

/** Special types that BPF_BTF_LOAD recognizes, in the kernel's order. */
export const SPECIALS: readonly Special[] = [
  { name: 'bpf_spin_lock', role: Role.lock, size: 4, align: 4 },
  { name: 'bpf_res_spin_lock', role: Role.lock, size: 4, align: 4 },
  { name: 'bpf_list_head', role: Role.root, size: 16, align: 8 },
  { name: 'bpf_list_node', role: Role.node, size: 24, align: 8 },
  { name: 'bpf_rb_root', role: Role.root, size: 16, align: 8 },
  { name: 'bpf_rb_node', role: Role.node, size: 32, align: 8 },
  { name: 'bpf_refcount', role: Role.refcount, size: 4, align: 4 },
];
/** Special types in the value of a map. List and tree nodes are not allowed there. */
export const MAP_SPECIALS: readonly Special[] = [
  ...SPECIALS.filter(({ role }) => role !== Role.node),
  { name: 'bpf_timer', role: Role.timer, size: 16, align: 8 },
  { name: 'bpf_wq', role: Role.timer, size: 16, align: 8 },
  { name: 'bpf_task_work', role: Role.timer, size: 8, align: 8 },
];
export const KPTR: Special = { name: 'kptr', role: Role.kptr, size: 8, align: 8 };
export const UPTR: Special = { ...KPTR, name: 'uptr' };
/** The kernel parses a struct if a member has one of these special types. */
export const ALLOCATED = SPECIALS.filter(({ name }) => name !== 'bpf_res_spin_lock');
export const KPTR_TAGS: readonly string[] = ['kptr_untrusted', 'kptr', 'percpu_kptr'];
/** Type tag of a referenced kptr, whose target struct must have a destructor. */
export const REFERENCED = 'kptr';
/** Returns true if the kernel has a struct of this name in its BTF or in that of a module. */
export type HasStruct = (name: string) => boolean;
/**
 * Structs of the kernel to which a referenced kptr may be, in some version or configuration. Source:
 * the calls of register_btf_id_dtor_kfuncs, up to Linux 7.3: task_struct, cgroup
 * (kernel/bpf/helpers.c), bpf_cpumask (cpumask.c), bpf_crypto_ctx (crypto.c), sk_buff
 * (net/sched/bpf_qdisc.c), bpf_ksock, and two of net/bpf/test_run.c.
 */
const DESTROYED: ReadonlySet<string> = new Set([
  'task_struct',
  'cgroup',
  'bpf_cpumask',
  'bpf_crypto_ctx',
  'sk_buff',
  'bpf_ksock',
  'prog_test_ref_kfunc',
  'prog_test_member',
]);
/** Returns true if the kernel may have a destructor for the struct, which only its code tells. */
export const mayHaveDestructor: HasStruct = (name) => DESTROYED.has(name);
/** Further structs that each kernel with BPF has, of those that programs use. */
const OF_PROGRAMS =
  'task_struct sk_buff bpf_cpumask prog_test_ref_kfunc prog_test_member bpf_dynptr bpf_iter_num bpf_iter_bits bpf_iter_task bpf_iter_task_vma bpf_dynptr_kern bpf_map bpf_prog bpf_link bpf_insn bpf_map_info bpf_prog_info bpf_link_info bpf_btf_info bpf_sock bpf_raw_tracepoint_args btf btf_type __sk_buff xdp_md xdp_buff pt_regs file inode dentry path qstr vfsmount super_block seq_file linux_binprm socket sock request_sock tcp_sock net net_device sockaddr msghdr iov_iter iphdr udphdr tcphdr ethhdr in_addr in6_addr cred user_struct user_namespace pid nsproxy mm_struct vm_area_struct signal_struct files_struct fs_struct page folio kmem_cache cpumask list_head hlist_head hlist_node rb_node rb_root callback_head timer_list hrtimer work_struct completion mutex kobject device';
const COMMON: ReadonlySet<string> = new Set([
  ...[...SPECIALS, ...MAP_SPECIALS].map(({ name }) => name),
  ...OF_PROGRAMS.split(' '),
]);
/** The structs of a kernel that is not at hand: those that each kernel has. */
export const inEveryKernel: HasStruct = (name) => COMMON.has(name);
/** Names of `inEveryKernel`. */
export const COMMON_STRUCTS: readonly string[] = [...COMMON];

/** A special field, with the struct and the index of the member that declare it. */
export type Field = {
  readonly special: Special;
  /** Offset in bytes from the start of the parsed struct. */
  readonly offset: number;
  readonly owner: number;
  readonly member: number;
  readonly contains: Contains | null;
  /** Id of the struct that a kptr points to; 0 for other fields. */
  readonly target: number;
  /** True for a pointer with the type tag `kptr`. */
  readonly isReferenced: boolean;
};

/** Struct and member that a tag `contains:TYPE:NODE` names. */
export type Contains = { readonly valueId: number; readonly nodeName: string };

/** A broken rule, with the struct, member or variable that breaks it. */
export class Broken {
  readonly rule: KernelRule;
  /** Function of kernel/bpf/btf.c that has the rule. */
  readonly where: string;
  /** Id of the struct or section, and index of its member; -1 for the struct itself. */
  readonly owner: number;
  readonly member: number;
  readonly what: string;

  constructor(rule: KernelRule, where: string, owner: number, member: number, what: string) {
    this.rule = rule;
    this.where = where;
    this.owner = owner;
    this.member = member;
    this.what = what;
  }
}

/** A broken rule without its place, which the caller adds. */
export type Wrong = { readonly rule: KernelRule; readonly where: string; readonly what: string };
