/** A kernel for which loading is predicted: its BTF, modules, configuration and symbols. */
import { type CoreTarget, nameHash, type TargetTable } from '#analysis/core/candidates.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameMatcher, namePlace } from '#model/names.ts';
import { kindOf, lastId, nameOf, nameOffOf, type TypeTable } from '#model/type-table.ts';
import { type HasStruct, inEveryKernel } from './field-kinds.ts';

export type LoadKernel = {
  readonly name: string;
  /** Types of vmlinux; null for a kernel without BTF. */
  readonly vmlinux: TypeTable | null;
  /** Architecture as in the kernel's name, for a kernel whose BTF is not at hand. */
  readonly arch?: string;
  /** Modules in the order of loading; null if unknown. */
  readonly modules: readonly TargetTable[] | null;
  /** Text of `/boot/config-RELEASE` or `/proc/config.gz`; `none` if missing; null if unknown. */
  readonly config: { readonly text: string } | 'none' | null;
  /** Text of `/proc/kallsyms`; null if unknown. */
  readonly kallsyms: string | null;
  /** Output of `uname -r`; null if unknown. */
  readonly release: string | null;
  /** Output of `uname -v`; null if unknown. */
  readonly unameVersion: string | null;
};

/** Returns the kernel as a target of CO-RE records; null for a kernel without BTF. */
export function targetOfKernel({ name, vmlinux, modules }: LoadKernel): CoreTarget | null {
  if (vmlinux === null) return null;
  return { name, tables: [{ name: 'vmlinux', types: vmlinux }, ...(modules ?? [])] };
}

/** Returns the BTF of a module, or of vmlinux if `module` is null; null if it is not known. */
export function kernelTypes(
  { vmlinux, modules }: LoadKernel,
  module: string | null,
): TypeTable | null {
  if (module === null) return vmlinux;
  return modules?.find(({ name }) => name === module)?.types ?? null;
}

const CONFIG_LINE = /^(?:CONFIG_\w+=|# CONFIG_\w+ is not set$)/m;
const KALLSYMS_LINE = /^[0-9a-f]{8,16} [A-Za-z?] \S/m;

/** Returns which file of a kernel `text` seems to be, by its first lines; null for other files. */
export function kernelTextKind(text: string): 'config' | 'kallsyms' | null {
  const head = text.slice(0, 8192);
  if (CONFIG_LINE.test(head)) return 'config';
  return KALLSYMS_LINE.test(head) ? 'kallsyms' : null;
}

/** A type in the BTF of the kernel or of a module. */
export type KernelType = {
  readonly id: TypeId;
  /** Types of vmlinux or of the module. */
  readonly types: TypeTable;
  /** Name of the module; null for vmlinux. */
  readonly module: string | null;
};

/** Index of the types of a table by hash of name and kind, so that names need not be decoded. */
type NameIndex = {
  /** Row of the first type with a hash value, counted from 1; 0 for none. */
  readonly heads: Uint32Array;
  /** For each row, the next row with the same hash value, counted from 1; 0 for none. */
  readonly next: Uint32Array;
};

const INDEXED_KINDS: ReadonlySet<number> = new Set([
  BtfKind.FUNC,
  BtfKind.VAR,
  BtfKind.STRUCT,
  BtfKind.TYPEDEF,
  BtfKind.ENUM,
]);

/** Maximum bytes of a name to hash: in a hostile file, a million types may have megabyte names. */
const MAX_HASHED = 64;

const namesOf = memoized((t: TypeTable): NameIndex => {
  const { count, firstId } = t;
  const heads = new Uint32Array(2 ** Math.max(4, 32 - Math.clz32(count)));
  const next = new Uint32Array(count);
  // Rows are added from last to first, so that each list is in the order of ids.
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

/** Finds a type by name, but not in the base. Source: libbpf's btf__find_by_name_kind_own. */
function findOwn(t: TypeTable, kind: number, name: string): TypeId | null {
  const isNamed = nameMatcher(t, name);
  const isSame = (id: TypeId) => kindOf(t, id) === kind && isNamed(nameOffOf(t, id));
  // `\x` escapes stand for bytes that are not UTF-8 text; the index hashes the bytes.
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

/** Yields the names of the types of a kind, without those in the base of `t`. */
export function* namesOfKind(t: TypeTable, kind: number): Generator<string> {
  for (let n = t.firstId; n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) === kind) yield nameOf(t, id);
  }
}

/** Finds a type by name; searches the base first. Source: libbpf's btf__find_by_name_kind. */
export function findByNameKind(t: TypeTable, kind: number, name: string): TypeId | null {
  return (t.base === null ? null : findByNameKind(t.base, kind, name)) ?? findOwn(t, kind, name);
}

/** Returns a type of vmlinux or of the first module that has it. Source: find_ksym_btf_id. */
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

/** Returns the structs of a kernel; those of each kernel if its BTF is not at hand. */
export function structsOf(kernel: LoadKernel): HasStruct {
  if (kernel.vmlinux === null) return inEveryKernel;
  return (name) => findInKernel(kernel, BtfKind.STRUCT, name) !== null;
}
