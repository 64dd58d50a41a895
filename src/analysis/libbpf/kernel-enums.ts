/**
 * Helpers, types of programs and types of maps that a kernel does not have: its BTF has the enums
 * of include/uapi/linux/bpf.h. That an enumerator is there does not say that the kernel was built
 * with what it stands for; that it is missing decides.
 */

import { findByNameKind, type LoadKernel } from '#analysis/kernel/kernel.ts';
import { mapTypeName } from '#analysis/kernel/map-types.ts';
import { oncePer } from '#bytes/keep.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { ObjectMap } from './object-maps.ts';
import type { Reason } from './program-code.ts';

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

/** Kinds of programs whose type came after the first kernels with BTF, 5.2. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...['cgroup/getsockopt', 'cgroup/setsockopt'].map((kind) => [kind, 'CGROUP_SOCKOPT'] as const),
  ...'fentry fexit fmod_ret fsession fentry.multi fexit.multi fsession.multi iter'
    .split(' ')
    .flatMap((kind) => [kind, `${kind}.s`])
    .map((kind) => [kind, 'TRACING'] as const),
  ['tp_btf', 'TRACING'],
  ['struct_ops', 'STRUCT_OPS'],
  ['struct_ops.s', 'STRUCT_OPS'],
  ['freplace', 'EXT'],
  ['lsm', 'LSM'],
  ['lsm.s', 'LSM'],
  ['lsm_cgroup', 'LSM'],
  ['sk_lookup', 'SK_LOOKUP'],
  ['syscall', 'SYSCALL'],
  ['netfilter', 'NETFILTER'],
]);

/** Why the kernel refuses a program of this kind; null where it has the type, or does not say. */
function missingProgramType(kernel: LoadKernel, kind: string): string | null {
  const types = known(kernel, 'bpf_prog_type');
  const type = TYPES.get(kind);
  if (types === null || type === undefined) return null;
  const name = `BPF_PROG_TYPE_${type}`;
  return [...types.values()].includes(name) ? null : `The kernel has no program type ${name}.`;
}

/** Why the kernel refuses maps of an object that are created. */
function missingMapTypes(kernel: LoadKernel, maps: readonly ObjectMap[]): string[] {
  const types = known(kernel, 'bpf_map_type');
  if (types === null) return [];
  return maps
    .filter(({ autocreate, type }) => autocreate && !types.has(type))
    .map(({ name, type }) => {
      const label = mapTypeName(type) ?? `number ${type}`;
      return `map '${name}': the kernel has no map type ${label}.`;
    });
}

/** What the kernel lacks for the maps of an object and the type of a program. libbpf's answers do not tell of it. */
export function refusedByKernel(
  kernel: LoadKernel,
  maps: readonly ObjectMap[],
  kind: string,
): Reason[] {
  const type = missingProgramType(kernel, kind);
  const reason = (step: string, text: string): Reason => ({
    outcome: 'rejected',
    step,
    text,
    insn: null,
    source: null,
  });
  return [
    ...missingMapTypes(kernel, maps).map((text) => reason('maps', text)),
    ...(type === null ? [] : [reason('type', type)]),
  ];
}
