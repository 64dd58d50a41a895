/**
 * Errors of clang and LLVM on code for BPF. Source: LLVM 10 to 21,
 * BPFISelLowering.cpp and BPFRegisterInfo.cpp; libbpf, bpf_tracing.h.
 */
import type { LoaderRow } from './row.ts';

// biome-ignore format: one row a line
export const CLANG: readonly LoaderRow[] = [
  ['Looks like the BPF stack limit of {n} bytes is exceeded.', 'A function needs more than {n} bytes of stack: keep large variables in a per-CPU array map.'],
  ['Looks like the BPF stack limit is exceeded.', 'A function needs more than 512 bytes of stack: keep large variables in a per-CPU array map.'],
  ["A call to built-in function '{name}' is not supported.", 'The compiler made a call of {name}, which BPF does not have: a copy or comparison is too large or of unknown length. Use __builtin_memcpy of a constant size, a loop, or a smaller type; for division, unsigned numbers.'],
  ['aggregate returns are not supported', 'A function returns a struct of more than 8 bytes: return it by a pointer, or make the function __always_inline.'],
  ['only small returns supported', 'A function returns a struct of more than 8 bytes: return it by a pointer, or make the function __always_inline.'],
  ['too many arguments', 'A function has more than five arguments, as many as BPF has registers: pass a struct by a pointer, or make the function __always_inline.'],
  ['too many args to {name}', 'A call passes more than five arguments, as many as BPF has registers: pass a struct by a pointer, or make the function __always_inline.'],
  ['stack arguments are not supported', 'A function has more than five arguments, as many as BPF has registers: pass a struct by a pointer, or make the function __always_inline.'],
  ['pass by value not supported', 'A struct is passed by value: pass a pointer, or make the function __always_inline.'],
  ['variadic functions are not supported', 'BPF has no functions with “...”: make it a macro.'],
  ['functions with VarArgs or StructRet are not supported', 'BPF has no functions with “...”, and none that return a struct: make it a macro, or return by a pointer.'],
  ['unsupported signed division, please convert to unsigned div/mod.', 'BPF before -mcpu=v4 has no signed division: use unsigned numbers, or -mcpu=v4 (Linux 6.6 and later).'],
  ['Unsupport signed division for DAG', 'BPF before -mcpu=v4 has no signed division: use unsigned numbers, or -mcpu=v4 (Linux 6.6 and later).'],
  ['unsupported dynamic stack allocation', 'A variable on the stack has a length that is not constant: give it one.'],
  ['unsupported atomic operation, please use {what}', 'An atomic operation needs newer instructions: compile with -mcpu=v3 (Linux 5.12 and later), {what}.'],
  ['Invalid usage of the XADD return value', 'The result of __sync_fetch_and_add is used, which needs -mcpu=v3 (Linux 5.12 and later).'],
  ['Branch target out of insn range', 'A jump is over more than 32,767 instructions: make the function smaller, or compile with -mcpu=v4.'],
  ["'vmlinux.h' file not found", 'Make vmlinux.h: bpftool btf dump file /sys/kernel/btf/vmlinux format c > vmlinux.h.'],
  ["'bpf/{name}' file not found", 'The headers of libbpf are missing: install libbpf-dev (libbpf-devel), or add -I.'],
  ["'asm/{name}' file not found", 'The headers of this machine are not searched for the target bpf: add -I/usr/include/$(uname -m)-linux-gnu, or install gcc-multilib.'],
  ["'gnu/stubs-32.h' file not found", 'A header of the C library for 32 bits is missing: install gcc-multilib (glibc-devel.i686), or do not include it.'],
  ['Must specify a BPF target arch via __TARGET_ARCH_xxx', 'The macros of bpf_tracing.h need the machine: compile with -D__TARGET_ARCH_x86 (arm64, s390, powerpc, riscv, loongarch).'],
  ['unknown target triple \'bpf\'', 'This clang was built without BPF: install another one.'],
  ["unable to create target: 'No available targets are compatible with triple \"bpf\"'", 'This clang was built without BPF: install another one.'],
];
