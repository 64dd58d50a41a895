/**
 * Kernel functions that BPF programs may call (kfuncs), as the BTF of a kernel or module tells them.
 * Source: Documentation/bpf/kfuncs.rst; tools/bpf/resolve_btfids/main.c.
 */
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { BtfIdGroupType, type BtfIdTable, btfIdName } from '#model/btf-ids.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { nameMatcher } from '#model/names.ts';
import { enumeratorsOf, type ItemReader, readParams } from '#model/type-items.ts';
import {
  componentIdx,
  kindOf,
  lastId,
  nameOf,
  nameOffOf,
  sizeOrTypeOf,
  skipModifiers,
  type TypeTable,
} from '#model/type-table.ts';
import { findByNameKind } from './kernel.ts';

/** Text of the DECL_TAG that pahole writes on each kfunc since 1.27 (`decl_tag_kfuncs`). */
const KFUNC_TAG = 'bpf_kfunc';
/** Suffix of the FUNC with the prototype of the C function, implicit argument included. */
const IMPL_SUFFIX = '_impl';

/** Returns the FUNCs of the table, not of its base, that have the tag `bpf_kfunc`. */
export const taggedKfuncs = memoized((t: TypeTable): ReadonlySet<TypeId> => {
  const tagged = new Set<TypeId>();
  const isTag = nameMatcher(t, KFUNC_TAG);
  for (let n = t.firstId; n <= lastId(t); n++) {
    const id = typeId(n);
    if (kindOf(t, id) !== BtfKind.DECL_TAG || !isTag(nameOffOf(t, id))) continue;
    if (componentIdx(t, id) === -1) tagged.add(typeId(sizeOrTypeOf(t, id)));
  }
  return tagged;
});

/** Field `flags` of a set8 of kfuncs: BTF_SET8_KFUNCS (include/linux/btf.h). */
const SET8_KFUNCS = 1;

/** Returns the names of the kfuncs in `.BTF_ids`; null if the file has no set of kfuncs. */
export function registeredKfuncs(ids: BtfIdTable): ReadonlySet<string> | null {
  const names = new Set<string>();
  let hasSet = false;
  for (let row = 0; row < ids.count; row++) {
    const group = ids.group[row] ?? 0;
    const isSet8 = ids.groups.type[group] === BtfIdGroupType.set8;
    if (!isSet8 || ((ids.groups.flags[group] ?? 0) & SET8_KFUNCS) === 0) continue;
    hasSet = true;
    const name = btfIdName(ids, row);
    if (name !== '') names.add(name);
  }
  return hasSet ? names : null;
}

/** A kfunc whose BTF still has the argument that the verifier passes by itself. */
export type ImplicitArg = {
  readonly func: TypeId;
  readonly proto: TypeId;
  /** Name of the function, raw text. */
  readonly name: string;
  /** Number of the arguments that a program declares: all but the last one. */
  readonly declared: number;
  /** True if `.BTF_ids` lists the function as a kfunc; else the name and the argument tell it. */
  readonly isRegistered: boolean;
};

/** Structs to which an implicit argument points. Source: resolve_btfids, is_kf_implicit_arg. */
const IMPLICIT_STRUCTS: readonly string[] = ['bpf_prog_aux', 'btf_struct_meta'];

/** Kernel functions that take a `bpf_prog_aux` last, are named like kfuncs, and are none. */
const NO_KFUNCS: ReadonlySet<string> = new Set([
  'bpf_dev_bound_kfunc_check',
  'bpf_prog_get_assoc_struct_ops',
]);
/** Maximum bytes of a name: KSYM_NAME_LEN of include/linux/kallsyms.h. */
const MAX_NAME_BYTES = 512;
/** Maximum functions with such an argument that are looked at. A kernel has a hundred. */
const MAX_CANDIDATES = 4096;
/** Name of a kfunc by the convention of the kernel: `bpf_…`, `__bpf_…`, `scx_bpf_…`. */
const KFUNC_NAME = /^(?:\w*_)?bpf_/;
/** Hooks of security modules. Up to Linux 6.8, some take a `bpf_prog_aux`. */
const SECURITY_HOOK = /^(?:bpf_lsm|security|selinux|smack|apparmor|tomoyo)_/;

/**
 * Returns the kfuncs of the table, not of its base, that still have their implicit argument. Since
 * Linux 7.0, resolve_btfids removes the argument of each kfunc that has the tag `bpf_kfunc`, and
 * adds a FUNC `NAME_impl` that has it.
 */
export function implicitArgKfuncs(
  t: TypeTable,
  registered: ReadonlySet<string> | null = null,
): readonly ImplicitArg[] {
  if (hasImplicitArgs(t) === false) return [];
  const structs = structsNamed(t, IMPLICIT_STRUCTS);
  if (structs.size === 0) return [];
  const tagged = taggedKfuncs(t);
  const found: ImplicitArg[] = [];
  let candidates = 0;
  for (let n = t.firstId; n <= lastId(t) && candidates < MAX_CANDIDATES; n++) {
    const func = typeId(n);
    if (kindOf(t, func) !== BtfKind.FUNC || tagged.has(func)) continue;
    const proto = typeId(sizeOrTypeOf(t, func));
    const params = readParams(t, proto);
    const declared = params.count - 1;
    if (declared < 0 || !isPointerTo(t, params.type(declared), structs)) continue;
    candidates++;
    const name = nameOf(t, func, MAX_NAME_BYTES);
    if (name.endsWith(IMPL_SUFFIX)) continue;
    const isRegistered = registered?.has(name) === true;
    if (!isRegistered && (registered !== null || !looksLikeKfunc(t, name, params))) continue;
    if (findByNameKind(t, BtfKind.FUNC, `${name}${IMPL_SUFFIX}`) !== null) continue;
    found.push({ func, proto, name, declared, isRegistered });
  }
  return found;
}

/** Returns false if the enumerators of the kernel show that it is older than 7.0; null if unknown. */
function hasImplicitArgs(t: TypeTable): boolean | null {
  const attachTypes = findByNameKind(t, BtfKind.ENUM, 'bpf_attach_type');
  if (attachTypes === null) return null;
  return enumeratorsOf(t, attachTypes).some(({ name }) => name === 'BPF_TRACE_FSESSION');
}

/**
 * Returns true for the name of a kfunc. A lone argument that is not const is not implicit: such
 * functions free or set a part of the program.
 */
function looksLikeKfunc(t: TypeTable, name: string, params: ItemReader): boolean {
  if (!KFUNC_NAME.test(name) || SECURITY_HOOK.test(name) || NO_KFUNCS.has(name)) return false;
  return params.count > 1 || isPointerToConst(t, params.type(0));
}

function structsNamed(t: TypeTable, names: readonly string[]): ReadonlySet<TypeId> {
  const structs = new Set<TypeId>();
  for (const name of names) {
    const id = findByNameKind(t, BtfKind.STRUCT, name);
    if (id !== null) structs.add(id);
  }
  return structs;
}

function isPointerTo(t: TypeTable, type: TypeId, targets: ReadonlySet<TypeId>): boolean {
  const pointer = skipModifiers(t, type);
  if (kindOf(t, pointer) !== BtfKind.PTR) return false;
  return targets.has(skipModifiers(t, typeId(sizeOrTypeOf(t, pointer))));
}

function isPointerToConst(t: TypeTable, type: TypeId): boolean {
  const pointer = skipModifiers(t, type);
  return kindOf(t, typeId(sizeOrTypeOf(t, pointer))) === BtfKind.CONST;
}
