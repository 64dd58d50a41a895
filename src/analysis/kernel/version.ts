/** Tells whether a kernel is at least of a version, by its release or by signs in its BTF. */
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { findByNameKind, type LoadKernel } from './kernel.ts';
import { type FeatureKind, featureNames, featureSince, isExact } from './kernel-features.ts';

/** A version as `6.12`. */
export type Version = `${number}.${number}`;

/** Enums of include/uapi/linux/bpf.h by kind of feature. */
const ENUMS: readonly (readonly [kind: FeatureKind, enumName: string, prefix: string])[] = [
  ['helper', 'bpf_func_id', 'BPF_FUNC_'],
  ['map-type', 'bpf_map_type', ''],
  ['program-type', 'bpf_prog_type', ''],
  ['attach-type', 'bpf_attach_type', ''],
];

/** First version whose kernels have BTF. */
export const FIRST_WITH_BTF: Version = '5.2';

/** An enumerator and the first version that has it. */
type Sign = { readonly enumName: string; readonly enumerator: string; readonly since: Version };

/** Enumerators of enum btf_field_type in include/linux/btf.h, which the table does not have. */
const FIELD_TYPES: readonly Sign[] = [
  { enumName: 'btf_field_type', enumerator: 'BPF_RES_SPIN_LOCK', since: '6.15' },
  { enumName: 'btf_field_type', enumerator: 'BPF_TASK_WORK', since: '6.18' },
];

let sorted: readonly Sign[] | null = null;

/** Returns the enumerators whose first version is exactly known, the oldest first. */
function signs(): readonly Sign[] {
  sorted ??= ENUMS.flatMap(([kind, enumName, prefix]) =>
    featureNames(kind).flatMap((name) => {
      const since = featureSince(kind, name);
      if (since === null || !isExact(since)) return [];
      if (compareVersions(since.version, FIRST_WITH_BTF) <= 0) return [];
      return [{ enumName, enumerator: enumeratorOf(name, prefix), since: since.version }];
    }),
  )
    .concat(FIELD_TYPES)
    .toSorted((a, b) => compareVersions(a.since, b.since));
  return sorted;
}

/** Versions between which a kernel is: at least `from`, and lower than `below` if not null. */
export type VersionRange = { readonly from: Version; readonly below: Version | null };

/** Returns the versions that the enumerators of a kernel's BTF leave open. */
const rangeOfTypes = memoized((t: TypeTable): VersionRange => {
  let from: Version = FIRST_WITH_BTF;
  let below: Version | null = null;
  const found = new Map<Version, boolean>();
  for (const { enumName, enumerator, since } of signs()) {
    const names = enumeratorNames(t).get(enumName);
    if (names === undefined || names.size === 0) continue;
    found.set(since, found.get(since) === true || names.has(enumerator));
  }
  for (const [since, hasAny] of found) {
    if (hasAny) [from, below] = [since, null];
    else below ??= since;
  }
  return { from, below };
});

/** Last enumerators of Linux 5.2: an enum of BTF without them is incomplete, and tells nothing. */
const LAST_OF_5_2: ReadonlyMap<string, string> = new Map([
  ['bpf_func_id', 'BPF_FUNC_sk_storage_delete'],
  ['bpf_map_type', 'BPF_MAP_TYPE_SK_STORAGE'],
  ['bpf_prog_type', 'BPF_PROG_TYPE_CGROUP_SYSCTL'],
  ['bpf_attach_type', 'BPF_CGROUP_SYSCTL'],
]);

const enumeratorNames = memoized((t: TypeTable): ReadonlyMap<string, ReadonlySet<string>> => {
  const enums = new Set(signs().map(({ enumName }) => enumName));
  return new Map(
    Array.from(enums, (name) => {
      const id = findByNameKind(t, BtfKind.ENUM, name);
      const names = new Set(id === null ? [] : enumeratorsOf(t, id).map((one) => one.name));
      const last = LAST_OF_5_2.get(name);
      return [name, last === undefined || names.has(last) ? names : new Set<string>()];
    }),
  );
});

/** Returns a range of versions as a noun: `6.1`, `older than 6.6`, or `6.9 or later`. */
export function rangeText({ from, below }: VersionRange): string {
  if (below === null) return `${from} or later`;
  const [major = 0, minor = 0] = from.split('.').map(Number);
  return compareVersions(below, `${major}.${minor + 1}`) <= 0 ? from : `older than ${below}`;
}

/** Returns true if the kernel's BTF has an enumerator of the table; null if it lacks the enum. */
export function hasEnumerator(t: TypeTable, kind: FeatureKind, name: string): boolean | null {
  const [, enumName = '', prefix = ''] = ENUMS.find(([one]) => one === kind) ?? [];
  const names = enumeratorNames(t).get(enumName);
  if (names === undefined || names.size === 0) return null;
  return names.has(enumeratorOf(name, prefix));
}

function enumeratorOf(name: string, prefix: string): string {
  return prefix === '' ? name : name.replace('bpf_', prefix);
}

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

/** A change: the first version that has it, and the first whose stable updates may have it. */
export type Backport = { readonly since: Version; readonly maybeSince: Version };

/** Returns whether a kernel has a change; null if unknown, or if its stable update decides. */
export function hasChange(kernel: LoadKernel, { since, maybeSince }: Backport): boolean | null {
  if (isSince(kernel, since) === true) return true;
  return isSince(kernel, maybeSince) === false ? false : null;
}

/** Returns a number below, equal to or above 0, as `a` is lower than, equal to or above `b`. */
export function compareVersions(a: Version, b: Version): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}
