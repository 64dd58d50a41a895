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
/** Structs that every kernel has; they have no destructor. Other structs depend on the kernel. */
export const IN_EVERY_KERNEL: ReadonlySet<string> = new Set(
  [...SPECIALS, ...MAP_SPECIALS].map(({ name }) => name),
);

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
