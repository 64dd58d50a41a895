// SPDX-License-Identifier: MIT
// The few definitions that the samples share: fixed-width types, section and
// map macros, and the helpers they call. The helper numbers are the kernel's
// (enum bpf_func_id in include/uapi/linux/bpf.h).
#ifndef SAMPLES_BPF_HELPERS_H
#define SAMPLES_BPF_HELPERS_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef int pid_t;

#define NULL ((void *)0)
#define SEC(name) __attribute__((section(name), used))
#define __noinline __attribute__((noinline))
#define __always_inline inline __attribute__((always_inline))
#define __weak __attribute__((weak))
#define __ksym __attribute__((section(".ksyms")))
#define __kconfig __attribute__((section(".kconfig")))

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define bpf_htons(number) ((__be16)__builtin_bswap16(number))
#else
#define bpf_htons(number) ((__be16)(number))
#endif

// A BTF-defined map is a struct that is never filled: each number is the length
// of an array type, each key or value the pointee of a pointer type.
#define __uint(name, number) int(*name)[number]
#define __type(name, what) typeof(what) *name
#define __array(name, what) typeof(what) *name[]

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_PROG_ARRAY = 3,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_RINGBUF = 27,
};

static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;
static long (*const bpf_map_update_elem)(void *map, const void *key, const void *value,
					 __u64 flags) = (void *)2;
static long (*const bpf_map_delete_elem)(void *map, const void *key) = (void *)3;
static __u64 (*const bpf_ktime_get_ns)(void) = (void *)5;
static long (*const bpf_tail_call)(void *ctx, void *map, __u32 index) = (void *)12;
static __u64 (*const bpf_get_current_pid_tgid)(void) = (void *)14;
static void *(*const bpf_get_current_task)(void) = (void *)35;
static long (*const bpf_probe_read_kernel)(void *to, __u32 size, const void *from) = (void *)113;
static long (*const bpf_probe_read_kernel_str)(void *to, __u32 size,
					       const void *from) = (void *)115;
static void *(*const bpf_ringbuf_reserve)(void *map, __u64 size, __u64 flags) = (void *)131;
static void (*const bpf_ringbuf_submit)(void *record, __u64 flags) = (void *)132;
static long (*const bpf_for_each_map_elem)(void *map, void *callback, void *ctx,
					   __u64 flags) = (void *)164;
static long (*const bpf_loop)(__u32 rounds, void *callback, void *ctx, __u64 flags) = (void *)181;

#endif
