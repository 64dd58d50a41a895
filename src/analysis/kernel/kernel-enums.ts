/**
 * Finds helpers, program types and map types that a kernel lacks. Its BTF has them as enums of
 * include/uapi/linux/bpf.h. A kernel that has an enumerator may still be built without the feature.
 */
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { findByNameKind, type LoadKernel } from './kernel.ts';

type Enums = {
  readonly bpf_func_id: ReadonlyMap<number, string> | null;
  readonly bpf_prog_type: ReadonlyMap<number, string> | null;
  readonly bpf_map_type: ReadonlyMap<number, string> | null;
  readonly bpf_attach_type: ReadonlyMap<number, string> | null;
};

/**
 * Last enumerators of each enum in Linux 5.2, the first kernel with BTF: sk_storage_delete,
 * CGROUP_SYSCTL, SK_STORAGE, CGROUP_UDP6_RECVMSG. An enum without this enumerator is incomplete and is not used.
 */
const LAST_OF_5_2: Readonly<Record<keyof Enums, number>> = {
  bpf_func_id: 108,
  bpf_prog_type: 23,
  bpf_map_type: 24,
  bpf_attach_type: 20,
};

const enumsOf = memoized((t: TypeTable): Enums => {
  const read = (name: keyof Enums): ReadonlyMap<number, string> | null => {
    const id = findByNameKind(t, BtfKind.ENUM, name);
    if (id === null) return null;
    const known = enumeratorsOf(t, id).filter(({ name }) => !name.startsWith('__'));
    return new Map(known.map(({ name, value }) => [Number(value), name]));
  };
  return {
    bpf_func_id: read('bpf_func_id'),
    bpf_prog_type: read('bpf_prog_type'),
    bpf_map_type: read('bpf_map_type'),
    bpf_attach_type: read('bpf_attach_type'),
  };
});

/** Returns the enumerators of the kernel by number; null if its BTF has no complete enum. */
function kernelEnum(
  { vmlinux }: LoadKernel,
  name: keyof Enums,
): ReadonlyMap<number, string> | null {
  const names = vmlinux === null ? null : enumsOf(vmlinux)[name];
  return names?.has(LAST_OF_5_2[name]) === true ? names : null;
}

/** libbpf replaces bpf_probe_read_user, _kernel, _user_str and _kernel_str with older helpers. */
export const REPLACED_HELPERS: readonly number[] = [112, 113, 114, 115];

/**
 * Returns the reason why the kernel rejects a call of the helper; null if it accepts the call or
 * its BTF does not tell. `types` may have the helper's name.
 */
export function missingHelper(
  kernel: LoadKernel,
  types: TypeTable | null,
  helper: number,
): string | null {
  const helpers = kernelEnum(kernel, 'bpf_func_id');
  if (helpers === null || helpers.has(helper) || REPLACED_HELPERS.includes(helper)) return null;
  const name = types === null ? null : helperName(types, helper);
  const label = name === null ? `#${helper}` : `${name.replace(/^BPF_FUNC_/, 'bpf_')}#${helper}`;
  return `The kernel has no helper ${label}.`;
}

/** Returns the enumerator of a helper (`BPF_FUNC_ktime_get_ns`); null if it is not in `types`. */
export function helperName(types: TypeTable, helper: number): string | null {
  return enumsOf(types).bpf_func_id?.get(helper) ?? null;
}

/** Returns a sentence if the kernel's BTF shows that it lacks the program type; else null. */
export function missingProgramType(kernel: LoadKernel, type: string): string | null {
  const types = kernelEnum(kernel, 'bpf_prog_type');
  if (types === null || type === '') return null;
  const name = `BPF_PROG_TYPE_${type}`;
  return [...types.values()].includes(name) ? null : `The kernel has no program type ${name}.`;
}

/** Returns whether the kernel has an attach type (`BPF_TRACE_FENTRY`); null if unknown. */
export function hasAttachType(kernel: LoadKernel, name: string): boolean | null {
  const types = kernelEnum(kernel, 'bpf_attach_type');
  return types === null ? null : [...types.values()].includes(name);
}

/** Returns true if the kernel's BTF shows that it lacks the map type. */
export function lacksMapType(kernel: LoadKernel, type: number): boolean {
  return kernelEnum(kernel, 'bpf_map_type')?.has(type) === false;
}
