/**
 * What a load from a program's context gives. Source: the `is_valid_access` of each program type in
 * net/core/filter.c and kernel/trace/bpf_trace.c; kernel/bpf/btf.c: btf_ctx_access.
 */
import type { Pointer } from './path-state.ts';

/** Program types whose contexts have only numbers. */
const NUMBERS: ReadonlySet<string> = new Set([
  ...['KPROBE', 'TRACEPOINT', 'PERF_EVENT', 'RAW_TRACEPOINT', 'SYSCALL'],
  ...['CGROUP_DEVICE', 'CGROUP_SYSCTL', 'LIRC_MODE2'],
]);
/** Program types with a `struct __sk_buff`. */
const PACKETS: ReadonlySet<string> = new Set([
  ...['SOCKET_FILTER', 'SCHED_CLS', 'SCHED_ACT', 'CGROUP_SKB', 'SK_SKB', 'FLOW_DISSECTOR'],
  ...['LWT_IN', 'LWT_OUT', 'LWT_XMIT', 'LWT_SEG6LOCAL'],
]);
/** Program types whose context is an array of arguments, which BTF describes. */
const ARGUMENTS: ReadonlySet<string> = new Set(['TRACING', 'LSM', 'STRUCT_OPS', 'EXT', '']);

type Offsets = ReadonlyMap<number, Pointer['to']>;

/** Offsets of data, data_end and data_meta in `struct xdp_md`; of pointers in `struct __sk_buff`. */
const XDP: Offsets = new Map([
  [0, 'packet'],
  [4, 'end'],
  [8, 'object'],
]);
const SK_BUFF: Offsets = new Map([
  [76, 'packet'],
  [80, 'end'],
  [140, 'object'],
  [144, 'object'],
  [168, 'object'],
]);

/** Returns the pointer that a load gives, `number` for an unknown number, null if it may be more. */
export function loadedFromContext(
  type: string,
  off: number | null,
  size: number,
): Pointer['to'] | 'number' | null {
  if (NUMBERS.has(type)) return 'number';
  if (ARGUMENTS.has(type)) return size === 8 ? 'object' : null;
  if (off === null) return null;
  if (type === 'XDP') return XDP.get(off) ?? 'number';
  if (PACKETS.has(type)) return SK_BUFF.get(off) ?? 'number';
  return size === 8 ? 'object' : 'number';
}
