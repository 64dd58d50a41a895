/**
 * Helpers, types of programs and types of maps that a kernel does not have: its BTF has the enums
 * of include/uapi/linux/bpf.h. That an enumerator is there does not say that the kernel was built
 * with what it stands for; that it is missing decides.
 */

import { oncePer } from '#bytes/keep.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { findByNameKind, type LoadKernel } from './kernel.ts';
import { mapTypeName } from './map-types.ts';

type Enums = {
  readonly bpf_func_id: ReadonlyMap<number, string> | null;
  readonly bpf_prog_type: ReadonlyMap<number, string> | null;
  readonly bpf_map_type: ReadonlyMap<number, string> | null;
};

/**
 * Of each enum the last one of Linux 5.2, the first kernel with BTF: sk_storage_delete,
 * CGROUP_SYSCTL, SK_STORAGE. An enum without it was cut, and does not say what a kernel lacks.
 */
const LAST_OF_5_2: Readonly<Record<keyof Enums, number>> = {
  bpf_func_id: 108,
  bpf_prog_type: 23,
  bpf_map_type: 24,
};

const enumsOf = oncePer((t: TypeTable): Enums => {
  const read = (name: keyof Enums): ReadonlyMap<number, string> | null => {
    const id = findByNameKind(t, BtfKind.ENUM, name);
    if (id === null) return null;
    const all = enumeratorsOf(t, id).filter((one) => !one.name.startsWith('__'));
    return new Map(all.map((one) => [Number(one.value), one.name]));
  };
  return {
    bpf_func_id: read('bpf_func_id'),
    bpf_prog_type: read('bpf_prog_type'),
    bpf_map_type: read('bpf_map_type'),
  };
});

/** What the kernel has of an enum; null where its BTF does not say. */
function known({ vmlinux }: LoadKernel, name: keyof Enums): ReadonlyMap<number, string> | null {
  const names = vmlinux === null ? null : enumsOf(vmlinux)[name];
  return names?.has(LAST_OF_5_2[name]) === true ? names : null;
}

/** bpf_probe_read_user, _kernel, _user_str, _kernel_str: libbpf calls older ones in place of them. */
const REPLACED = [112, 113, 114, 115];

/** Why a call of a helper is refused; null where the kernel has it, or does not say. `types` may know its name. */
export function missingHelper(
  kernel: LoadKernel,
  types: TypeTable | null,
  helper: number,
): string | null {
  const helpers = known(kernel, 'bpf_func_id');
  if (helpers === null || helpers.has(helper) || REPLACED.includes(helper)) return null;
  const name = types === null ? null : helperName(types, helper);
  const label = name === null ? `#${helper}` : `${name.replace(/^BPF_FUNC_/, 'bpf_')}#${helper}`;
  return `The kernel has no helper ${label}.`;
}

/** The enumerator of a helper: `BPF_FUNC_ktime_get_ns`; null where the types have none. */
export function helperName(types: TypeTable, helper: number): string | null {
  return enumsOf(types).bpf_func_id?.get(helper) ?? null;
}

/** Whether the kernel lacks a program type, as a sentence; null where the kernel has the type, or does not say. */
function missingProgramType(kernel: LoadKernel, type: string): string | null {
  const types = known(kernel, 'bpf_prog_type');
  if (types === null || type === '') return null;
  const name = `BPF_PROG_TYPE_${type}`;
  return [...types.values()].includes(name) ? null : `The kernel has no program type ${name}.`;
}

type MapOfType = { readonly name: string; readonly type: number; readonly autocreate: boolean };

/**
 * The sentences for what the kernel lacks: the types of the maps that libbpf creates, and the type
 * of a program, `XDP`; empty = not known.
 */
export function missingTypes(
  kernel: LoadKernel,
  maps: readonly MapOfType[],
  programType: string,
): readonly { readonly step: 'maps' | 'type'; readonly text: string }[] {
  const types = known(kernel, 'bpf_map_type');
  const unknown = maps.filter(({ autocreate, type }) => autocreate && types?.has(type) === false);
  const text = missingProgramType(kernel, programType);
  return [
    ...unknown.map(({ name, type }) => ({
      step: 'maps' as const,
      text: `map '${name}': the kernel has no map type ${mapTypeName(type)}.`,
    })),
    ...(text === null ? [] : [{ step: 'type' as const, text }]),
  ];
}
