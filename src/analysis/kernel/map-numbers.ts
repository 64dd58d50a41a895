/** The numbers of BPF_MAP_CREATE, and rules about one of them. */
import { byVersion, type DependsOn } from './dependency.ts';
import type { LoadKernel } from './kernel.ts';
import { mapFlags, mapFlagsText } from './map-flags.ts';
import { isSince } from './version.ts';

/** Fields of `union bpf_attr` for BPF_MAP_CREATE, each as the kernel gets it. */
export type MapNumbers = {
  /** Number BPF_MAP_TYPE_*. */
  readonly type: number;
  readonly keySize: number;
  readonly valueSize: number;
  readonly maxEntries: bigint;
  readonly flags: bigint;
  readonly extra: bigint;
  readonly numaNode: number;
  /** Types in the BTF of the object; 0 for none. */
  readonly keyTypeId: number;
  readonly valueTypeId: number;
};

export type NumberErrno = 'EINVAL' | 'E2BIG' | 'ENOTSUPP' | 'ERANGE';

/** Why the kernel refuses a number of a map. */
export type NumberFault = DependsOn & {
  /** Error of the call; null if it depends on the kernel's release. */
  readonly errno: NumberErrno | null;
  /** The fault as a clause without a full stop. */
  readonly what: string;
  /** False if it depends on what is not known of the kernel. */
  readonly isSure: boolean;
};

/** Returns the fault of a map; null if it keeps the rule. */
export type NumberRule = (map: MapNumbers, kernel: LoadKernel) => NumberFault | null;

export function refused(errno: NumberErrno | null, what: string): NumberFault {
  return { errno, what, isSure: true };
}

const sizesText = (sizes: readonly number[]) => sizes.join(' or ');

/** The key has one of these sizes in bytes. */
export function keySize(...sizes: readonly number[]): NumberRule {
  return ({ keySize: size }) =>
    sizes.includes(size) ? null : refused('EINVAL', `key_size is ${size}, not ${sizesText(sizes)}`);
}

/** The value has one of these sizes in bytes. */
export function valueSize(...sizes: readonly number[]): NumberRule {
  return ({ valueSize: size }) =>
    sizes.includes(size)
      ? null
      : refused('EINVAL', `value_size is ${size}, not ${sizesText(sizes)}`);
}

export const someKey: NumberRule = ({ keySize }) =>
  keySize === 0 ? refused('EINVAL', 'key_size is 0') : null;
export const someValue: NumberRule = ({ valueSize }) =>
  valueSize === 0 ? refused('EINVAL', 'value_size is 0') : null;
export const someEntries: NumberRule = ({ maxEntries }) =>
  maxEntries === 0n ? refused('EINVAL', 'max_entries is 0') : null;
export const noEntries: NumberRule = ({ maxEntries }) =>
  maxEntries === 0n ? null : refused('EINVAL', `max_entries is ${maxEntries}, not 0`);

/** Flags that no kernel whose source was read knows: BPF_F_RB_OVERWRITE of 6.19 is the last. */
const LATER_FLAGS = -1n << 20n;

/** Flags are among `mask`. */
export function flagsAmong(mask: bigint): NumberRule {
  return ({ flags }, kernel) => {
    const more = flags & ~mask;
    if (more === 0n) return null;
    const what = `map_flags has ${mapFlagsText(more)}, which this map type does not allow`;
    const isLater = (more & ~LATER_FLAGS) === 0n && isSince(kernel, '6.19') !== false;
    return { ...refused('EINVAL', what), isSure: !isLater, ...byVersion(kernel, '6.19') };
  };
}

/** Flags include all of `needed`. */
export function flagsWith(needed: bigint): NumberRule {
  return ({ flags }) =>
    (flags & needed) === needed
      ? null
      : refused('EINVAL', `map_flags lacks ${mapFlagsText(needed & ~flags)}`);
}

const ONE_WAY = mapFlags('RDONLY_PROG', 'WRONLY_PROG');

/** Programs may read or write. Source: bpf_map_flags_access_ok. */
export const someAccess: NumberRule = ({ flags }) =>
  (flags & ONE_WAY) === ONE_WAY
    ? refused('EINVAL', 'BPF_F_RDONLY_PROG and BPF_F_WRONLY_PROG exclude each other')
    : null;

/** The lowest and the highest limit, of all configurations in question. */
export type Limit = { readonly least: number; readonly most: number };

/** Returns a fault if `size` is above the limit. It is certain only above the highest limit. */
export function overLimit(
  what: string,
  size: number,
  { least, most }: Limit,
  errno: NumberErrno | null = 'E2BIG',
): NumberFault | null {
  if (size <= least) return null;
  const text = `${what} is ${size}, more than ${least}`;
  return { errno, what: text, isSure: size > most };
}
