/** The flags of a map by name. Source: include/uapi/linux/bpf.h. */
import { hexText } from './number-text.ts';

const FLAGS: readonly string[] = [
  'NO_PREALLOC',
  'NO_COMMON_LRU',
  'NUMA_NODE',
  'RDONLY',
  'WRONLY',
  'STACK_BUILD_ID',
  'ZERO_SEED',
  'RDONLY_PROG',
  'WRONLY_PROG',
  'CLONE',
  'MMAPABLE',
  'PRESERVE_ELEMS',
  'INNER_MAP',
  'LINK',
  'PATH_FD',
  'VTYPE_BTF_OBJ_FD',
  'TOKEN_FD',
  'SEGV_ON_FAULT',
  'NO_USER_CONV',
];

/** `BPF_F_NO_PREALLOC | BPF_F_RDONLY_PROG`; bits without a name in hex; `0` for none. */
export function mapFlagsText(flags: bigint): string {
  const names: string[] = [];
  let left = flags;
  for (const [bit, name] of FLAGS.entries()) {
    const mask = 1n << BigInt(bit);
    if ((left & mask) === 0n) continue;
    names.push(`BPF_F_${name}`);
    left &= ~mask;
  }
  if (left !== 0n) names.push(hexText(left));
  return names.length === 0 ? '0' : names.join(' | ');
}
