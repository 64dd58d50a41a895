/** A kernel for which loading is decided: its BTF, modules, configuration and symbols. */
import { type CoreTarget, nameHash, type TargetTable } from '#analysis/core/candidates.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameMatcher, namePlace } from '#model/names.ts';
import { kindOf, lastId, nameOf, nameOffOf, type TypeTable } from '#model/type-table.ts';

export type LoadKernel = {
  readonly name: string;
  /** null for a kernel without BTF. */
  readonly vmlinux: TypeTable | null;
  /** Modules in the order of loading; null if unknown. */
  readonly modules: readonly TargetTable[] | null;
  /** Text of `/boot/config-RELEASE` or `/proc/config.gz`; `none` if the machine has neither; null if unknown. */
  readonly config: { readonly text: string } | 'none' | null;
  /** Text of `/proc/kallsyms`; null if unknown. */
  readonly kallsyms: string | null;
  /** `uname -r`; null if unknown. */
  readonly release: string | null;
  /** `uname -v`; null if unknown. */
  readonly unameVersion: string | null;
};

/** Returns the kernel as a target of CO-RE records; null for a kernel without BTF. */
export function targetOfKernel({ name, vmlinux, modules }: LoadKernel): CoreTarget | null {
  if (vmlinux === null) return null;
  return { name, tables: [{ name: 'vmlinux', types: vmlinux }, ...(modules ?? [])] };
}

const CONFIG_LINE = /^(?:CONFIG_\w+=|# CONFIG_\w+ is not set$)/m;
const KALLSYMS_LINE = /^[0-9a-f]{8,16} [A-Za-z?] \S/m;

/** Returns the kind of a text by its first lines: a `.config`, `/proc/kallsyms`, or null. */
export function kernelTextKind(text: string): 'config' | 'kallsyms' | null {
  const head = text.slice(0, 8192);
  if (CONFIG_LINE.test(head)) return 'config';
  return KALLSYMS_LINE.test(head) ? 'kallsyms' : null;
}

/** A type in the BTF of the kernel or of a module. */
export type KernelType = {
  readonly id: TypeId;
  /** Table of vmlinux or of the module. */
  readonly types: TypeTable;
  /** null for vmlinux. */
  readonly module: string | null;
};

/** Types of a table without its base, by hash of name and kind: a kernel's 60,000 names are not decoded. */
type NameIndex = {
  /** By hash value: row of its first type, from 1; 0 for none. */
  readonly heads: Uint32Array;
  /** By row: next row with the same hash value, from 1; 0 for none. */
  readonly next: Uint32Array;
};

const INDEXED_KINDS: ReadonlySet<number> = new Set([
  BtfKind.FUNC,
  BtfKind.VAR,
  BtfKind.STRUCT,
  BtfKind.TYPEDEF,
  BtfKind.ENUM,
]);

/** Hashed bytes of a name: a hostile file may have a megabyte for each of a million types. */
const MAX_HASHED = 64;

const namesOf = memoized((t: TypeTable): NameIndex => {
  const { count, firstId } = t;
  const heads = new Uint32Array(2 ** Math.max(4, 32 - Math.clz32(count)));
  const next = new Uint32Array(count);
  // The last row first, so that each list is in the order of ids.
  for (let row = count - 1; row >= 0; row--) {
    const id = typeId(firstId + row);
    const kind = kindOf(t, id);
    if (!INDEXED_KINDS.has(kind)) continue;
    const { bytes, start, end } = namePlace(t, nameOffOf(t, id), MAX_HASHED);
    const slot = nameHash(bytes, start, end - start, kind) & (heads.length - 1);
    next[row] = heads[slot] ?? 0;
    heads[slot] = row + 1;
  }
  return { heads, next };
});

/** Returns the type with the lowest id, without the base of `t`. Source: libbpf's btf__find_by_name_kind_own. */
function findOwn(t: TypeTable, kind: number, name: string): TypeId | null {
  const isNamed = nameMatcher(t, name);
  const isSame = (id: TypeId) => kindOf(t, id) === kind && isNamed(nameOffOf(t, id));
  // A name with escapes stands for bytes that are no text; the index has the bytes.
  if (name.includes('\\x')) {
    for (let n = t.firstId; n <= lastId(t); n++) {
      if (isSame(typeId(n))) return typeId(n);
    }
    return null;
  }
  const { heads, next } = namesOf(t);
  const bytes = new TextEncoder().encode(name).subarray(0, MAX_HASHED);
  const slot = nameHash(bytes, 0, bytes.length, kind) & (heads.length - 1);
  for (let row = heads[slot] ?? 0; row !== 0; row = next[row - 1] ?? 0) {
    const id = typeId(t.firstId + row - 1);
    if (isSame(id)) return id;
  }
  return null;
}

/** Yields the names of the types of a kind, without the base of `t`. */
export function* namesOfKind(t: TypeTable, kind: number): Generator<string> {
  for (let n = t.firstId; n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) === kind) yield nameOf(t, id);
  }
}

/** Returns the type in the base, else in `t`. Source: libbpf's btf__find_by_name_kind. */
export function findByNameKind(t: TypeTable, kind: number, name: string): TypeId | null {
  return (t.base === null ? null : findByNameKind(t.base, kind, name)) ?? findOwn(t, kind, name);
}

/** Returns the type in vmlinux, else in the first module that has it. Source: libbpf.c, find_ksym_btf_id. */
export function findInKernel(
  { vmlinux, modules }: LoadKernel,
  kind: number,
  name: string,
): KernelType | null {
  const id = vmlinux === null ? null : findByNameKind(vmlinux, kind, name);
  if (vmlinux !== null && id !== null) return { id, types: vmlinux, module: null };
  for (const { types, name: module } of modules ?? []) {
    const inModule = findOwn(types, kind, name);
    if (inModule !== null) return { id: inModule, types, module };
  }
  return null;
}
