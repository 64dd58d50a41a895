/**
 * Makes the C of the cards of the verifier's rules one text for clang: headers, the types and
 * helpers of the kernel that cards use, and the maps that cards use without a definition.
 */
import { LIBBPF } from '#analysis/workbench/headers.ts';

const INCLUDED = ['vmlinux.h', 'bpf_helpers.h', 'bpf_experimental.h', 'bpf_tracing.h'];

/**
 * Declarations of vmlinux.h and libbpf's headers that the headers of the workbench leave out, and
 * macros that they have in a form that only says what is used.
 */
const KERNEL = `#undef NULL
#undef barrier_var
#undef container_of
#undef bpf_core_type_id_local
#undef bpf_core_type_id_kernel
#undef bpf_for_each
#undef bpf_for
#define NULL ((void *)0)
#define barrier_var(var) asm volatile("" : "+r"(var))
#define container_of(ptr, type, member) ((type *)((void *)(ptr) - __builtin_offsetof(type, member)))
#define bpf_core_type_id_local(type) __builtin_btf_type_id(*(typeof(type) *)0, 0)
#define bpf_core_type_id_kernel(type) __builtin_btf_type_id(*(typeof(type) *)0, 1)
#define bpf_for_each(kind, item, args...) \\
  for (struct bpf_iter_##kind it __attribute__((cleanup(bpf_iter_##kind##_destroy))), \\
       *made = (bpf_iter_##kind##_new(&it, ##args), &it); \\
       (item = bpf_iter_##kind##_next(made));)
#define bpf_for(i, from, to) \\
  for (struct bpf_iter_num it __attribute__((cleanup(bpf_iter_num_destroy))), \\
       *made = (bpf_iter_num_new(&it, from, to), &it); \\
       ({ int *next = bpf_iter_num_next(made); if (next) i = *next; next; });)
struct bpf_map;
struct file;
struct sk_buff { unsigned int len; };
struct task_struct { int pid; struct task_struct *real_parent; };
struct pt_regs { unsigned long di; };
struct bpf_iter_task { __u64 __opaque[3]; } __attribute__((aligned(8)));
#define HELPER(number, result, name, args...) static result (*const name)(args) = (void *)number;
HELPER(1, void *, bpf_map_lookup_elem, void *, const void *)
HELPER(2, long, bpf_map_update_elem, void *, const void *, const void *, __u64)
HELPER(3, long, bpf_map_delete_elem, void *, const void *)
HELPER(5, __u64, bpf_ktime_get_ns, void)
HELPER(6, long, bpf_trace_printk, const char *, __u32, ...)
HELPER(7, __u32, bpf_get_prandom_u32, void)
HELPER(8, __u32, bpf_get_smp_processor_id, void)
HELPER(12, long, bpf_tail_call, void *, void *, __u32)
HELPER(14, __u64, bpf_get_current_pid_tgid, void)
HELPER(16, long, bpf_get_current_comm, void *, __u32)
HELPER(25, long, bpf_perf_event_output, void *, void *, __u64, void *, __u64)
HELPER(26, long, bpf_skb_load_bytes, const void *, __u32, void *, __u32)
HELPER(70, long, bpf_sock_hash_update, struct bpf_sock_ops *, void *, void *, __u64)
HELPER(84, struct bpf_sock *, bpf_sk_lookup_tcp, void *, struct bpf_sock_tuple *, __u32, __u64, __u64)
HELPER(86, long, bpf_sk_release, void *)
HELPER(93, long, bpf_spin_lock, struct bpf_spin_lock *)
HELPER(94, long, bpf_spin_unlock, struct bpf_spin_lock *)
HELPER(112, long, bpf_probe_read_user, void *, __u32, const void *)
HELPER(113, long, bpf_probe_read_kernel, void *, __u32, const void *)
HELPER(114, long, bpf_probe_read_user_str, void *, __u32, const void *)
HELPER(115, long, bpf_probe_read_kernel_str, void *, __u32, const void *)
HELPER(130, long, bpf_ringbuf_output, void *, void *, __u64, __u64)
HELPER(131, void *, bpf_ringbuf_reserve, void *, __u64, __u64)
HELPER(132, void, bpf_ringbuf_submit, void *, __u64)
HELPER(148, long, bpf_copy_from_user, void *, __u32, const void *)
HELPER(158, struct task_struct *, bpf_get_current_task_btf, void)
HELPER(164, long, bpf_for_each_map_elem, void *, void *, void *, __u64)
HELPER(169, long, bpf_timer_init, struct bpf_timer *, void *, __u64)
HELPER(177, long, bpf_trace_vprintk, const char *, __u32, const void *, __u32)
HELPER(181, long, bpf_loop, __u32, void *, void *, __u64)
HELPER(194, void *, bpf_kptr_xchg, void *, void *)
HELPER(197, long, bpf_dynptr_from_mem, void *, __u64, __u64, struct bpf_dynptr *)
HELPER(198, long, bpf_ringbuf_reserve_dynptr, void *, __u32, __u64, struct bpf_dynptr *)
HELPER(199, void, bpf_ringbuf_submit_dynptr, struct bpf_dynptr *, __u64)
HELPER(201, long, bpf_dynptr_read, void *, __u64, const struct bpf_dynptr *, __u64, __u64)
HELPER(202, long, bpf_dynptr_write, const struct bpf_dynptr *, __u64, void *, __u64, __u64)
`;

/** Returns the definition of a map whose key is a number. */
function mapText(name: string, type: string, value: string): string {
  return `struct { __uint(type, BPF_MAP_TYPE_${type}); __uint(max_entries, 16);
  __type(key, __u32); __type(value, ${value}); } ${name} SEC(".maps");
`;
}

/** Definitions that cards leave out. */
const SHARED = `struct event { __u32 pid; __u64 data; };
struct counter { struct bpf_spin_lock lock; __u32 hits; __u64 last; };
struct element { __u64 key; struct bpf_rb_node node; };
${mapText('counters', 'ARRAY', 'struct counter')}${mapText('values', 'HASH', '__u64')}${mapText('progs', 'PROG_ARRAY', '__u32')}struct { __uint(type, BPF_MAP_TYPE_RINGBUF); __uint(max_entries, 4096); } events SEC(".maps");
struct task_struct *bpf_task_acquire(struct task_struct *p) __ksym;
void bpf_task_release(struct task_struct *p) __ksym;
`;

/** Matches a name that a block of C defines: function, struct, map or variable. */
const DEFINED =
  /^(?:int BPF_\w+\(|struct (?=\w+ \{)|\} (?=\w+ SEC)|(?:static|__noinline|const volatile|int|__u64) (?:[\w ]* \**)?(?=\w+[(;]))(\w+)/gm;

/** Returns whether a block of C is a function or a whole program, not a few statements. */
export function isProgram(block: string): boolean {
  return /^SEC\("[^.]/m.test(block) || /^(static|__noinline) .*\)$/m.test(block);
}

/** Returns one text of C with all blocks. Names that blocks define get the number of the block. */
export function programsText(blocks: readonly (readonly [file: string, text: string])[]): string {
  const texts = INCLUDED.map((name) => LIBBPF.get(name)?.text ?? '');
  const headers = texts.map((text) => text.replace(/^#include ".*$/gm, ''));
  const parts = blocks.map(([file, text], i) => {
    // BPF_PROG and similar macros define a second function, with underscores before the name.
    const names = [...text.matchAll(DEFINED)].flatMap(([, name]) => [name, `____${name}`]);
    const unique = [...new Set(names)];
    const renames = unique.map((name) => `#define ${name} ${name}_${i}\n`);
    const ends = unique.map((name) => `#undef ${name}\n`);
    return `${renames.join('')}#line 1 "${file}"\n${text}\n${ends.join('')}`;
  });
  return [...headers, KERNEL, SHARED, ...parts].join('');
}
