/** Names and values of the map flags BPF_F_* of include/uapi/linux/bpf.h. */
import { hexText } from '#bytes/text.ts';

/** Names of the map flags, bit 0 first. */
const FLAGS = [
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
  'RB_OVERWRITE',
] as const;

/** Returns the bits of flags by their names without `BPF_F_`. */
export function mapFlags(...names: readonly (typeof FLAGS)[number][]): bigint {
  return names.reduce((bits, name) => bits | (1n << BigInt(FLAGS.indexOf(name))), 0n);
}

/** Returns the names of flags: `BPF_F_NO_PREALLOC | BPF_F_RDONLY_PROG`. Unknown bits are in hex. */
export function mapFlagsText(flags: bigint): string {
  const known = FLAGS.filter((_, bit) => (flags & (1n << BigInt(bit))) !== 0n);
  const names = known.map((name) => `BPF_F_${name}`);
  const rest = flags & ~((1n << BigInt(FLAGS.length)) - 1n);
  if (rest !== 0n) names.push(hexText(rest));
  return names.length === 0 ? '0' : names.join(' | ');
}
