/** The numbers below were given to BPF_MAP_CREATE of Linux 6.18.44 on x86, except where told. */
import { describe, expect, it } from 'vitest';
import { btfBlob } from '#testing/btf-blob.ts';
import { enumeration } from '#testing/btf-types.ts';
import { openModel } from '#testing/open-model.ts';
import type { LoadKernel } from './kernel.ts';
import { numberFault } from './map-create.ts';
import { mapFlags } from './map-flags.ts';
import type { MapNumbers } from './map-numbers.ts';
import { mapType } from './map-types.ts';

const kernelOf = (release: string | null, more: Partial<LoadKernel> = {}): LoadKernel => ({
  name: 'kernel',
  vmlinux: null,
  modules: [],
  config: null,
  kallsyms: null,
  release,
  unameVersion: null,
  ...more,
});
const LINUX_6_18 = kernelOf('6.18.44');

type TypeName = Parameters<typeof mapType>[0];

function numbers(type: TypeName, more: Partial<MapNumbers> = {}): MapNumbers {
  return {
    type: mapType(type),
    keySize: 4,
    valueSize: 4,
    maxEntries: 4n,
    flags: 0n,
    extra: 0n,
    numaNode: 0,
    keyTypeId: 0,
    valueTypeId: 0,
    ...more,
  };
}

/** Returns the error of a map, with `?` if it is not certain; empty if there is none. */
function errno(type: TypeName, more: Partial<MapNumbers> = {}, kernel = LINUX_6_18): string {
  const fault = numberFault(numbers(type, more), kernel);
  return fault === null ? '' : `${fault.errno ?? 'unknown'}${fault.isSure ? '' : '?'}`;
}

const NO_PREALLOC = mapFlags('NO_PREALLOC');
const KEYLESS = { keySize: 0, valueSize: 0 };
const STORAGE = { maxEntries: 0n, flags: NO_PREALLOC, keyTypeId: 1, valueTypeId: 1 };

describe('BPF_MAP_CREATE', () => {
  it.each<[TypeName, Partial<MapNumbers>]>([
    ['ARRAY', {}],
    ['ARRAY', { valueSize: 5 << 20, maxEntries: 1n, flags: mapFlags('MMAPABLE') }],
    ['HASH', { keySize: 4 << 10, flags: NO_PREALLOC }],
    ['LRU_HASH', { flags: mapFlags('NO_COMMON_LRU') }],
    ['LPM_TRIE', { keySize: 260, flags: NO_PREALLOC }],
    ['STACK_TRACE', { valueSize: 8 * 127 }],
    ['SOCKHASH', { keySize: 512, valueSize: 8 }],
    ['CGROUP_STORAGE', { keySize: 8, maxEntries: 0n }],
    ['QUEUE', { keySize: 0 }],
    ['RINGBUF', { ...KEYLESS, maxEntries: 4096n }],
    ['BLOOM_FILTER', { keySize: 0, extra: 15n }],
    ['ARENA', { ...KEYLESS, flags: mapFlags('MMAPABLE'), extra: 1n << 32n, maxEntries: 1n << 20n }],
    ['SK_STORAGE', STORAGE],
    ['DEVMAP_HASH', { valueSize: 8 }],
    ['XSKMAP', { flags: mapFlags('NUMA_NODE') }],
  ])('creates %s with %o', (type, more) => {
    expect(errno(type, more)).toBe('');
  });

  it.each<[TypeName, Partial<MapNumbers>, string]>([
    ['ARRAY', { maxEntries: 0n }, 'EINVAL'],
    ['ARRAY', { keySize: 8 }, 'EINVAL'],
    ['ARRAY', { valueSize: 2 ** 31 }, 'E2BIG'],
    ['ARRAY', { flags: NO_PREALLOC }, 'EINVAL'],
    ['ARRAY', { extra: 1n }, 'EINVAL'],
    ['ARRAY', { keyTypeId: 1 }, 'EINVAL'],
    ['ARRAY', { flags: mapFlags('RDONLY_PROG', 'WRONLY_PROG') }, 'EINVAL'],
    ['HASH', { flags: mapFlags('RDONLY', 'WRONLY') }, 'EINVAL'],
    ['HASH', { flags: mapFlags('NUMA_NODE'), numaNode: 5000 }, 'EINVAL'],
    ['HASH', { flags: mapFlags('NUMA_NODE'), numaNode: 1 }, 'EINVAL?'],
    ['HASH', { flags: mapFlags('NO_COMMON_LRU') }, 'EINVAL'],
    ['HASH', { maxEntries: 2n ** 31n + 1n }, 'E2BIG'],
    ['HASH', { flags: mapFlags('TOKEN_FD') }, 'EINVAL'],
    ['LRU_HASH', { flags: NO_PREALLOC }, 'ENOTSUPP'],
    ['PERCPU_HASH', { flags: mapFlags('NUMA_NODE') }, 'EINVAL'],
    ['LPM_TRIE', { keySize: 8 }, 'EINVAL'],
    ['LPM_TRIE', { keySize: 4, flags: NO_PREALLOC }, 'EINVAL'],
    ['PROG_ARRAY', { valueSize: 8 }, 'EINVAL'],
    ['PROG_ARRAY', { flags: mapFlags('RDONLY_PROG') }, 'EINVAL'],
    ['STACK_TRACE', { valueSize: 12 }, 'EINVAL'],
    ['STACK_TRACE', { valueSize: 8 * 128 }, 'EINVAL?'],
    ['DEVMAP', { valueSize: 16 }, 'EINVAL'],
    ['CPUMAP', { maxEntries: 10_000n }, 'E2BIG'],
    ['SOCKMAP', { valueSize: 16 }, 'EINVAL'],
    ['SOCKHASH', { keySize: 513 }, 'E2BIG'],
    ['CGROUP_STORAGE', { keySize: 8 }, 'EINVAL'],
    ['QUEUE', {}, 'EINVAL'],
    ['STACK', { keySize: 0, valueSize: 64, maxEntries: 2n ** 26n }, 'E2BIG'],
    ['SK_STORAGE', { ...STORAGE, maxEntries: 4n }, 'EINVAL'],
    ['SK_STORAGE', { ...STORAGE, flags: 0n }, 'EINVAL'],
    ['SK_STORAGE', { ...STORAGE, keyTypeId: 0 }, 'EINVAL'],
    ['TASK_STORAGE', { ...STORAGE, valueSize: 65536 }, 'E2BIG'],
    ['RINGBUF', { ...KEYLESS, maxEntries: 0n }, 'EINVAL'],
    ['RINGBUF', { maxEntries: 4096n }, 'EINVAL'],
    ['USER_RINGBUF', { ...KEYLESS, maxEntries: 3n << 31n }, 'EINVAL'],
    ['BLOOM_FILTER', { keySize: 0, extra: 16n }, 'EINVAL'],
    ['ARENA', KEYLESS, 'EINVAL'],
    ['ARENA', { ...KEYLESS, flags: mapFlags('MMAPABLE'), extra: 1n }, 'EINVAL'],
    ['ARENA', { ...KEYLESS, flags: mapFlags('MMAPABLE'), maxEntries: 1n + (1n << 20n) }, 'E2BIG'],
    ['ARENA', { ...KEYLESS, flags: mapFlags('MMAPABLE'), extra: 2n ** 32n - 4096n }, 'ERANGE'],
    ['UNSPEC', {}, 'EINVAL'],
  ])('refuses %s with %o: %s', (type, more, error) => {
    expect(errno(type, more)).toBe(error);
  });

  it('says why', () => {
    const fault = numberFault(numbers('LRU_HASH', { flags: NO_PREALLOC }), LINUX_6_18);
    expect(fault?.what).toBe('an LRU map may not have BPF_F_NO_PREALLOC');
    const flags = mapFlags('MMAPABLE', 'CLONE');
    expect(numberFault(numbers('HASH', { flags }), LINUX_6_18)?.what).toBe(
      'map_flags has BPF_F_CLONE | BPF_F_MMAPABLE, which this map type does not allow',
    );
  });
});

/** Read in the sources of the versions, not run. */
describe('BPF_MAP_CREATE by version', () => {
  it.each<[TypeName, Partial<MapNumbers>, string, string, string]>([
    ['ARRAY', { valueSize: 600 << 20 }, '5.19.0', '6.0.0', 'E2BIG'],
    ['HASH', { keySize: 513 }, '5.10.5', '5.11.0', 'E2BIG'],
    ['CGROUP_STORAGE', { valueSize: 65_537, keySize: 16 }, '5.14.0', '', 'E2BIG'],
    ['STRUCT_OPS', { flags: mapFlags('LINK') }, '6.3.0', '6.4.0', 'EINVAL'],
    ['RINGBUF', { ...KEYLESS, maxEntries: 4096n, flags: 1n << 19n }, '6.18.0', '6.19.0', 'EINVAL'],
  ])('%s with %o: refused by %s, created by %s', (type, more, old, later, error) => {
    expect(errno(type, more, kernelOf(old))).toBe(error);
    if (later !== '') expect(errno(type, more, kernelOf(later))).toBe('');
  });

  it('is not certain where the version or the machine is not known', () => {
    expect(errno('HASH', { keySize: 513 }, kernelOf(null))).toBe('E2BIG?');
    expect(errno('HASH', { valueSize: 5 << 20 })).toBe('E2BIG?');
    expect(errno('PERCPU_ARRAY', { valueSize: 40_000 }, kernelOf('6.1.0'))).toBe('unknown?');
  });

  it('reads the number of CPUs in the configuration', () => {
    const config = { text: 'CONFIG_SMP=y\nCONFIG_NR_CPUS=64\n' };
    const kernel = kernelOf('6.18.0', { config });
    expect(errno('CPUMAP', { maxEntries: 64n }, kernel)).toBe('');
    expect(errno('CPUMAP', { maxEntries: 65n }, kernel)).toBe('E2BIG');
    expect(errno('CPUMAP', { maxEntries: 1000n })).toBe('E2BIG?');
  });

  it('refuses a map type that the enum of the kernel lacks', async () => {
    const types = [
      enumeration('bpf_map_type', [
        ['BPF_MAP_TYPE_ARRAY', 2],
        ['BPF_MAP_TYPE_SK_STORAGE', 24],
      ]),
    ];
    const { types: vmlinux } = await openModel('vmlinux', btfBlob({ types }).bytes);
    expect(errno('ARRAY', {}, kernelOf(null, { vmlinux }))).toBe('');
    expect(errno('HASH', {}, kernelOf(null, { vmlinux }))).toBe('EINVAL');
  });
});
