/** The types of maps by number: `enum bpf_map_type` of include/uapi/linux/bpf.h. */

/** The index is the number. */
const MAP_TYPES: readonly string[] = [
  'UNSPEC',
  'HASH',
  'ARRAY',
  'PROG_ARRAY',
  'PERF_EVENT_ARRAY',
  'PERCPU_HASH',
  'PERCPU_ARRAY',
  'STACK_TRACE',
  'CGROUP_ARRAY',
  'LRU_HASH',
  'LRU_PERCPU_HASH',
  'LPM_TRIE',
  'ARRAY_OF_MAPS',
  'HASH_OF_MAPS',
  'DEVMAP',
  'SOCKMAP',
  'CPUMAP',
  'XSKMAP',
  'SOCKHASH',
  'CGROUP_STORAGE',
  'REUSEPORT_SOCKARRAY',
  'PERCPU_CGROUP_STORAGE',
  'QUEUE',
  'STACK',
  'SK_STORAGE',
  'DEVMAP_HASH',
  'STRUCT_OPS',
  'RINGBUF',
  'INODE_STORAGE',
  'TASK_STORAGE',
  'BLOOM_FILTER',
  'USER_RINGBUF',
  'CGRP_STORAGE',
  'ARENA',
  'INSN_ARRAY',
];

/** `BPF_MAP_TYPE_HASH` …; a number without a name as it is. */
export function mapTypeName(type: number): string {
  const name = MAP_TYPES[type];
  return name === undefined ? `map type ${type}` : `BPF_MAP_TYPE_${name}`;
}

/** Without `BPF_MAP_TYPE_`, which all have; empty for null. */
export function shortMapType(name: string | null): string {
  return (name ?? '').replace(/^BPF_MAP_TYPE_/, '');
}
