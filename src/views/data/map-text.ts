import { typeExpression } from '#analysis/types/type-name.ts';
import type { MapAttributes, MapDefinition } from '#analysis/values/map-definitions.ts';
import type { TypeTable } from '#model/type-table.ts';

/** A map's definition in words. Source: include/uapi/linux/bpf.h, libbpf's enum libbpf_pin_type. */

/** `LIBBPF_PIN_BY_NAME, at /sys/fs/bpf/hash`. Raw name in it. */
export function pinningText(pinning: bigint, name: string): string {
  if (pinning === 0n) return 'LIBBPF_PIN_NONE';
  return pinning === 1n
    ? `LIBBPF_PIN_BY_NAME, at /sys/fs/bpf/${name} unless the loader says otherwise`
    : `${pinning}, which libbpf refuses`;
}

const ABOUT: ReadonlyMap<string, string> = new Map([
  ['HASH', 'A hash table: any key, found by its bytes.'],
  ['ARRAY', 'An array: keys are numbers from 0, all elements exist from the start.'],
  ['PROG_ARRAY', 'Programs by number, for tail calls.'],
  ['PERF_EVENT_ARRAY', 'Perf events by CPU, to send records to user space.'],
  ['PERCPU_HASH', 'A hash table with a value for each CPU.'],
  ['PERCPU_ARRAY', 'An array with a value for each CPU.'],
  ['STACK_TRACE', 'Stack traces by number.'],
  ['CGROUP_ARRAY', 'Cgroups by number.'],
  ['LRU_HASH', 'A hash table that drops what was used longest ago when it is full.'],
  ['LRU_PERCPU_HASH', 'As LRU_HASH, with a value for each CPU.'],
  ['LPM_TRIE', 'Finds the longest prefix that fits, as routes are found.'],
  ['ARRAY_OF_MAPS', 'An array whose elements are maps.'],
  ['HASH_OF_MAPS', 'A hash table whose values are maps.'],
  ['DEVMAP', 'Network devices by number, to redirect packets to.'],
  ['SOCKMAP', 'Sockets by number.'],
  ['CPUMAP', 'CPUs by number, to redirect packets to.'],
  ['XSKMAP', 'AF_XDP sockets by number.'],
  ['SOCKHASH', 'Sockets by any key.'],
  ['QUEUE', 'First in, first out; it has no keys.'],
  ['STACK', 'Last in, first out; it has no keys.'],
  ['SK_STORAGE', 'A value that is kept with each socket.'],
  ['DEVMAP_HASH', 'Network devices by any number.'],
  ['STRUCT_OPS', 'A table of kernel functions that programs stand in for.'],
  ['RINGBUF', 'A ring of records for user space; max_entries is its size in bytes.'],
  ['INODE_STORAGE', 'A value that is kept with each inode.'],
  ['TASK_STORAGE', 'A value that is kept with each task.'],
  ['BLOOM_FILTER', 'A Bloom filter: tests whether an element may be in a set.'],
  ['USER_RINGBUF', 'A ring of records from user space; max_entries is its size in bytes.'],
  ['CGRP_STORAGE', 'A value that is kept with each cgroup.'],
  ['ARENA', 'Memory that programs and user space share; max_entries is its size in pages.'],
]);

/** What a map type is for; empty where nothing is known of it. `type` without `BPF_MAP_TYPE_`. */
export function mapTypeAbout(type: string): string {
  return ABOUT.get(type) ?? '';
}

/**
 * A map's definition as one writes it with the macros of bpf_helpers.h.
 * Source: libbpf's bpf_helpers.h, __uint, __type, __ulong and __array.
 */

/** The lines of the definition, what fills its slots behind it. Raw names in them. */
export function* mapSource(types: TypeTable, map: MapDefinition): Generator<string> {
  const storage = map.linkage === 'static' ? 'static ' : '';
  yield `${storage}struct {`;
  yield* members(types, map, '\t');
  if (map.inner === 'program') yield '\t__array(values, int (void *));';
  else if (map.inner !== null) {
    yield '\t__array(values, struct {';
    yield* members(types, map.inner, '\t\t');
    yield '\t});';
  }
  if (map.slots.length === 0) {
    yield `} ${map.name} SEC(".maps");`;
    return;
  }
  yield `} ${map.name} SEC(".maps") = {`;
  yield '\t.values = {';
  const sign = map.inner === 'program' ? '' : '&';
  for (const { index, name } of map.slots) yield `\t\t[${index}] = ${sign}${name},`;
  yield '\t},';
  yield '};';
}

function* members(types: TypeTable, map: MapAttributes, indent: string): Generator<string> {
  if (map.mapTypeName !== null) yield `${indent}__uint(type, ${map.mapTypeName});`;
  for (const [name, value] of [
    ['max_entries', map.maxEntries],
    ['map_flags', map.mapFlags],
    ['map_extra', map.mapExtra],
    ['numa_node', map.numaNode],
    ['pinning', map.pinning],
  ] as const) {
    if (value !== null) yield `${indent}${macroOf(value)}(${name}, ${numberText(name, value)});`;
  }
  for (const name of ['key', 'value'] as const) {
    const { type, byteSize } = map[name];
    if (type !== null) yield `${indent}__type(${name}, ${typeExpression(types, type)});`;
    else if (byteSize !== null) yield `${indent}__uint(${name}_size, ${byteSize});`;
  }
}

/** The length of an array has 32 bits; larger numbers are enumerators. */
function macroOf(value: bigint): string {
  return value >= 1n << 32n ? '__ulong' : '__uint';
}

function numberText(name: string, value: bigint): string {
  if (name === 'pinning' && value === 1n) return 'LIBBPF_PIN_BY_NAME';
  return name === 'map_flags' ? `0x${value.toString(16)}` : `${value}`;
}
