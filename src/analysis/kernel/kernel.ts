/** The files about a kernel that an object is judged on. */
import { nameHash, type CoreTarget, type TargetTable } from '#analysis/core/candidates.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameMatcher, namePlace } from '#model/names.ts';
import { kindOf, lastId, nameOf, nameOffOf, type TypeTable } from '#model/type-table.ts';

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

/** The kernel as a target of CO-RE records; null where it has no BTF. */
export function targetOfKernel({ name, vmlinux, modules }: LoadKernel): CoreTarget | null {
  if (vmlinux === null) return null;
  return { name, tables: [{ name: 'vmlinux', types: vmlinux }, ...(modules ?? [])] };
}

/** Typical lines of each kind of text, which may follow any number of others. */
const CONFIG_LINE = /^(?:CONFIG_\w+=|# CONFIG_\w+ is not set$)/m;
const KALLSYMS_LINE = /^[0-9a-f]{8,16} [A-Za-z?] \S/m;
/** Characters; a configuration begins with some hundred of comment. */
const HEAD = 8192;

/** Returns the kind of a text by its first lines: a `.config`, `/proc/kallsyms`, or null. */
export function kernelTextKind(text: string): 'config' | 'kallsyms' | null {
  const head = text.slice(0, HEAD);
  if (CONFIG_LINE.test(head)) return 'config';
  return KALLSYMS_LINE.test(head) ? 'kallsyms' : null;
}

/** A type in the BTF of the kernel or of a module. */
export type KernelType = {
  readonly id: TypeId;
  /** The table that has it: that of vmlinux or of a module. */
  readonly types: TypeTable;
  /** null: vmlinux. */
  readonly module: string | null;
};

/** Own types by hash of name and kind, as `essentialNameIndex` has them: no text is made of a kernel's 60,000 names. */
type NameIndex = {
  /** For each hash value the number of its first own type, counted from 1; 0 = none. */
  readonly heads: Uint32Array;
  /** For each own type the next one of the same hash value, likewise. */
  readonly next: Uint32Array;
};

const ASKED: ReadonlySet<number> = new Set([
  BtfKind.FUNC,
  BtfKind.VAR,
  BtfKind.STRUCT,
  BtfKind.TYPEDEF,
  BtfKind.ENUM,
]);

/** Bytes of a name that are hashed: a hostile file may have a megabyte for each of a million types. */
const HASHED = 64;

const namesOf = memoized((t: TypeTable): NameIndex => {
  const { count, firstId } = t;
  const heads = new Uint32Array(2 ** Math.max(4, 32 - Math.clz32(count)));
  const next = new Uint32Array(count);
  // From the last to the first, so that each list is in the order of ids.
  for (let row = count - 1; row >= 0; row--) {
    const id = typeId(firstId + row);
    const kind = kindOf(t, id);
    if (!ASKED.has(kind)) continue;
    const { bytes, start, end } = namePlace(t, nameOffOf(t, id), HASHED);
    const slot = nameHash(bytes, start, end - start, kind) & (heads.length - 1);
    next[row] = heads[slot] ?? 0;
    heads[slot] = row + 1;
  }
  return { heads, next };
});

/** Returns the type with the lowest id among the own types of `t`. Source: libbpf's btf__find_by_name_kind_own. */
function findOwn(t: TypeTable, kind: number, name: string): TypeId | null {
  const isNamed = nameMatcher(t, name);
  const isSame = (id: TypeId) => kindOf(t, id) === kind && isNamed(nameOffOf(t, id));
  // Bytes that are no text are not known by their escapes.
  if (name.includes('\\x')) {
    for (let n = t.firstId; n <= lastId(t); n++) {
      if (isSame(typeId(n))) return typeId(n);
    }
    return null;
  }
  const { heads, next } = namesOf(t);
  const bytes = new TextEncoder().encode(name).subarray(0, HASHED);
  const slot = nameHash(bytes, 0, bytes.length, kind) & (heads.length - 1);
  for (let row = heads[slot] ?? 0; row !== 0; row = next[row - 1] ?? 0) {
    const id = typeId(t.firstId + row - 1);
    if (isSame(id)) return id;
  }
  return null;
}

/** Yields the names of the own types of a kind. */
export function* namesOfKind(t: TypeTable, kind: number): Generator<string> {
  for (let n = t.firstId; n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) === kind) yield nameOf(t, id);
  }
}

/** Returns the type in the base, else among the own types. Source: libbpf's btf__find_by_name_kind. */
export function findByNameKind(t: TypeTable, kind: number, name: string): TypeId | null {
  return (t.base === null ? null : findByNameKind(t.base, kind, name)) ?? findOwn(t, kind, name);
}

/** Returns the type in vmlinux, else in the first module that has it among its own types. Source: libbpf.c, find_ksym_btf_id. */
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
