/** Numbers, names and purposes of `enum bpf_map_type` in include/uapi/linux/bpf.h. */

/** Purposes of map types, ordered by number; empty if unknown. */
const MAP_TYPES = {
  UNSPEC: '',
  HASH: 'A hash table: any key, found by its bytes.',
  ARRAY: 'An array: keys are numbers from 0, all elements exist from the start.',
  PROG_ARRAY: 'Programs by number, for tail calls.',
  PERF_EVENT_ARRAY: 'Perf events by CPU, to send records to user space.',
  PERCPU_HASH: 'A hash table with a value for each CPU.',
  PERCPU_ARRAY: 'An array with a value for each CPU.',
  STACK_TRACE: 'Stack traces by number.',
  CGROUP_ARRAY: 'Cgroups by number.',
  LRU_HASH: 'A hash table that removes the least recently used entry when it is full.',
  LRU_PERCPU_HASH: 'As LRU_HASH, with a value for each CPU.',
  LPM_TRIE: 'Finds the longest matching prefix, as for routes.',
  ARRAY_OF_MAPS: 'An array whose elements are maps.',
  HASH_OF_MAPS: 'A hash table whose values are maps.',
  DEVMAP: 'Network devices by number, to redirect packets to.',
  SOCKMAP: 'Sockets by number.',
  CPUMAP: 'CPUs by number, to redirect packets to.',
  XSKMAP: 'AF_XDP sockets by number.',
  SOCKHASH: 'Sockets by any key.',
  CGROUP_STORAGE: '',
  REUSEPORT_SOCKARRAY: '',
  PERCPU_CGROUP_STORAGE: '',
  QUEUE: 'First in, first out; it has no keys.',
  STACK: 'Last in, first out; it has no keys.',
  SK_STORAGE: 'One value per socket.',
  DEVMAP_HASH: 'Network devices by any number.',
  STRUCT_OPS: 'A table of kernel callbacks, implemented by programs.',
  RINGBUF: 'A ring of records for user space; max_entries is its size in bytes.',
  INODE_STORAGE: 'One value per inode.',
  TASK_STORAGE: 'One value per task.',
  BLOOM_FILTER: 'A Bloom filter: tests whether an element may be in a set.',
  USER_RINGBUF: 'A ring of records from user space; max_entries is its size in bytes.',
  CGRP_STORAGE: 'One value per cgroup.',
  ARENA: 'Memory that programs and user space share; max_entries is its size in pages.',
  INSN_ARRAY: '',
  RHASH: '',
};

const NAMES = Object.keys(MAP_TYPES);
const ABOUT: ReadonlyMap<string, string> = new Map(Object.entries(MAP_TYPES));

/** Returns the number of a map type. */
export function mapType(name: keyof typeof MAP_TYPES): number {
  return NAMES.indexOf(name);
}

/** Names of map types by number, such as `BPF_MAP_TYPE_UNSPEC` at 0. */
export const MAP_TYPE_NAMES: readonly string[] = NAMES.map((name) => `BPF_MAP_TYPE_${name}`);

/** Returns the name of a map type, such as `BPF_MAP_TYPE_HASH`; `map type N` if unknown. */
export function mapTypeName(type: number): string {
  return MAP_TYPE_NAMES[type] ?? `map type ${type}`;
}

/** Returns the name of a map type without `BPF_MAP_TYPE_`; empty for null. */
export function shortMapType(name: string | null): string {
  return (name ?? '').replace(/^BPF_MAP_TYPE_/, '');
}

/** Returns the purpose of a map type by its short name (`HASH`); empty if unknown. */
export function mapTypeAbout(type: string): string {
  return ABOUT.get(type) ?? '';
}
