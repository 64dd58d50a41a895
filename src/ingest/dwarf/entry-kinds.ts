/** Kinds of BTF by the tags of DWARF, and groups of languages. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_LANG, DW_TAG } from '#formats/dwarf/constants.ts';
import { languageName } from '#formats/dwarf/language-names.ts';
import { ALIAS } from './type-records.ts';

/** Kinds of entries that refer to one type and add nothing else that BTF tells. */
export const MODIFIERS: ReadonlyMap<number, number> = new Map([
  [DW_TAG.pointer_type, BtfKind.PTR],
  [DW_TAG.reference_type, BtfKind.PTR],
  [DW_TAG.rvalue_reference_type, BtfKind.PTR],
  [DW_TAG.ptr_to_member_type, BtfKind.PTR],
  [DW_TAG.const_type, BtfKind.CONST],
  [DW_TAG.immutable_type, BtfKind.CONST],
  [DW_TAG.volatile_type, BtfKind.VOLATILE],
  [DW_TAG.restrict_type, BtfKind.RESTRICT],
  [DW_TAG.atomic_type, ALIAS],
  [DW_TAG.packed_type, ALIAS],
  [DW_TAG.shared_type, ALIAS],
  [DW_TAG.LLVM_ptrauth_type, ALIAS],
  [DW_TAG.unspecified_type, ALIAS],
  [DW_TAG.subrange_type, ALIAS],
]);

export const COMPOSITES: ReadonlyMap<number, number> = new Map([
  [DW_TAG.structure_type, BtfKind.STRUCT],
  [DW_TAG.class_type, BtfKind.STRUCT],
  [DW_TAG.interface_type, BtfKind.STRUCT],
  [DW_TAG.union_type, BtfKind.UNION],
]);

const OTHER_TYPES: ReadonlySet<number> = new Set([
  DW_TAG.base_type,
  DW_TAG.enumeration_type,
  DW_TAG.array_type,
  DW_TAG.typedef,
  DW_TAG.template_alias,
  DW_TAG.subroutine_type,
  DW_TAG.string_type,
  DW_TAG.set_type,
]);

export const TYPE_TAGS: ReadonlySet<number> = new Set([
  ...MODIFIERS.keys(),
  ...COMPOSITES.keys(),
  ...OTHER_TYPES,
]);

/** Entries whose name is part of the names of the types inside of them. */
export const SCOPES: ReadonlySet<number> = new Set([
  DW_TAG.namespace,
  DW_TAG.module,
  DW_TAG.structure_type,
  DW_TAG.class_type,
  DW_TAG.interface_type,
  DW_TAG.union_type,
  DW_TAG.enumeration_type,
]);

/** Versions of C. */
export const C_LANGUAGES: ReadonlySet<number> = new Set([
  DW_LANG.C89,
  DW_LANG.C,
  DW_LANG.C99,
  DW_LANG.C11,
  DW_LANG.C17,
  DW_LANG.C23,
]);

/** True for languages whose names are in scopes. Zig writes all of a name: `main.Point`. */
export function hasScopes(language: number): boolean {
  return !C_LANGUAGES.has(language) && language !== DW_LANG.Zig;
}

/** True for versions of C++. */
export function isCpp(language: number): boolean {
  return languageName(language) === 'C++';
}
