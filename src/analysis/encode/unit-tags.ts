/**
 * The entries of a unit that decide about its BTF, as pahole keeps them.
 *
 * Source: pahole 1.31, dwarves.h, `struct tag` and the structs that begin with it; dwarf_loader.c,
 * `struct dwarf_tag`.
 */
import { DW_TAG } from '#formats/dwarf/constants.ts';
import type { DwarfUnit } from '#formats/dwarf/reader.ts';

/** Offset of an entry; 0 for none, as no entry begins at 0. */
export type EntryOffset = number;

/** An entry. Names are ids of a `NameTable`; 0 is no name. */
export class Tag {
  /** DW_TAG. */
  readonly tag: number;
  readonly offset: EntryOffset;
  /** Id in the table of the unit that has the entry: types begin with 1. */
  id = 0;
  /** Entry of DW_AT_type. */
  typeRef: EntryOffset = 0;
  /** Id of the type in the unit; 0 is void. */
  type = 0;

  constructor(tag: number, offset: EntryOffset) {
    this.tag = tag;
    this.offset = offset;
  }
}

/** A type. `byteSize` is DW_AT_byte_size as stored; 0 if absent. */
export class TypeTag extends Tag {
  byteSize = 0;
}

export class BaseType extends TypeTag {
  name = 0;
  /** Size in bits, in 16 bits as in pahole. */
  bitSize = 0;
  /** DW_ATE. */
  encoding = 0;
}

/** A decl tag: its text, and the member or parameter that has it, or -1. */
export type Annotation = { readonly value: number; readonly component: number };

/** A typedef, struct, union, class or enumeration. */
export class NamedType extends TypeTag {
  name = 0;
  /** Entry of DW_AT_specification. */
  specification: EntryOffset = 0;
  isDeclaration = false;
  annotations: Annotation[] = NO_ANNOTATIONS;
}

const NO_ANNOTATIONS: Annotation[] = [];

/** Adds an annotation to a tag that has a list of them. */
export function annotate(tag: { annotations: Annotation[] }, added: Annotation): void {
  if (tag.annotations === NO_ANNOTATIONS) tag.annotations = [added];
  else tag.annotations.push(added);
}

/** A struct, class or union. */
export class Composite extends NamedType {
  /** Members and bases in the order of the file. */
  members: Member[] = [];
  /** Results of `PackedTypes`. */
  naturalAlignment = 0;
  isPacked = false;
  isInferred = false;
  holes: Holes | null = null;
}

/** Bytes that no member of a struct covers, in the sizes of pahole's fields. */
export type Holes = { readonly count: number; readonly padding: number };

export class Enumeration extends NamedType {
  /** Size in bits. */
  bitSize = 0;
  isSigned = false;
  readonly names: number[] = [];
  readonly values: bigint[] = [];
}

export class ArrayType extends TypeTag {
  /** Number of elements of each dimension, in 32 bits. */
  readonly dimensions: number[] = [];
}

/** A pointer. `tags` are its type tags; the first wraps all others. */
export class PointerType extends TypeTag {
  tags: TypeAnnotation[] | null = null;
}

/** A type tag. pahole gives each a type id of its own. */
export class TypeAnnotation extends TypeTag {
  readonly value: number;

  constructor(offset: EntryOffset, value: number) {
    super(DW_TAG.LLVM_annotation, offset);
    this.value = value;
  }
}

/** A member or a base class. Sizes and offsets are in the widths of pahole's fields. */
export class Member extends Tag {
  name = 0;
  isStatic = false;
  /** True if the file has DW_AT_data_bit_offset. */
  hasBitOffset = false;
  byteSize = 0;
  byteOffset = 0;
  bitOffset = 0;
  bitSize = 0;
  bitfieldSize = 0;
  bitfieldOffset = 0;
  /** DW_AT_virtuality. */
  virtuality = 0;
}

/** Where a location is stored: an expression in the section of the unit, or a list by its offset. */
export type LocationPlace = {
  readonly unit: DwarfUnit;
  /** DW_FORM. */
  readonly form: number;
  readonly isBlock: boolean;
  /** Offset of the expression; of a list as stored, or its index. */
  readonly at: number;
  /** Size of the expression in bytes. */
  readonly value: number;
};

/** Value of `Parameter.register` if no location names a register. */
export const UNKNOWN_REGISTER = -1;

export class Parameter extends Tag {
  name = 0;
  origin: EntryOffset = 0;
  /** Index among the parameters of its function; -1 for one of a function type. */
  index = -1;
  /** Size of the type in bytes. */
  typeSize = 0;
  isInMemory = false;
  hasConstValue = false;
  hasLocation = false;
  location: LocationPlace | null = null;
  /** Decoded location: see `ParameterLocations`. */
  register = UNKNOWN_REGISTER;
  isConstLocation = false;
  isOnStack = false;
  /** Offsets in bytes of the fields in the first and in the second register, as bits. */
  firstFields = 0;
  secondFields = 0;
  /** The only member that is still passed: name and entry of its type. */
  memberName = 0;
  memberTypeRef: EntryOffset = 0;
  isOptimized = false;
  isUnexpected = false;
}

/** A function or a function type. */
export class FunctionTag extends TypeTag {
  name = 0;
  origin: EntryOffset = 0;
  specification: EntryOffset = 0;
  address = 0n;
  isDeclaration = false;
  isExternal = false;
  isInlined = false;
  isNoCall = false;
  parameters: Parameter[] = [];
  isVariadic = false;
  annotations: Annotation[] = NO_ANNOTATIONS;
  /** Abstract functions whose calls are inlined; only of units that are read as one. */
  inlined: EntryOffset[] | null = null;
  /** Results of the analysis of parameters. */
  isSignatureChanged = false;
  hasOptimized = false;
  hasUnexpected = false;
  isReordered = false;
  isUncertain = false;
}

/** Where a variable is, by the first operation of its location. */
export type VariableScope = 'unknown' | 'optimized' | 'global' | 'register' | 'local';

export class VariableTag extends Tag {
  name = 0;
  specification: EntryOffset = 0;
  isExternal = false;
  isDeclaration = false;
  isArtificial = false;
  isTopLevel = false;
  scope: VariableScope = 'unknown';
  address = 0n;
  annotations: Annotation[] = NO_ANNOTATIONS;
}

/** A unit, or all units of a file that are read as one. */
export class Unit {
  readonly name: string;
  readonly language: number;
  readonly isClang: boolean;
  readonly addressSize: number;
  /** Types by id. Entry 0 is void. */
  readonly types: (TypeTag | null)[] = [null];
  readonly functions: FunctionTag[] = [];
  readonly variables: VariableTag[] = [];
  /** Types, and other entries, by their offset. */
  readonly typeAt = new Map<EntryOffset, TypeTag>();
  readonly tagAt = new Map<EntryOffset, Tag>();

  constructor(facts: {
    readonly name: string;
    readonly language: number;
    readonly isClang: boolean;
    readonly addressSize: number;
  }) {
    this.name = facts.name;
    this.language = facts.language;
    this.isClang = facts.isClang;
    this.addressSize = facts.addressSize;
  }

  /** Gives a type the next id, and makes it known by its offset. */
  addType(type: TypeTag): void {
    type.id = this.types.length;
    this.types.push(type);
    this.typeAt.set(type.offset, type);
  }
}

const STRUCT_TAGS: ReadonlySet<number> = new Set([
  DW_TAG.structure_type,
  DW_TAG.class_type,
  DW_TAG.interface_type,
]);

/** Returns true for a struct, class or interface. */
export function isStruct(tag: Tag | null | undefined): tag is Composite {
  return tag instanceof Composite && STRUCT_TAGS.has(tag.tag);
}

const MODIFIERS: ReadonlySet<number> = new Set([
  DW_TAG.const_type,
  DW_TAG.volatile_type,
  DW_TAG.restrict_type,
  DW_TAG.atomic_type,
]);

/**
 * Returns the type below typedefs and modifiers; null for void and for types that lead to
 * themselves. Source: dwarves.c, `tag__strip_typedefs_and_modifiers`.
 */
export function strippedType(unit: Unit, id: number): TypeTag | null {
  let type = unit.types[id] ?? null;
  for (let steps = unit.types.length; steps > 0; steps--) {
    if (type === null || (type.tag !== DW_TAG.typedef && !MODIFIERS.has(type.tag))) return type;
    type = unit.types[type.type] ?? null;
  }
  return null;
}
