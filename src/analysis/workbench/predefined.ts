/** Predefined macros and feature tests of clang 19. */
import { tokensOf } from '#analysis/c/tokens.ts';

/** Macros that clang 19 defines for BPF and that headers use (`clang -dM -E`), and some names of libc. */
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

/** Names for which `__has_attribute` and others are true in clang 19. */
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
