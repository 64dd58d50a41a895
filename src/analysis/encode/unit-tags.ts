/**
 * The entries of a unit that decide about its BTF, as pahole keeps them.
 *
 * Fields are assigned in constructors: fields with initial values take three times as long to make,
 * and a kernel has some ten million entries.
 *
 * Source: pahole 1.31, dwarves.h, `struct tag` and the structs that begin with it; dwarf_loader.c,
 * `struct dwarf_tag`.
 */
import { DW_ATE, DW_TAG } from '#formats/dwarf/constants.ts';
import type { DwarfUnit } from '#formats/dwarf/reader.ts';

/** Offset of an entry; 0 for none, as no entry begins at 0. */
export type EntryOffset = number;

/** An entry. Names are ids of a `NameTable`; 0 is no name. */
export class Tag {
  /** DW_TAG. */
  declare readonly tag: number;
  declare readonly offset: EntryOffset;
  /** Id in the table of the unit that has the entry: types begin with 1. */
  declare id: number;
  /** Entry of DW_AT_type. */
  declare typeRef: EntryOffset;
  /** Id of the type in the unit; 0 is void. */
  declare type: number;

  constructor(tag: number, offset: EntryOffset) {
    this.tag = tag;
    this.offset = offset;
    this.id = 0;
    this.typeRef = 0;
    this.type = 0;
  }
}

/** A type. `byteSize` is DW_AT_byte_size as stored; 0 if absent. */
export class TypeTag extends Tag {
  declare byteSize: number;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.byteSize = 0;
  }
}

export class BaseType extends TypeTag {
  declare name: number;
  /** Size in bits, in 16 bits as in pahole. */
  declare bitSize: number;
  /** DW_ATE. */
  declare encoding: number;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.name = 0;
    this.bitSize = 0;
    this.encoding = 0;
  }
}

/** A decl tag: its text, and the member or parameter that has it, or -1. */
export type Annotation = { readonly value: number; readonly component: number };

/** A typedef, struct, union, class or enumeration. */
export class NamedType extends TypeTag {
  declare name: number;
  /** Entry of DW_AT_specification. */
  declare specification: EntryOffset;
  declare isDeclaration: boolean;
  declare annotations: Annotation[];

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.name = 0;
    this.specification = 0;
    this.isDeclaration = false;
    this.annotations = NO_ANNOTATIONS;
  }
}

const NO_ANNOTATIONS: Annotation[] = [];

/** Adds an annotation to a tag that has a list of them. */
export function annotate(tag: { annotations: Annotation[] }, added: Annotation): void {
  if (tag.annotations === NO_ANNOTATIONS) tag.annotations = [added];
  else tag.annotations.push(added);
}

/** A type that is declared in a struct, after `members` members of it. */
export type DeclaredInside = {
  readonly type: Composite | Enumeration;
  readonly members: number;
};

const NONE_INSIDE: DeclaredInside[] = [];

/** Adds a type that is declared in `composite` after the members so far. */
export function declareInside(composite: Composite, type: Composite | Enumeration): void {
  const declared = { type, members: composite.members.length };
  if (composite.declared === NONE_INSIDE) composite.declared = [declared];
  else composite.declared.push(declared);
}

/** A struct, class or union. */
export class Composite extends NamedType {
  /** Members and bases in the order of the file. */
  declare members: Member[];
  /** Types that are declared inside, in the order of the file. */
  declare declared: DeclaredInside[];
  /** True for a type of the unit itself, not of a struct or function. */
  declare isTopLevel: boolean;
  /** DW_AT_alignment in bytes; 0 if absent. */
  declare alignment: number;
  /** Results of `PackedTypes`. */
  declare naturalAlignment: number;
  declare isPacked: boolean;
  declare isInferred: boolean;
  declare holes: Holes | null;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.members = [];
    this.declared = NONE_INSIDE;
    this.isTopLevel = false;
    this.alignment = 0;
    this.naturalAlignment = 0;
    this.isPacked = false;
    this.isInferred = false;
    this.holes = null;
  }
}

/** Bytes that no member of a struct covers, in the sizes of pahole's fields. */
export type Holes = { readonly count: number; readonly padding: number };

export class Enumeration extends NamedType {
  /** Size in bits. */
  declare bitSize: number;
  declare isSigned: boolean;
  declare readonly names: number[];
  declare readonly values: (number | bigint)[];

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.bitSize = 0;
    this.isSigned = false;
    this.names = [];
    this.values = [];
  }
}

export class ArrayType extends TypeTag {
  /** Number of elements of each dimension, in 32 bits. */
  declare readonly dimensions: number[];
  /** True with DW_AT_GNU_vector. */
  declare isVector: boolean;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.dimensions = [];
    this.isVector = false;
  }
}

/** A pointer. `tags` are its type tags; the first wraps all others. */
export class PointerType extends TypeTag {
  declare tags: TypeAnnotation[] | null;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.tags = null;
  }
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
  declare name: number;
  declare isStatic: boolean;
  /** True if the file has DW_AT_data_bit_offset. */
  declare hasBitOffset: boolean;
  declare byteSize: number;
  declare byteOffset: number;
  declare bitOffset: number;
  declare bitSize: number;
  declare bitfieldSize: number;
  declare bitfieldOffset: number;
  /** DW_AT_virtuality. */
  declare virtuality: number;
  /** DW_AT_alignment in bytes; 0 if absent. */
  declare alignment: number;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.name = 0;
    this.isStatic = false;
    this.hasBitOffset = false;
    this.byteSize = 0;
    this.byteOffset = 0;
    this.bitOffset = 0;
    this.bitSize = 0;
    this.bitfieldSize = 0;
    this.bitfieldOffset = 0;
    this.virtuality = 0;
    this.alignment = 0;
  }
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
  declare name: number;
  declare origin: EntryOffset;
  /** Index among the parameters of its function; -1 for one of a function type. */
  declare index: number;
  /** Size of the type in bytes. */
  declare typeSize: number;
  declare isInMemory: boolean;
  declare hasConstValue: boolean;
  declare hasLocation: boolean;
  declare location: LocationPlace | null;
  /** Decoded location: see `ParameterLocations`. */
  declare register: number;
  declare isConstLocation: boolean;
  declare isOnStack: boolean;
  /** Offsets in bytes of the fields in the first and in the second register, as bits. */
  declare firstFields: number;
  declare secondFields: number;
  /** The only member that is still passed: name and entry of its type. */
  declare memberName: number;
  declare memberTypeRef: EntryOffset;
  declare isOptimized: boolean;
  declare isUnexpected: boolean;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.name = 0;
    this.origin = 0;
    this.index = -1;
    this.typeSize = 0;
    this.isInMemory = false;
    this.hasConstValue = false;
    this.hasLocation = false;
    this.location = null;
    this.register = UNKNOWN_REGISTER;
    this.isConstLocation = false;
    this.isOnStack = false;
    this.firstFields = 0;
    this.secondFields = 0;
    this.memberName = 0;
    this.memberTypeRef = 0;
    this.isOptimized = false;
    this.isUnexpected = false;
  }
}

/** A function or a function type. */
export class FunctionTag extends TypeTag {
  declare name: number;
  declare origin: EntryOffset;
  declare specification: EntryOffset;
  declare address: bigint;
  declare isDeclaration: boolean;
  declare isInlined: boolean;
  declare isNoCall: boolean;
  declare parameters: Parameter[];
  declare isVariadic: boolean;
  declare annotations: Annotation[];
  /** Abstract functions whose calls are inlined; only of units that are read as one. */
  declare inlined: EntryOffset[] | null;
  /** Results of the analysis of parameters. */
  declare isSignatureChanged: boolean;
  declare hasOptimized: boolean;
  declare hasUnexpected: boolean;
  declare isReordered: boolean;
  declare isUncertain: boolean;

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.name = 0;
    this.origin = 0;
    this.specification = 0;
    this.address = 0n;
    this.isDeclaration = false;
    this.isInlined = false;
    this.isNoCall = false;
    this.parameters = [];
    this.isVariadic = false;
    this.annotations = NO_ANNOTATIONS;
    this.inlined = null;
    this.isSignatureChanged = false;
    this.hasOptimized = false;
    this.hasUnexpected = false;
    this.isReordered = false;
    this.isUncertain = false;
  }
}

/** Where a variable is, by the first operation of its location. */
export type VariableScope = 'unknown' | 'optimized' | 'global' | 'register' | 'local';

export class VariableTag extends Tag {
  declare name: number;
  declare specification: EntryOffset;
  declare isExternal: boolean;
  declare isDeclaration: boolean;
  declare isArtificial: boolean;
  declare isTopLevel: boolean;
  declare scope: VariableScope;
  declare address: bigint;
  declare annotations: Annotation[];

  constructor(tag: number, offset: EntryOffset) {
    super(tag, offset);
    this.name = 0;
    this.specification = 0;
    this.isExternal = false;
    this.isDeclaration = false;
    this.isArtificial = false;
    this.isTopLevel = false;
    this.scope = 'unknown';
    this.address = 0n;
    this.annotations = NO_ANNOTATIONS;
  }
}

/** Largest range of offsets that has four bytes for each offset. */
const MAX_INDEXED = 64 << 20;

/** Numbers by the offset of an entry. */
class EntryIndex {
  readonly #start: EntryOffset;
  readonly #dense: Uint32Array | null;
  readonly #sparse = new Map<EntryOffset, number>();

  constructor(start: EntryOffset, end: EntryOffset) {
    this.#start = start;
    this.#dense = end - start <= MAX_INDEXED ? new Uint32Array(end - start) : null;
  }

  set(offset: EntryOffset, value: number): void {
    if (this.#dense === null) this.#sparse.set(offset, value);
    else this.#dense[offset - this.#start] = value;
  }

  /** Returns the number at an offset; 0 if there is none. */
  at(offset: EntryOffset): number {
    if (this.#dense !== null) return this.#dense[offset - this.#start] ?? 0;
    return this.#sparse.get(offset) ?? 0;
  }
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
  /** Ids of types by the offset of their entry. */
  readonly #typeIds: EntryIndex;
  /** Functions, parameters and variables by the offset of their entry. */
  readonly tagAt = new Map<EntryOffset, Tag>();

  constructor(facts: {
    readonly name: string;
    readonly language: number;
    readonly isClang: boolean;
    readonly addressSize: number;
    /** Offsets of the entries: from `start` to `end`. */
    readonly start: EntryOffset;
    readonly end: EntryOffset;
  }) {
    this.name = facts.name;
    this.language = facts.language;
    this.isClang = facts.isClang;
    this.addressSize = facts.addressSize;
    this.#typeIds = new EntryIndex(facts.start, facts.end);
  }

  /** Gives a type the next id, and makes it known by its offset. */
  addType(type: TypeTag): void {
    type.id = this.types.length;
    this.types.push(type);
    this.#typeIds.set(type.offset, type.id);
  }

  /** Returns the id of the type at an offset; 0 for none, and for a type that BTF lacks. */
  typeId(offset: EntryOffset): number {
    return this.#typeIds.at(offset);
  }

  /** Returns the type at an offset; undefined if there is none. */
  typeAt(offset: EntryOffset): TypeTag | undefined {
    return this.types[this.#typeIds.at(offset)] ?? undefined;
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

/** Returns true for a signed integer: the type that an enumeration names. */
export function isSignedType(type: TypeTag | undefined): boolean {
  if (!(type instanceof BaseType)) return false;
  return type.encoding === DW_ATE.signed || type.encoding === DW_ATE.signed_char;
}

const MODIFIERS: ReadonlySet<number> = new Set([
  DW_TAG.const_type,
  DW_TAG.volatile_type,
  DW_TAG.restrict_type,
  DW_TAG.atomic_type,
]);

/** Most types that are followed from one to the next: a type of a damaged file may lead to itself. */
export const MAX_CHAIN = 1024;

/**
 * Returns the type below typedefs and modifiers; null for void and for a chain that is too long.
 * Source: dwarves.c, `tag__strip_typedefs_and_modifiers`.
 */
export function strippedType(unit: Unit, id: number): TypeTag | null {
  let type = unit.types[id] ?? null;
  for (let steps = MAX_CHAIN; steps > 0; steps--) {
    if (type === null || (type.tag !== DW_TAG.typedef && !MODIFIERS.has(type.tag))) return type;
    type = unit.types[type.type] ?? null;
  }
  return null;
}
