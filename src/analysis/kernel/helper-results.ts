/**
 * What the verifier knows of a helper's result and of the memory that the helper writes. Source:
 * kernel/bpf/verifier.c: check_helper_call, do_refine_retval_range; the `bpf_func_proto` of each
 * helper.
 */

/** Memory that a returned pointer leads to; see `Pointer`. */
type Pointee = 'values' | 'memory' | 'object';

export type HelperResult =
  | { readonly of: 'number' }
  /** A number of which the verifier knows a range: from `from` to 0, or to the size in a register. */
  | { readonly of: 'range'; readonly from: bigint; readonly sizeRegister: number | null }
  | { readonly of: 'pointer'; readonly to: Pointee; readonly mayBeNull: boolean }
  | { readonly of: 'unknown' };

/** Numbers of helpers, as in `enum bpf_func_id`. */
export const HELPER = { mapLookup: 1, tailCall: 12, loop: 181 } as const;

/** Last helper of `enum bpf_func_id`, which is complete: newer functions are kfuncs. */
const LAST_HELPER = 211;

const MAY_BE_NULL: Readonly<Record<Pointee, readonly number[]>> = {
  // map_lookup_elem, sk_storage_get, inode_, task_ and cgrp_storage_get, map_lookup_percpu_elem
  values: [HELPER.mapLookup, 107, 145, 156, 195, 210],
  // ringbuf_reserve, dynptr_data
  memory: [131, 203],
  // sk_lookup_*, sk_fullsock, tcp_sock, skc_to_*, per_cpu_ptr, sock_from_file, kptr_xchg
  object: [84, 85, 95, 96, 98, 99, 136, 137, 138, 139, 140, 153, 162, 178, 194, 196],
};
/** this_cpu_ptr, get_current_task_btf, task_pt_regs */
const NEVER_NULL = [154, 158, 175];
/** get_local_storage */
const LOCAL_STORAGE = 81;
/** Registers of the size: probe_read_str and its variants, get_stack and get_task_stack. */
const SIZES_OR_ERRORS: ReadonlyMap<number, number> = new Map([
  ...[45, 114, 115].map((helper) => [helper, 2] as const),
  ...[67, 141].map((helper) => [helper, 3] as const),
]);
/** get_smp_processor_id */
const CPU_NUMBER = 8;
/** get_retval, whose range a hook decides */
const HOOK_VALUE = 186;
const MAX_ERRNO = 4095n;

export function helperResult(helper: number): HelperResult {
  for (const to of ['values', 'memory', 'object'] as const) {
    if (MAY_BE_NULL[to].includes(helper)) return { of: 'pointer', to, mayBeNull: true };
  }
  if (NEVER_NULL.includes(helper)) return { of: 'pointer', to: 'object', mayBeNull: false };
  if (helper === LOCAL_STORAGE) return { of: 'pointer', to: 'values', mayBeNull: false };
  const sizeRegister = SIZES_OR_ERRORS.get(helper);
  if (sizeRegister !== undefined) return { of: 'range', from: -MAX_ERRNO, sizeRegister };
  if (helper === CPU_NUMBER) return { of: 'range', from: 0n, sizeRegister: null };
  return { of: helper === HOOK_VALUE || helper > LAST_HELPER ? 'unknown' : 'number' };
}

/** probe_read and its variants, get_current_comm, all with the address in r1 and the size in r2 */
const FILL_FIRST = [4, 16, 45, 112, 113, 114, 115];
/** skb_load_bytes, with the address in r3 and the size in r4 */
const SKB_LOAD_BYTES = 26;

/** Returns the registers of the address and size of memory that a helper fills; null for none. */
export function filledBy(helper: number): readonly [address: number, size: number] | null {
  if (FILL_FIRST.includes(helper)) return [1, 2];
  return helper === SKB_LOAD_BYTES ? [3, 4] : null;
}

/** Helpers that only read the memory of their arguments. */
const READERS: ReadonlySet<number> = new Set([
  // map_lookup, map_update and map_delete_elem, trace_printk, tail_call, perf_event_output
  ...[1, 2, 3, 6, HELPER.tailCall, 25],
  // map_push_elem, skb_output, xdp_output, ringbuf_output, map_lookup_percpu_elem
  ...[87, 111, 121, 130, 195],
]);

export function onlyReads(helper: number): boolean {
  return READERS.has(helper);
}

/** How a helper calls a function of the program. */
export type Callback = {
  /** Register of the helper call with the function's address. */
  readonly register: number;
  /** Register of the helper call that becomes the last argument of the function; null for none. */
  readonly context: number | null;
  /** The arguments before it. */
  readonly args: readonly ('number' | 'map' | 'values' | 'object')[];
};

const CALLBACKS: ReadonlyMap<number, Callback> = new Map<number, Callback>([
  // for_each_map_elem, timer_set_callback, find_vma, loop, user_ringbuf_drain
  [164, { register: 2, context: 3, args: ['map', 'values', 'values'] }],
  [170, { register: 2, context: null, args: ['map', 'values', 'values'] }],
  [180, { register: 3, context: 4, args: ['object', 'object'] }],
  [HELPER.loop, { register: 2, context: 3, args: ['number'] }],
  [209, { register: 2, context: 3, args: ['object'] }],
]);

export function callbackOf(helper: number): Callback | undefined {
  return CALLBACKS.get(helper);
}
