/**
 * Texts of the headers that `#include` finds: macros of libbpf's headers for declarations, and the
 * kernel types that programs use most. Also has the predefined macros of clang 19.
 */
import { tokensOf } from '#analysis/c/tokens.ts';
import { MAP_TYPE_NAMES } from '#analysis/kernel/map-types.ts';
import { PRELUDE } from './c-types.ts';

type Header = {
  readonly text: string;
  /** Note for the user about omitted parts of the header; null if nothing is omitted. */
  readonly note: string | null;
};

/** Returns declarations for typedefs of `PRELUDE`; `names` has spaces between the names. */
function typedefs(names: string): string {
  const lines = names.split(/\s+/).map((name) => `typedef ${PRELUDE.get(name)} ${name};\n`);
  return lines.join('');
}

/** Typedefs of include/uapi/linux/types.h and the headers that it includes. */
const LINUX_TYPES = typedefs(
  '__s8 __u8 __s16 __u16 __s32 __u32 __s64 __u64 __le16 __be16 __le32 __be32 __le64 __be64 __sum16 __wsum',
);
const STDINT = typedefs(
  'int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t',
);
const STDDEF = typedefs('ptrdiff_t size_t');

/** Typedefs of integers, as in the BTF of a 64-bit kernel. */
const VMLINUX_TYPES = `${LINUX_TYPES}${typedefs('u8 u16 u32 u64 s8 s16 s32 s64 bool umode_t gfp_t intptr_t uintptr_t')}
typedef long __kernel_long_t; typedef unsigned long __kernel_ulong_t;
typedef __kernel_ulong_t __kernel_size_t; typedef __kernel_long_t __kernel_ssize_t;
typedef __kernel_long_t __kernel_ptrdiff_t; typedef int __kernel_pid_t;
typedef unsigned int __kernel_uid32_t; typedef unsigned int __kernel_gid32_t;
typedef long long __kernel_loff_t; typedef u32 __kernel_dev_t;
typedef __kernel_size_t size_t; typedef __kernel_ssize_t ssize_t;
typedef __kernel_ptrdiff_t ptrdiff_t; typedef __kernel_pid_t pid_t;
typedef __kernel_uid32_t uid_t; typedef __kernel_gid32_t gid_t;
typedef __kernel_loff_t loff_t; typedef __kernel_dev_t dev_t;
typedef s8 int8_t; typedef s16 int16_t; typedef s32 int32_t; typedef s64 int64_t;
typedef u8 uint8_t; typedef u16 uint16_t; typedef u32 uint32_t; typedef u64 uint64_t;
`;

const COUNTED = `#define ___bpf_concat(a, b) a ## b
#define ___bpf_nth(_, _1, _2, _3, _4, _5, _6, _7, _8, _9, _a, _b, _c, N, ...) N
`;

/** Macros of libbpf's bpf_helpers.h. */
const HELPERS = `#define __uint(name, val) int (*name)[val]
#define __type(name, val) typeof(val) *name
#define __array(name, val) typeof(val) *name[]
#define __ulong(name, val) enum { ___bpf_concat(__unique_value, __COUNTER__) = val } name
#define SEC(name) __attribute__((section(name), used))
#define __always_inline inline __attribute__((always_inline))
#define __noinline __attribute__((noinline))
#define __weak __attribute__((weak))
#define bpf_ksym_exists(sym) (!!sym)
#define barrier() asm volatile("" ::: "memory")
#define __hidden __attribute__((visibility("hidden")))
#define __ksym __attribute__((section(".ksyms")))
#define __kconfig __attribute__((section(".kconfig")))
#define __kptr __attribute__((btf_type_tag("kptr")))
#define __kptr_untrusted __attribute__((btf_type_tag("kptr_untrusted")))
#define __percpu_kptr __attribute__((btf_type_tag("percpu_kptr")))
#define __uptr __attribute__((btf_type_tag("uptr")))
#define __arg_ctx __attribute__((btf_decl_tag("arg:ctx")))
#define __arg_nonnull __attribute__((btf_decl_tag("arg:nonnull")))
#define __arg_nullable __attribute__((btf_decl_tag("arg:nullable")))
#define __arg_trusted __attribute__((btf_decl_tag("arg:trusted")))
#define __arg_untrusted __attribute__((btf_decl_tag("arg:untrusted")))
#define __arg_arena __attribute__((btf_decl_tag("arg:arena")))
${COUNTED}#define ___bpf_pick_printk(...) ___bpf_nth(_, ##__VA_ARGS__, __bpf_vprintk, __bpf_vprintk, \\
  __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, \\
  __bpf_vprintk, __bpf_printk, __bpf_printk, __bpf_printk, __bpf_printk)
#define __bpf_printk(fmt, ...) ({ static const char ____fmt[] = fmt; \\
  bpf_trace_printk(____fmt, sizeof(____fmt), ##__VA_ARGS__); })
#define __bpf_vprintk(fmt, args...) ({ static const char ___fmt[] = fmt; \\
  unsigned long long ___param[] = { args }; \\
  bpf_trace_vprintk(___fmt, sizeof(___fmt), ___param, sizeof(___param)); })
#define bpf_printk(fmt, args...) ___bpf_pick_printk(args)(fmt, ##args)
enum libbpf_pin_type { LIBBPF_PIN_NONE, LIBBPF_PIN_BY_NAME };
enum libbpf_tristate { TRI_NO = 0, TRI_YES = 1, TRI_MODULE = 2 };
`;

/** Macros of bpf_experimental.h in the kernel's selftests. */
const EXPERIMENTAL = `#define __contains(name, node) __attribute__((btf_decl_tag("contains:" #name ":" #node)))
#define __exception_cb(name) __attribute__((btf_decl_tag("exception_callback:" #name)))
`;

/**
 * Macros of libbpf's bpf_tracing.h. They define the function for the loader, which calls an inlined
 * function with its arguments. Here all arguments are 0, since bodies are not compiled.
 */
const TRACED = ['BPF_PROG', 'BPF_PROG2']
  .map((macro) => [macro, 'unsigned long long'])
  .concat(
    ['KPROBE', 'KRETPROBE', 'UPROBE', 'URETPROBE', 'KSYSCALL', 'USDT'].map((macro) => [
      `BPF_${macro}`,
      'struct pt_regs',
    ]),
  )
  .map(([macro = '', type]) => {
    const [wrapper, condition] =
      macro === 'BPF_KSYSCALL'
        ? ['extern _Bool LINUX_HAS_SYSCALL_WRAPPER __kconfig;', 'LINUX_HAS_SYSCALL_WRAPPER ? 0 :']
        : ['', ''];
    const inner = `static __always_inline typeof(name(0)) ____##name(${type} *ctx, ##args)`;
    return `#define ${macro}(name, args...) name(${type} *ctx); ${wrapper} ${inner}; \\
  typeof(name(0)) name(${type} *ctx) { return ${condition} ____##name(___bpf_zeros(args)); } ${inner}
`;
  });
const ZEROS = Array.from(
  { length: 13 },
  (_, i) => `#define ___bpf_zeros${i} ctx${', 0'.repeat(i)}\n`,
);
const TRACING = `${COUNTED}${ZEROS.join('')}#define ___bpf_zeros_of(n) ___bpf_concat(___bpf_zeros, n)
#define ___bpf_zeros(...) ___bpf_zeros_of(___bpf_nth(_, ##__VA_ARGS__, ${ZEROS.map((_, i) => 12 - i).join(', ')}))
${TRACED.join('')}#define BPF_KPROBE_SYSCALL BPF_KSYSCALL
struct pt_regs;
`;

/** Declarations of include/uapi/linux/bpf.h. */
const BPF = `enum bpf_map_type { ${MAP_TYPE_NAMES.join(', ')} };
enum { BPF_ANY = 0, BPF_NOEXIST = 1, BPF_EXIST = 2, BPF_F_LOCK = 4 };
enum { BPF_F_NO_PREALLOC = 1 << 0, BPF_F_NO_COMMON_LRU = 1 << 1, BPF_F_NUMA_NODE = 1 << 2,
  BPF_F_RDONLY = 1 << 3, BPF_F_WRONLY = 1 << 4, BPF_F_STACK_BUILD_ID = 1 << 5,
  BPF_F_ZERO_SEED = 1 << 6, BPF_F_RDONLY_PROG = 1 << 7, BPF_F_WRONLY_PROG = 1 << 8,
  BPF_F_CLONE = 1 << 9, BPF_F_MMAPABLE = 1 << 10, BPF_F_PRESERVE_ELEMS = 1 << 11,
  BPF_F_INNER_MAP = 1 << 12, BPF_F_LINK = 1 << 13 };
enum xdp_action { XDP_ABORTED, XDP_DROP, XDP_PASS, XDP_TX, XDP_REDIRECT };
struct xdp_md { __u32 data; __u32 data_end; __u32 data_meta; __u32 ingress_ifindex;
  __u32 rx_queue_index; __u32 egress_ifindex; };
struct bpf_spin_lock { __u32 val; };
struct bpf_timer { __u64 __opaque[2]; } __attribute__((aligned(8)));
struct bpf_wq { __u64 __opaque[2]; } __attribute__((aligned(8)));
struct bpf_dynptr { __u64 __opaque[2]; } __attribute__((aligned(8)));
struct bpf_list_head { __u64 __opaque[2]; } __attribute__((aligned(8)));
struct bpf_list_node { __u64 __opaque[3]; } __attribute__((aligned(8)));
struct bpf_rb_root { __u64 __opaque[2]; } __attribute__((aligned(8)));
struct bpf_rb_node { __u64 __opaque[4]; } __attribute__((aligned(8)));
struct bpf_refcount { __u32 __opaque[1]; } __attribute__((aligned(4)));
`;

const ENTRIES: readonly (readonly [paths: string, text: string, note: string | null])[] = [
  ['bpf/bpf_helpers.h bpf_helpers.h', HELPERS, null],
  ['bpf_experimental.h', EXPERIMENTAL, null],
  ['bpf/bpf_tracing.h bpf_tracing.h', TRACING, null],
  [
    'bpf/usdt.bpf.h usdt.bpf.h',
    TRACING,
    'of usdt.bpf.h there is the macro: its maps, functions and externs are missing',
  ],
  [
    'vmlinux.h',
    VMLINUX_TYPES + BPF,
    'of vmlinux.h there are the integer types, the types of maps and some of linux/bpf.h: open the BTF of a kernel to have all of its types',
  ],
  [
    'linux/bpf.h bpf.h',
    LINUX_TYPES + BPF,
    'of linux/bpf.h there are the types of maps, their flags, xdp_md and the opaque types: declare the others that you use',
  ],
  // These headers are empty: only function bodies use their declarations.
  ['bpf/bpf_core_read.h bpf_core_read.h bpf/bpf_endian.h bpf_endian.h', '', null],
  ['linux/types.h types.h asm/types.h', LINUX_TYPES, null],
  ['stdint.h inttypes.h', STDINT, null],
  ['stddef.h', STDDEF, null],
  [
    'sys/types.h',
    typedefs('int8_t int16_t int32_t int64_t size_t ssize_t pid_t uid_t gid_t'),
    null,
  ],
  ['stdbool.h', '#define true 1\n#define false 0\n', null],
];

/** Headers by the path in `#include`. */
export const HEADERS: ReadonlyMap<string, Header> = new Map(
  ENTRIES.flatMap(([paths, text, note]) => paths.split(' ').map((path) => [path, { text, note }])),
);

/** Macros that headers use, as clang 19 defines them for BPF (`clang -dM -E`), and some of libc. */
export const PREDEFINED = tokensOf(`#define __bpf__ 1
#define __BPF__ 1
#define __BPF_CPU_VERSION__ 1
#define __BPF_FEATURE_ADDR_SPACE_CAST 1
#define __clang__ 1
#define __llvm__ 1
#define __clang_major__ 19
#define __clang_minor__ 1
#define __clang_patchlevel__ 7
#define __GNUC__ 4
#define __GNUC_MINOR__ 2
#define __GNUC_PATCHLEVEL__ 1
#define __STDC__ 1
#define __STDC_HOSTED__ 1
#define __STDC_VERSION__ 201710L
#define __ELF__ 1
#define _LP64 1
#define __LP64__ 1
#define __ORDER_LITTLE_ENDIAN__ 1234
#define __ORDER_BIG_ENDIAN__ 4321
#define __ORDER_PDP_ENDIAN__ 3412
#define __CHAR_BIT__ 8
#define __BIGGEST_ALIGNMENT__ 8
#define __POINTER_WIDTH__ 64
#define __SCHAR_MAX__ 127
#define __SHRT_MAX__ 32767
#define __INT_MAX__ 2147483647
#define __LONG_MAX__ 9223372036854775807L
#define __LONG_LONG_MAX__ 9223372036854775807LL
#define __SIZE_MAX__ 18446744073709551615UL
${[
  'SHORT 2',
  'INT 4',
  'LONG 8',
  'LONG_LONG 8',
  'INT128 16',
  'POINTER 8',
  'SIZE_T 8',
  'PTRDIFF_T 8',
  'WCHAR_T 4',
  'FLOAT 4',
  'DOUBLE 8',
  'LONG_DOUBLE 8',
]
  .map((entry) => `#define __SIZEOF_${entry.replace(' ', '__ ')}\n`)
  .join('')}${[
  'INT8 signed char',
  'INT16 short',
  'INT32 int',
  'INT64 long int',
  'UINT8 unsigned char',
  'UINT16 unsigned short',
  'UINT32 unsigned int',
  'UINT64 long unsigned int',
  'SIZE long unsigned int',
  'PTRDIFF long int',
  'INTPTR long int',
  'UINTPTR long unsigned int',
  'INTMAX long int',
  'UINTMAX long unsigned int',
  'WCHAR int',
]
  .map((entry) => `#define __${entry.replace(' ', '_TYPE__ ')}\n`)
  .join('')}#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#define static_assert _Static_assert
#define alignas _Alignas
#define alignof _Alignof
`);

/** Names for which `__has_attribute`, `__has_builtin` and similar are true in clang 19. */
export const HAS = new Set(
  `preserve_access_index btf_decl_tag btf_type_tag bpf_fastcall counted_by packed aligned unused used
  section weak always_inline noinline visibility deprecated mode pure const cold hot format
  preserve_static_offset fallthrough
  __builtin_preserve_access_index __builtin_preserve_field_info __builtin_preserve_type_info
  __builtin_preserve_enum_value __builtin_btf_type_id __builtin_offsetof __builtin_expect
  __builtin_memcpy __builtin_memset __builtin_memmove __builtin_memcmp __builtin_unreachable
  __builtin_constant_p __builtin_types_compatible_p __builtin_choose_expr __builtin_assume
  __builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __builtin_ctz __builtin_clz`.split(/\s+/),
);
