/**
 * Texts of the headers that `#include` finds: macros and declarations of libbpf 1.8's headers, and
 * what the headers of Linux and the C library declare (`system-headers.txt`, which
 * `scripts/build-workbench-headers.mjs` writes). Also has the predefined macros of clang 19.
 */
import { tokensOf } from '#analysis/c/tokens.ts';
import { PRELUDE } from './c-types.ts';

export type Header = {
  readonly text: string;
  /** Note for the user about omitted parts of the header; null if nothing is omitted. */
  readonly note: string | null;
};

/** Returns declarations for typedefs of `PRELUDE`; `names` has spaces between the names. */
function typedefs(names: string): string {
  const lines = names.split(/\s+/).map((name) => `typedef ${PRELUDE.get(name)} ${name};\n`);
  return lines.join('');
}

/** Typedefs of integers, as in the BTF of a 64-bit kernel. */
const VMLINUX_TYPES = `${typedefs('__s8 __u8 __s16 __u16 __s32 __u32 __s64 __u64 __le16 __be16 __le32 __be32 __le64 __be64 __sum16 __wsum')}${typedefs('u8 u16 u32 u64 s8 s16 s32 s64 bool umode_t gfp_t intptr_t uintptr_t')}
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

/** Most arguments that the macros of libbpf count. */
const MAX_ARGS = 12;
const COUNTS = Array.from({ length: MAX_ARGS + 1 }, (_, i) => i);

/** Macros of libbpf's bpf_helpers.h, and its declarations. */
const HELPERS = `#include "bpf_helper_defs.h"
#define __uint(name, val) int (*name)[val]
#define __type(name, val) typeof(val) *name
#define __array(name, val) typeof(val) *name[]
#define __ulong(name, val) enum { ___bpf_concat(__unique_value, __COUNTER__) = val } name
#ifndef likely
#define likely(x) (__builtin_expect(!!(x), 1))
#endif
#ifndef unlikely
#define unlikely(x) (__builtin_expect(!!(x), 0))
#endif
#define SEC(name) __attribute__((section(name), used))
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#ifndef __noinline
#define __noinline __attribute__((noinline))
#endif
#ifndef __weak
#define __weak __attribute__((weak))
#endif
#define __hidden __attribute__((visibility("hidden")))
#ifndef KERNEL_VERSION
#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + ((c) > 255 ? 255 : (c)))
#endif
#undef container_of
#define container_of(ptr, type, member) ((type *)((void *)(ptr) - offsetof(type, member)))
#ifndef barrier
#define barrier() asm volatile("" ::: "memory")
#endif
#ifndef barrier_var
#define barrier_var(var) asm volatile("" : "+r"(var))
#endif
#define __bpf_unreachable() __builtin_trap()
enum libbpf_pin_type { LIBBPF_PIN_NONE, LIBBPF_PIN_BY_NAME };
enum libbpf_tristate { TRI_NO = 0, TRI_YES = 1, TRI_MODULE = 2 };
#define __kconfig __attribute__((section(".kconfig")))
#define __ksym __attribute__((section(".ksyms")))
#define __kptr_untrusted __attribute__((btf_type_tag("kptr_untrusted")))
#define __kptr __attribute__((btf_type_tag("kptr")))
#define __percpu_kptr __attribute__((btf_type_tag("percpu_kptr")))
#define __uptr __attribute__((btf_type_tag("uptr")))
#define bpf_ksym_exists(sym) (!!sym)
#define __arg_ctx __attribute__((btf_decl_tag("arg:ctx")))
#define __arg_nonnull __attribute__((btf_decl_tag("arg:nonnull")))
#define __arg_nullable __attribute__((btf_decl_tag("arg:nullable")))
#define __arg_trusted __attribute__((btf_decl_tag("arg:trusted")))
#define __arg_untrusted __attribute__((btf_decl_tag("arg:untrusted")))
#define __arg_arena __attribute__((btf_decl_tag("arg:arena")))
#ifndef ___bpf_concat
#define ___bpf_concat(a, b) a ## b
#endif
#ifndef ___bpf_apply
#define ___bpf_apply(fn, n) ___bpf_concat(fn, n)
#endif
#ifndef ___bpf_nth
#define ___bpf_nth(_, _1, _2, _3, _4, _5, _6, _7, _8, _9, _a, _b, _c, N, ...) N
#endif
#ifndef ___bpf_narg
#define ___bpf_narg(...) ___bpf_nth(_, ##__VA_ARGS__, ${COUNTS.toReversed().join(', ')})
#endif
#ifdef BPF_NO_GLOBAL_DATA
#define BPF_PRINTK_FMT_MOD
#else
#define BPF_PRINTK_FMT_MOD static const
#endif
#define __bpf_printk(fmt, ...) ({ BPF_PRINTK_FMT_MOD char ____fmt[] = fmt; \\
  bpf_trace_printk(____fmt, sizeof(____fmt), ##__VA_ARGS__); })
${[
  ['BPF_SEQ_PRINTF', 'seq, ', 'bpf_seq_printf', 'seq, '],
  ['BPF_SNPRINTF', 'out, out_size, ', 'bpf_snprintf', 'out, out_size, '],
  ['__bpf_vprintk', '', 'bpf_trace_vprintk', ''],
  ['bpf_stream_printk', 'stream_id, ', 'bpf_stream_vprintk', 'stream_id, '],
]
  .map(
    ([name, params, helper, passed]) =>
      `#define ${name}(${params}fmt, args...) ({ static const char ___fmt[] = fmt; \\
  unsigned long long ___param[] = { args }; \\
  ${helper}(${passed}___fmt, sizeof(___fmt), ___param, sizeof(___param)); })
`,
  )
  .join(
    '',
  )}#define ___bpf_pick_printk(...) ___bpf_nth(_, ##__VA_ARGS__, ${COUNTS.map((i) => (MAX_ARGS - i > 3 ? '__bpf_vprintk' : '__bpf_printk')).join(', ')})
#define bpf_printk(fmt, args...) ___bpf_pick_printk(args)(fmt, ##args)
struct bpf_iter_num;
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __weak __ksym;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __weak __ksym;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __weak __ksym;
#ifndef bpf_for_each
#define bpf_for_each(type, cur, args...) for (bpf_iter_##type##_new(&___it, ##args); \\
  (((cur) = bpf_iter_##type##_next(&___it))); bpf_iter_##type##_destroy(&___it))
#endif
#ifndef bpf_for
#define bpf_for(i, start, end) for (bpf_iter_num_new(&___it, (start), (end)); \\
  ({ int *___t = bpf_iter_num_next(&___it); (___t && ((i) = *___t, (i) >= (start) && (i) < (end))); }); \\
  bpf_iter_num_destroy(&___it))
#endif
#ifndef bpf_repeat
#define bpf_repeat(N) for (bpf_iter_num_new(&___it, 0, (N)); bpf_iter_num_next(&___it); \\
  bpf_iter_num_destroy(&___it))
#endif
`;

/** Declarations of libbpf's bpf_core_read.h, and the macro of a kfunc. Other macros are for code. */
const CORE_READ = `#include "bpf_helpers.h"
enum bpf_field_info_kind { BPF_FIELD_BYTE_OFFSET = 0, BPF_FIELD_BYTE_SIZE = 1, BPF_FIELD_EXISTS = 2,
  BPF_FIELD_SIGNED = 3, BPF_FIELD_LSHIFT_U64 = 4, BPF_FIELD_RSHIFT_U64 = 5 };
enum bpf_type_id_kind { BPF_TYPE_ID_LOCAL = 0, BPF_TYPE_ID_TARGET = 1 };
enum bpf_type_info_kind { BPF_TYPE_EXISTS = 0, BPF_TYPE_SIZE = 1, BPF_TYPE_MATCHES = 2 };
enum bpf_enum_value_kind { BPF_ENUMVAL_EXISTS = 0, BPF_ENUMVAL_VALUE = 1 };
extern void *bpf_rdonly_cast(const void *obj, __u32 btf_id) __ksym __weak;
#define bpf_core_cast(ptr, type) ((typeof(type) *)bpf_rdonly_cast((ptr), 0))
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
    // BPF_PROG2 has a comma between the type and the name of a parameter.
    const [params, zeros] =
      macro === 'BPF_PROG2'
        ? ['___bpf_ctx_decl(args)', '___bpf_zeros2(args)']
        : [', ##args', '___bpf_zeros(args)'];
    const inner = `static __always_inline typeof(name(0)) ____##name(${type} *ctx ${params})`;
    return `#define ${macro}(name, args...) name(${type} *ctx); ${wrapper} ${inner}; \\
  typeof(name(0)) name(${type} *ctx) { return ${condition} ____##name(${zeros}); } ${inner}
`;
  });
const PAIRS = COUNTS.flatMap((i) => [i, i])
  .slice(1)
  .toReversed();
const TRACING = `#include "bpf_helpers.h"
#define bpf_target_x86
#define bpf_target_defined
${COUNTS.map((i) => `#define ___bpf_zeros_${i} ctx${', 0'.repeat(i)}\n`).join('')}${COUNTS.slice(1)
  .map((i) => `#define ___bpf_ctx_decl${i}(t, x, args...) , t x ___bpf_ctx_decl${i - 1}(args)\n`)
  .join('')}#define ___bpf_ctx_decl0(...)
#define ___bpf_nth2(_, ${PAIRS.slice(1)
  .map((_, i) => `_${i + 1}`)
  .join(', ')}, N, ...) N
#define ___bpf_narg2(...) ___bpf_nth2(_, ##__VA_ARGS__, ${PAIRS.join(', ')})
#define ___bpf_ctx_decl(args...) ___bpf_apply(___bpf_ctx_decl, ___bpf_narg2(args))(args)
#define ___bpf_zeros(args...) ___bpf_apply(___bpf_zeros_, ___bpf_narg(args))
#define ___bpf_zeros2(args...) ___bpf_apply(___bpf_zeros_, ___bpf_narg2(args))
${TRACED.join('')}#define BPF_KPROBE_SYSCALL BPF_KSYSCALL
struct pt_regs;
`;

/** Declarations of libbpf's usdt.bpf.h. The functions name what their bodies in libbpf use. */
const USDT = `#include <linux/errno.h>
#include "bpf_helpers.h"
#include "bpf_tracing.h"
#ifndef BPF_USDT_MAX_SPEC_CNT
#define BPF_USDT_MAX_SPEC_CNT 256
#endif
#ifndef BPF_USDT_MAX_IP_CNT
#define BPF_USDT_MAX_IP_CNT (4 * BPF_USDT_MAX_SPEC_CNT)
#endif
#define BPF_USDT_MAX_ARG_CNT 12
enum __bpf_usdt_arg_type { BPF_USDT_ARG_CONST, BPF_USDT_ARG_REG, BPF_USDT_ARG_REG_DEREF,
  BPF_USDT_ARG_SIB };
struct __bpf_usdt_arg_spec {
  __u64 val_off;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  enum __bpf_usdt_arg_type arg_type: 8; __u16 idx_reg_off: 12; __u16 scale_bitshift: 4; __u8 __reserved: 8;
#else
  __u8 __reserved: 8; __u16 idx_reg_off: 12; __u16 scale_bitshift: 4; enum __bpf_usdt_arg_type arg_type: 8;
#endif
  short reg_off; bool arg_signed; char arg_bitshift;
};
struct __bpf_usdt_spec { struct __bpf_usdt_arg_spec args[BPF_USDT_MAX_ARG_CNT]; __u64 usdt_cookie;
  short arg_cnt; };
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, BPF_USDT_MAX_SPEC_CNT);
  __type(key, int); __type(value, struct __bpf_usdt_spec); } __bpf_usdt_specs SEC(".maps") __weak;
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, BPF_USDT_MAX_IP_CNT);
  __type(key, long); __type(value, __u32); } __bpf_usdt_ip_to_spec_id SEC(".maps") __weak;
extern const _Bool LINUX_HAS_BPF_COOKIE __kconfig;
static __always_inline int __bpf_usdt_spec_id(struct pt_regs *ctx)
{ if (!LINUX_HAS_BPF_COOKIE) return *(&__bpf_usdt_ip_to_spec_id); return 0; }
__weak __hidden int bpf_usdt_arg_cnt(struct pt_regs *ctx)
{ return __bpf_usdt_spec_id(ctx) + *(&__bpf_usdt_specs); }
static __always_inline int bpf_usdt_arg_size(struct pt_regs *ctx, __u64 arg_num)
{ return __bpf_usdt_spec_id(ctx) + *(&__bpf_usdt_specs); }
__weak __hidden int bpf_usdt_arg(struct pt_regs *ctx, __u64 arg_num, long *res)
{ return __bpf_usdt_spec_id(ctx) + *(&__bpf_usdt_specs); }
__weak __hidden long bpf_usdt_cookie(struct pt_regs *ctx)
{ return __bpf_usdt_spec_id(ctx) + *(&__bpf_usdt_specs); }
`;

/** Macros that vmlinux.h defines in addition to the types of a kernel. */
export const VMLINUX_MACROS = '#define __VMLINUX_H__\n';

let known: ReadonlyMap<string, Header> | null = null;
let readText = () =>
  Object.values(
    import.meta.glob<string>('./system-headers.txt', {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).join('');

/** Sets how `system-headers.txt` is read where Vite does not provide its text. */
export function readSystemHeadersBy(read: () => string): void {
  readText = read;
}

/** Without `-D__x86_64__` clang reads the headers of a 32-bit C library, if there are any. */
const WORD_SIZE_NOTE =
  'uint64_t is unsigned long, as with -D__x86_64__; headers of a 32-bit C library have unsigned long long';

/** Returns the headers of Linux and of the C library by their path. Read when first included. */
function systemHeaders(): ReadonlyMap<string, Header> {
  if (known !== null) return known;
  const blocks = readText().split(/^=== /m).slice(1);
  known = new Map(
    blocks.map((block) => {
      const end = block.indexOf('\n');
      const path = block.slice(0, end);
      const note = path === 'bits/stdint-uintn.h' ? WORD_SIZE_NOTE : null;
      return [path, { text: block.slice(end + 1), note }];
    }),
  );
  return known;
}

export const VMLINUX: Header = {
  /** With the types of linux/bpf.h, but without its macros and the headers that it includes. */
  get text() {
    const types =
      systemHeaders()
        .get('linux/bpf.h')
        ?.text.replace(/^#.*\n/gm, '') ?? '';
    return `${VMLINUX_MACROS}${VMLINUX_TYPES}${types}`;
  },
  note: 'of vmlinux.h there are the integer types and those of linux/bpf.h: open the BTF of a kernel to have all of its types',
};

/** Headers of libbpf, by their name in the folder `bpf`, and vmlinux.h. */
export const LIBBPF: ReadonlyMap<string, Header> = new Map([
  ['vmlinux.h', VMLINUX],
  ...Object.entries({
    'bpf_helpers.h': HELPERS,
    // Only code uses the functions of these two.
    'bpf_helper_defs.h': '',
    'bpf_endian.h': '',
    'bpf_core_read.h': CORE_READ,
    'bpf_tracing.h': TRACING,
    'usdt.bpf.h': USDT,
    'bpf_experimental.h': EXPERIMENTAL,
  }).map(([name, text]) => [name, { text, note: null }] as const),
]);

/** Returns the header that `#include` of the path finds, or null. Headers of libbpf need no folder. */
export function headerOf(path: string): Header | null {
  const name = path.replace(/^.*\//, '');
  const ofSystem = systemHeaders().get(path.replace(/^uapi\//, ''));
  return ofSystem ?? LIBBPF.get(name) ?? null;
}

/**
 * Macros that headers use, as clang 19 defines them for BPF (`clang -dM -E`), some of libc, and the
 * architecture that builds with libbpf state, here x86.
 */
export const PREDEFINED = tokensOf(`#define __bpf__ 1
#define __BPF__ 1
#define __BPF_CPU_VERSION__ 1
#define __TARGET_ARCH_x86 1
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
