/**
 * What BPF_MAP_CREATE refuses by its numbers: type, sizes, entries, flags, map_extra, NUMA node.
 * Not decided: whether memory suffices, and capabilities. Source: kernel/bpf/syscall.c: map_create;
 * map-create-rules.ts has the rules of each map type.
 */
import type { LoadKernel } from './kernel.ts';
import { lacksMapType } from './kernel-enums.ts';
import { CREATE_RULES } from './map-create-rules.ts';
import { mapFlags } from './map-flags.ts';
import { type MapNumbers, type NumberFault, refused } from './map-numbers.ts';
import { mapType } from './map-types.ts';
import { isSince } from './version.ts';

const TOKEN_FD = mapFlags('TOKEN_FD');
const NUMA_NODE = mapFlags('NUMA_NODE');
/** NUMA_NO_NODE in the field `numa_node`. */
const NO_NODE = 0xffff_ffff;
/** Highest number of NUMA nodes in any configuration: `1 << CONFIG_NODES_SHIFT`. */
const MAX_NODES = 1024;
const FILE_FLAGS = mapFlags('RDONLY', 'WRONLY');
const WITH_EXTRA = [mapType('BLOOM_FILTER'), mapType('ARENA')];

/** Returns why the kernel refuses the numbers of a map; null if it accepts them. */
export function numberFault(map: MapNumbers, kernel: LoadKernel): NumberFault | null {
  const common = commonFault(map) ?? (isMissing(map.type, kernel) ? NO_TYPE : null);
  if (common !== null) return common;
  const node = unknownNode(map);
  // The kernel removes the flag before the rules of the type, and looks for the token in between.
  const hasToken = (map.flags & TOKEN_FD) !== 0n && isSince(kernel, '6.9') !== false;
  const plain = hasToken ? { ...map, flags: map.flags & ~TOKEN_FD } : map;
  for (const rule of CREATE_RULES.get(map.type) ?? []) {
    const fault = rule(plain, kernel);
    if (fault === null) continue;
    const isFirst = (node === null && !hasToken) || fault.errno === 'EINVAL';
    return isFirst ? fault : { ...fault, errno: null };
  }
  return hasToken ? NO_TOKEN : node;
}

const isMissing = (type: number, kernel: LoadKernel) => type === 0 || lacksMapType(kernel, type);
const NO_TYPE = refused('EINVAL', 'it has no such map type');

const NO_TOKEN = refused('EINVAL', 'map_flags has BPF_F_TOKEN_FD, and there is no token');

/** Returns the fault by a rule for all map types, or null. */
function commonFault({ type, flags, extra, numaNode, keyTypeId, valueTypeId }: MapNumbers) {
  if (keyTypeId !== 0 && valueTypeId === 0) {
    return refused('EINVAL', 'the key has a type and the value has none');
  }
  if (extra !== 0n && !WITH_EXTRA.includes(type)) {
    return refused('EINVAL', `map_extra is ${extra}, which this map type does not have`);
  }
  if ((flags & FILE_FLAGS) === FILE_FLAGS) {
    return refused('EINVAL', 'BPF_F_RDONLY and BPF_F_WRONLY exclude each other');
  }
  const isNode = (flags & NUMA_NODE) === 0n || numaNode === NO_NODE || numaNode < MAX_NODES;
  return isNode ? null : refused('EINVAL', `the kernel has no NUMA node ${numaNode}`);
}

/** Returns a fault that depends on the machine: only node 0 is certain to exist. */
function unknownNode({ flags, numaNode }: MapNumbers): NumberFault | null {
  const isKnown = (flags & NUMA_NODE) === 0n || numaNode === NO_NODE || numaNode === 0;
  return isKnown
    ? null
    : { ...refused('EINVAL', `it depends on NUMA node ${numaNode}`), isSure: false };
}
