/** Tells whether a kernel is at least of a version, by its release or by signs in its BTF. */
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { findByNameKind, type LoadKernel } from './kernel.ts';

/** A version as `6.12`. */
export type Version = `${number}.${number}`;

/** An enumerator and the first version that has it. */
type Sign = { readonly enumName: string; readonly enumerator: string; readonly since: Version };

/** Signs in ascending order. Source: include/uapi/linux/bpf.h, kernel/bpf of the tagged kernels. */
const SIGNS: readonly Sign[] = [
  { enumName: 'bpf_map_type', enumerator: 'BPF_MAP_TYPE_RINGBUF', since: '5.8' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_check_mtu', since: '5.12' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_for_each_map_elem', since: '5.13' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_sys_bpf', since: '5.14' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_get_func_ip', since: '5.15' },
  { enumName: 'bpf_map_type', enumerator: 'BPF_MAP_TYPE_BLOOM_FILTER', since: '5.16' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_loop', since: '5.17' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_copy_from_user_task', since: '5.18' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_kptr_xchg', since: '5.19' },
  { enumName: 'bpf_func_id', enumerator: 'BPF_FUNC_ktime_get_tai_ns', since: '6.1' },
  { enumName: 'bpf_map_type', enumerator: 'BPF_MAP_TYPE_CGRP_STORAGE', since: '6.2' },
  { enumName: 'bpf_prog_type', enumerator: 'BPF_PROG_TYPE_NETFILTER', since: '6.4' },
  { enumName: 'bpf_attach_type', enumerator: 'BPF_TRACE_UPROBE_MULTI', since: '6.6' },
  { enumName: 'bpf_attach_type', enumerator: 'BPF_NETKIT_PRIMARY', since: '6.7' },
  { enumName: 'bpf_map_type', enumerator: 'BPF_MAP_TYPE_ARENA', since: '6.9' },
  { enumName: 'bpf_attach_type', enumerator: 'BPF_TRACE_KPROBE_SESSION', since: '6.10' },
  { enumName: 'bpf_attach_type', enumerator: 'BPF_TRACE_UPROBE_SESSION', since: '6.13' },
  { enumName: 'bpf_map_type', enumerator: 'BPF_MAP_TYPE_INSN_ARRAY', since: '6.19' },
  { enumName: 'bpf_attach_type', enumerator: 'BPF_TRACE_FSESSION', since: '7.0' },
];

/** Versions between which a kernel is: at least `from`, and lower than `below` if not null. */
export type VersionRange = { readonly from: Version; readonly below: Version | null };

/** First version whose kernels have BTF. */
const FIRST_WITH_BTF: Version = '5.2';

/** Returns the versions that the enumerators of a kernel's BTF leave open. */
const rangeOfTypes = memoized((t: TypeTable): VersionRange => {
  let from: Version = FIRST_WITH_BTF;
  let below: Version | null = null;
  for (const { enumName, enumerator, since } of SIGNS) {
    const names = enumeratorNames(t).get(enumName);
    if (names === undefined || names.size === 0) continue;
    if (names.has(enumerator)) [from, below] = [since, null];
    else below ??= since;
  }
  return { from, below };
});

const enumeratorNames = memoized((t: TypeTable): ReadonlyMap<string, ReadonlySet<string>> => {
  const enums = new Set(SIGNS.map(({ enumName }) => enumName));
  return new Map(
    Array.from(enums, (name) => {
      const id = findByNameKind(t, BtfKind.ENUM, name);
      return [name, new Set(id === null ? [] : enumeratorsOf(t, id).map((one) => one.name))];
    }),
  );
});

/** Returns the range of a kernel's version: exact by its release, else as its BTF tells. */
export function versionRange({ release, vmlinux }: LoadKernel): VersionRange | null {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,4})/.exec(release ?? '') ?? [];
  if (major !== undefined && minor !== undefined) {
    return {
      from: `${Number(major)}.${Number(minor)}`,
      below: `${Number(major)}.${Number(minor) + 1}`,
    };
  }
  return vmlinux === null ? null : rangeOfTypes(vmlinux);
}

/** Returns true if the kernel is of `version` or later, false if it is older, null if unknown. */
export function isSince(kernel: LoadKernel, version: Version): boolean | null {
  const range = versionRange(kernel);
  if (range === null) return null;
  if (compareVersions(range.from, version) >= 0) return true;
  return range.below !== null && compareVersions(range.below, version) <= 0 ? false : null;
}

/** Returns a number below, equal to or above 0, as `a` is lower than, equal to or above `b`. */
export function compareVersions(a: Version, b: Version): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}
