/** What is known of a kernel when an object is judged against it: files, and what they leave open. */
import type { TargetTable } from '#analysis/core/target.ts';
import { oncePer } from '#bytes/keep.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, lastId, nameOf, type TypeTable } from '#model/type-table.ts';

export type LoadKernel = {
  /** For people: which kernel this is. */
  readonly name: string;
  /** Its BTF; null: the kernel has none. */
  readonly vmlinux: TypeTable | null;
  /** Its modules in the order in which they were loaded; null: not given. */
  readonly modules: readonly TargetTable[] | null;
  /** `/boot/config-RELEASE` or `/proc/config.gz` as text; `none`: the machine has neither; null: not given. */
  readonly config: { readonly text: string } | 'none' | null;
  /** `/proc/kallsyms` as text; null: not given. */
  readonly kallsyms: string | null;
  /** `uname -r` and `uname -v`; null: not given. */
  readonly release: string | null;
  readonly unameVersion: string | null;
};

/** Where a type of the kernel was found. */
export type KernelType = {
  readonly id: TypeId;
  /** The table that has it: that of vmlinux or of a module. */
  readonly types: TypeTable;
  /** null: vmlinux. */
  readonly module: string | null;
};

/** The first own type of each name, by kind. Tables are asked some hundred times for functions, variables, structs, typedefs and enums. */
const namesOf = oncePer((t: TypeTable): ReadonlyMap<number, ReadonlyMap<string, TypeId>> => {
  const byKind = new Map<number, Map<string, TypeId>>(ASKED.map((kind) => [kind, new Map()]));
  for (let n = t.firstId; n <= lastId(t); n++) {
    const id = typeId(n);
    const names = byKind.get(kindOf(t, id));
    if (names === undefined) continue;
    const name = nameOf(t, id);
    if (!names.has(name)) names.set(name, id);
  }
  return byKind;
});

const ASKED = [BtfKind.FUNC, BtfKind.VAR, BtfKind.STRUCT, BtfKind.TYPEDEF, BtfKind.ENUM];

/** The type with the lowest id among those of `t` alone. Source: libbpf's btf__find_by_name_kind_own. */
function findOwn(t: TypeTable, kind: number, name: string): TypeId | null {
  return namesOf(t).get(kind)?.get(name) ?? null;
}

/** The names of that kind that `t` alone has. */
export function namesOfKind(t: TypeTable, kind: number): Iterable<string> {
  return namesOf(t).get(kind)?.keys() ?? [];
}

/** The same in the base first. Source: libbpf's btf__find_by_name_kind. */
export function findByNameKind(t: TypeTable, kind: number, name: string): TypeId | null {
  return (t.base === null ? null : findByNameKind(t.base, kind, name)) ?? findOwn(t, kind, name);
}

/** In vmlinux, else in the first module that has it of its own. Source: libbpf.c, find_ksym_btf_id. */
export function findInKernel(
  { vmlinux, modules }: LoadKernel,
  kind: number,
  name: string,
): KernelType | null {
  const id = vmlinux === null ? null : findByNameKind(vmlinux, kind, name);
  if (vmlinux !== null && id !== null) return { id, types: vmlinux, module: null };
  for (const { types, name: module } of modules ?? []) {
    const own = findOwn(types, kind, name);
    if (own !== null) return { id: own, types, module };
  }
  return null;
}
