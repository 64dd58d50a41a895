/**
 * The numbers that each map type accepts in BPF_MAP_CREATE. Source: map_alloc_check and map_alloc
 * of the map types in kernel/bpf, net/core/sock_map.c and net/xdp/xskmap.c of Linux 5.10, 6.1,
 * 6.12, 6.18 and 7.0.
 */
import type { LoadKernel } from './kernel.ts';
import { machineOf } from './machine.ts';
import { mapFlags } from './map-flags.ts';
import {
  flagsAmong,
  flagsWith,
  keySize,
  type Limit,
  type NumberRule,
  noEntries,
  overLimit,
  refused,
  someAccess,
  someEntries,
  someKey,
  someValue,
  valueSize,
} from './map-numbers.ts';
import { mapType } from './map-types.ts';
import { isSince, type Version } from './version.ts';

const MIB = 1 << 20;
const U32_MAX = 2 ** 32 - 1;
const HALF = 2 ** 31;
/** More than the largest kernel structure that accompanies a key or value, in bytes. */
const MARGIN = 1024;
/** Smallest page of any machine, in bytes. A rule about pages is certain only for this size. */
const PAGE = 4096;

/** Returns a limit that is `onX86` there, and at most `most` on other machines. */
function limitOf(kernel: LoadKernel, onX86: number, most: number): Limit {
  return { least: onX86, most: machineOf(kernel)?.name === 'x86-64' ? onX86 : most };
}

/** KMALLOC_MAX_SIZE: 4 MiB on x86, up to 512 MiB with pages of 64 KiB. */
const kmallocMax = (kernel: LoadKernel): Limit => limitOf(kernel, 4 * MIB, 512 * MIB);
/** PCPU_MIN_UNIT_SIZE: 32 KiB, rounded up to a page. */
const percpuMax = (kernel: LoadKernel): Limit => limitOf(kernel, 32 << 10, 64 << 10);
/** KMALLOC_MAX_SIZE without the structure that accompanies a key or value. */
function kmallocRest(kernel: LoadKernel): Limit {
  const { least, most } = kmallocMax(kernel);
  return { least: least - MARGIN, most };
}
/** BPF_LOCAL_STORAGE_MAX_VALUE_SIZE: U16_MAX without the element in front of the value. */
const STORAGE_MAX: Limit = { least: 0xffff - MARGIN, most: 0xffff };

const UNKNOWN_VERSION = { isSure: false, dependsOn: 'release' } as const;

/** A rule for kernels before `version`; if the version is not known, a fault is not certain. */
function before(version: Version, rule: NumberRule): NumberRule {
  return (map, kernel) => {
    const isLater = isSince(kernel, version);
    const fault = isLater === true ? null : rule(map, kernel);
    return fault === null || isLater === false ? fault : { ...fault, ...UNKNOWN_VERSION };
  };
}

/** A rule for kernels from `version` on; if the version is not known, a fault is not certain. */
function since(version: Version, rule: NumberRule): NumberRule {
  return (map, kernel) => {
    const isThere = isSince(kernel, version);
    const fault = isThere === false ? null : rule(map, kernel);
    return fault === null || isThere === true ? fault : { ...fault, ...UNKNOWN_VERSION };
  };
}

const entriesAtMost =
  (most: number, errno: 'EINVAL' | 'E2BIG' | null = 'E2BIG'): NumberRule =>
  ({ maxEntries }) =>
    overLimit('max_entries', Number(maxEntries), { least: most, most }, errno);

const ACCESS = mapFlags('RDONLY', 'WRONLY', 'RDONLY_PROG', 'WRONLY_PROG');
const FILE = mapFlags('NUMA_NODE', 'RDONLY', 'WRONLY');
const NODE = mapFlags('NUMA_NODE');
const NO_PREALLOC = mapFlags('NO_PREALLOC');
const NO_COMMON_LRU = mapFlags('NO_COMMON_LRU');
const MMAPABLE = mapFlags('MMAPABLE');
const INNER_MAP = mapFlags('INNER_MAP');
const PRESERVE = mapFlags('PRESERVE_ELEMS');

const NO_NODE = 0xffff_ffff;

const noNode: NumberRule = ({ flags, numaNode }) =>
  (flags & NODE) !== 0n && numaNode !== NO_NODE
    ? refused('EINVAL', 'a map with values for each CPU has no NUMA node')
    : null;

/** Values that are too large: since 6.12 E2BIG; before, in most releases, ENOMEM. */
const percpuValue: NumberRule = (map, kernel) => {
  const size = Math.ceil(map.valueSize / 8) * 8;
  const errno = isSince(kernel, '6.12') === true ? 'E2BIG' : null;
  return overLimit('value_size for each CPU', size, percpuMax(kernel), errno);
};

/** Source: array_map_alloc_check. */
const arrayRules = (more: bigint): readonly NumberRule[] => [
  someEntries,
  keySize(4),
  someValue,
  flagsAmong(NODE | ACCESS | more),
  someAccess,
  before('6.0', ({ valueSize }, kernel) => overLimit('value_size', valueSize, kmallocMax(kernel))),
  ({ valueSize }) => overLimit('value_size', valueSize, { least: HALF - 1, most: HALF - 1 }),
];

/** Source: fd_array_map_alloc_check. */
const fdArray = (more = 0n): readonly NumberRule[] => [
  valueSize(4),
  flagsAmong(NODE | mapFlags('RDONLY', 'WRONLY') | more),
  ...arrayRules(more),
];

/** Source: htab_map_alloc_check, htab_map_alloc. */
function hashRules({ isLru = false, isPercpu = false } = {}): readonly NumberRule[] {
  return [
    flagsAmong(NODE | ACCESS | mapFlags('NO_PREALLOC', 'NO_COMMON_LRU', 'ZERO_SEED')),
    someAccess,
    ({ flags }) =>
      !isLru && (flags & NO_COMMON_LRU) !== 0n
        ? refused('EINVAL', 'only an LRU map may have BPF_F_NO_COMMON_LRU')
        : null,
    ({ flags }) =>
      isLru && (flags & NO_PREALLOC) !== 0n
        ? refused('ENOTSUPP', 'an LRU map may not have BPF_F_NO_PREALLOC')
        : null,
    (map, kernel) => (isPercpu || (map.flags & NO_COMMON_LRU) !== 0n ? noNode(map, kernel) : null),
    someEntries,
    someKey,
    someValue,
    before('5.11', ({ keySize }) => overLimit('key_size', keySize, { least: 512, most: 512 })),
    ({ keySize, valueSize }, kernel) =>
      overLimit('key_size + value_size', keySize + valueSize, kmallocRest(kernel)),
    ...(isPercpu ? [percpuValue] : []),
    // A bucket has at least 16 bytes, and all buckets less than 4 GiB.
    entriesAtMost(2 ** 27),
  ];
}

const LPM_PREFIX = 4;
const LPM_DATA_MAX = 256;

/** Source: trie_alloc. */
const LPM: readonly NumberRule[] = [
  someEntries,
  flagsWith(NO_PREALLOC),
  flagsAmong(NODE | ACCESS | NO_PREALLOC),
  someAccess,
  ({ keySize }) =>
    keySize > LPM_PREFIX && keySize <= LPM_PREFIX + LPM_DATA_MAX
      ? null
      : refused('EINVAL', `key_size is ${keySize}, not 5 to ${LPM_PREFIX + LPM_DATA_MAX}`),
  someValue,
  ({ valueSize }, kernel) => overLimit('value_size', valueSize, kmallocRest(kernel), 'EINVAL'),
];

/** Frames of a stack: 127, and up to 640 Ki by sysctl kernel.perf_event_max_stack. */
const FRAMES: Limit = { least: 127, most: 640 << 10 };
const BUILD_ID = mapFlags('STACK_BUILD_ID');
const BUILD_ID_SIZE = 32;

/** Source: stack_map_alloc. */
const STACK_TRACE: readonly NumberRule[] = [
  flagsAmong(FILE | BUILD_ID),
  someEntries,
  keySize(4),
  ({ valueSize, flags }) => {
    const frame = (flags & BUILD_ID) === 0n ? 8 : BUILD_ID_SIZE;
    if (valueSize === 0 || valueSize % frame !== 0) {
      return refused('EINVAL', `value_size is ${valueSize}, not a multiple of ${frame}`);
    }
    const what = `the number of frames (value_size / ${frame})`;
    return overLimit(what, valueSize / frame, FRAMES, 'EINVAL');
  },
  entriesAtMost(HALF, null),
];

/** Source: dev_map_alloc_check; dev_map_init_map in kernels before 6.9. */
const DEVMAP: readonly NumberRule[] = [someEntries, keySize(4), valueSize(4, 8), flagsAmong(FILE)];

/** Returns the range of CONFIG_NR_CPUS: as the configuration says, else 512 to 8192 on servers. */
function maxCpus({ config }: LoadKernel): Limit {
  const text = config === null || config === 'none' ? '' : config.text;
  const cpus = /^CONFIG_NR_CPUS=(\d{1,6})$/m.exec(text)?.[1];
  return cpus === undefined
    ? { least: 512, most: 8192 }
    : { least: Number(cpus), most: Number(cpus) };
}

/** Source: cpu_map_alloc. */
const CPUMAP: readonly NumberRule[] = [
  someEntries,
  keySize(4),
  valueSize(4, 8),
  flagsAmong(NODE),
  ({ maxEntries }, kernel) => overLimit('max_entries', Number(maxEntries), maxCpus(kernel)),
];

/** Source: xsk_map_alloc. */
const XSKMAP: readonly NumberRule[] = [someEntries, keySize(4), valueSize(4), flagsAmong(FILE)];

/** Source: sock_map_alloc. */
const SOCKMAP: readonly NumberRule[] = [
  someEntries,
  keySize(4),
  valueSize(4, 8),
  flagsAmong(FILE),
  entriesAtMost(HALF - 1, 'EINVAL'),
];

/** Source: sock_hash_alloc. */
const SOCKHASH: readonly NumberRule[] = [
  someEntries,
  someKey,
  valueSize(4, 8),
  flagsAmong(FILE),
  ({ keySize }) => overLimit('key_size', keySize, { least: 512, most: 512 }),
  entriesAtMost(2 ** 27, 'EINVAL'),
];

/** Source: cgroup_storage_map_alloc. */
const CGROUP_STORAGE: readonly NumberRule[] = [
  keySize(16, 8),
  someValue,
  before('5.15', ({ valueSize }, kernel) =>
    overLimit('value_size', valueSize, limitOf(kernel, PAGE, 64 << 10)),
  ),
  ({ valueSize }) => overLimit('value_size', valueSize, STORAGE_MAX),
  flagsAmong(NODE | ACCESS),
  someAccess,
  noEntries,
];

const PERCPU_CGROUP_STORAGE: readonly NumberRule[] = [
  keySize(16, 8),
  someValue,
  ({ valueSize }, kernel) => overLimit('value_size', valueSize, percpuMax(kernel)),
  ...CGROUP_STORAGE,
];

/** Source: bpf_local_storage_map_alloc_check. */
const LOCAL_STORAGE: readonly NumberRule[] = [
  flagsAmong(mapFlags('NO_PREALLOC', 'CLONE')),
  flagsWith(NO_PREALLOC),
  noEntries,
  keySize(4),
  someValue,
  ({ keyTypeId, valueTypeId }) =>
    keyTypeId === 0 || valueTypeId === 0
      ? refused('EINVAL', 'key and value need types in the BTF of the object')
      : null,
  ({ valueSize }) => overLimit('value_size', valueSize, STORAGE_MAX),
];

/** Source: queue_stack_map_alloc_check. */
const QUEUE: readonly NumberRule[] = [
  someEntries,
  keySize(0),
  someValue,
  flagsAmong(NODE | ACCESS),
  someAccess,
  ({ valueSize }, kernel) => overLimit('value_size', valueSize, kmallocMax(kernel)),
  since('6.12', ({ maxEntries, valueSize }) => {
    const most = Math.floor(U32_MAX / valueSize) - 1;
    return overLimit('max_entries', Number(maxEntries), { least: most, most });
  }),
];

/** Source: ringbuf_map_alloc. libbpf rounds max_entries up, except for 0 and above 2 GiB. */
const ringRules = (flags: NumberRule): readonly NumberRule[] => [
  flags,
  keySize(0),
  valueSize(0),
  someEntries,
  ({ maxEntries }) =>
    (maxEntries & (maxEntries - 1n)) === 0n && maxEntries % BigInt(PAGE) === 0n
      ? null
      : refused('EINVAL', `max_entries is ${maxEntries}, not a power of 2 of pages`),
];

const RINGBUF = ringRules((map, kernel) => {
  const fault = flagsAmong(NODE)(map, kernel);
  const isKnown = isSince(kernel, '6.19');
  if (isKnown === false || fault === null) return fault;
  const later = flagsAmong(NODE | mapFlags('RB_OVERWRITE'))(map, kernel);
  return later ?? (isKnown ? null : { ...fault, ...UNKNOWN_VERSION });
});

const HASH_FUNCTIONS = 0xfn;

/** Source: bloom_map_alloc_check, bloom_map_alloc. */
const BLOOM_FILTER: readonly NumberRule[] = [
  ({ valueSize }, kernel) => overLimit('value_size', valueSize, kmallocMax(kernel)),
  keySize(0),
  someValue,
  someEntries,
  flagsAmong(NODE | ACCESS | mapFlags('ZERO_SEED')),
  someAccess,
  ({ extra }) =>
    (extra & ~HASH_FUNCTIONS) === 0n
      ? null
      : refused('EINVAL', `map_extra is ${extra}, more than 15 hash functions`),
];

const GIB_4 = 2n ** 32n;

/** Source: arena_map_alloc. */
const ARENA: readonly NumberRule[] = [
  keySize(0),
  valueSize(0),
  someEntries,
  flagsWith(MMAPABLE),
  flagsAmong(MMAPABLE | mapFlags('SEGV_ON_FAULT', 'NO_USER_CONV')),
  ({ extra }) =>
    extra % BigInt(PAGE) === 0n
      ? null
      : refused('EINVAL', `map_extra is ${extra}, not the address of a page`),
  ({ maxEntries, extra }) => {
    const bytes = maxEntries * BigInt(PAGE);
    if (bytes > GIB_4) return refused('E2BIG', `${maxEntries} pages are more than 4 GiB`);
    return extra / GIB_4 === (extra + bytes - 1n) / GIB_4
      ? null
      : refused('ERANGE', 'the user addresses from map_extra cross a multiple of 4 GiB');
  },
];

/** Source: insn_array_alloc_check. */
const INSN_ARRAY: readonly NumberRule[] = [someEntries, keySize(4), valueSize(16), flagsAmong(0n)];

/** Flags of a struct_ops map: none before 6.4. Source: bpf_struct_ops_map_alloc_check. */
const STRUCT_OPS: readonly NumberRule[] = [
  before('6.4', flagsAmong(0n)),
  flagsAmong(mapFlags('LINK', 'VTYPE_BTF_OBJ_FD')),
];

/** Rules by map type, in the order of the kernel as far as errors differ. */
export const CREATE_RULES: ReadonlyMap<number, readonly NumberRule[]> = new Map(
  (
    [
      ['HASH', hashRules()],
      ['ARRAY', arrayRules(MMAPABLE | INNER_MAP)],
      ['PROG_ARRAY', fdArray()],
      ['PERF_EVENT_ARRAY', fdArray(PRESERVE)],
      ['PERCPU_HASH', hashRules({ isPercpu: true })],
      ['PERCPU_ARRAY', [...arrayRules(0n), noNode, percpuValue]],
      ['STACK_TRACE', STACK_TRACE],
      ['CGROUP_ARRAY', fdArray()],
      ['LRU_HASH', hashRules({ isLru: true })],
      ['LRU_PERCPU_HASH', hashRules({ isLru: true, isPercpu: true })],
      ['LPM_TRIE', LPM],
      ['ARRAY_OF_MAPS', fdArray()],
      ['HASH_OF_MAPS', [valueSize(4), ...hashRules()]],
      ['DEVMAP', DEVMAP],
      ['SOCKMAP', SOCKMAP],
      ['CPUMAP', CPUMAP],
      ['XSKMAP', XSKMAP],
      ['SOCKHASH', SOCKHASH],
      ['CGROUP_STORAGE', CGROUP_STORAGE],
      ['REUSEPORT_SOCKARRAY', [valueSize(4, 8), ...arrayRules(0n)]],
      ['PERCPU_CGROUP_STORAGE', PERCPU_CGROUP_STORAGE],
      ['QUEUE', QUEUE],
      ['STACK', QUEUE],
      ['SK_STORAGE', LOCAL_STORAGE],
      ['DEVMAP_HASH', [...DEVMAP, entriesAtMost(HALF, 'EINVAL')]],
      ['STRUCT_OPS', STRUCT_OPS],
      ['RINGBUF', RINGBUF],
      ['INODE_STORAGE', LOCAL_STORAGE],
      ['TASK_STORAGE', LOCAL_STORAGE],
      ['BLOOM_FILTER', BLOOM_FILTER],
      ['USER_RINGBUF', ringRules(flagsAmong(NODE))],
      ['CGRP_STORAGE', LOCAL_STORAGE],
      ['ARENA', ARENA],
      ['INSN_ARRAY', INSN_ARRAY],
    ] as const
  ).map(([name, rules]) => [mapType(name), rules]),
);
