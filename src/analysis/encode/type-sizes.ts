/**
 * Sizes of types, and places of members.
 *
 * Source: pahole 1.31, dwarves.c, `tag__size`, `base_type__name_to_size`; dwarf_loader.c,
 * `class_member__cache_byte_size`, `type__sort_by_offset`.
 */
import { DW_LANG, DW_TAG } from '#formats/dwarf/constants.ts';
import type { NameTable } from './name-table.ts';
import {
  ArrayType,
  BaseType,
  Composite,
  Enumeration,
  FunctionTag,
  MAX_CHAIN,
  type Member,
  NamedType,
  strippedType,
  type TypeTag,
  type Unit,
} from './unit-tags.ts';

/** Size in bits of integers that the file gives none, by name; 0 for the size of an address. */
const NAMED_SIZES: ReadonlyMap<string, number> = new Map([
  ...['unsigned', 'signed int', 'unsigned int', 'int', 'single float', 'float'].map(
    (name) => [name, 32] as const,
  ),
  ...['short unsigned int', 'signed short', 'unsigned short', 'short int', 'short'].map(
    (name) => [name, 16] as const,
  ),
  ...['char', 'signed char', 'unsigned char', 'bool', '_Bool'].map((name) => [name, 8] as const),
  ...['signed long', 'long int', 'long', 'unsigned long', 'long unsigned int'].map(
    (name) => [name, 0] as const,
  ),
  ...[
    'long long unsigned int',
    'long long int',
    'long long',
    'signed long long',
    'unsigned long long',
    'double',
    'double double',
  ].map((name) => [name, 64] as const),
  ...[
    'long double',
    'long double long double',
    '__int128',
    'unsigned __int128',
    '__int128 unsigned',
    '_Float128',
  ].map((name) => [name, 128] as const),
]);

/** Returns the size of a type in bytes; 0 for void; null for a chain that is too long. */
export function typeSize(unit: Unit, id: number): number | null {
  let factor = 1;
  let type = unit.types[id] ?? null;
  for (let steps = MAX_CHAIN; steps > 0; steps--) {
    if (type === null) return 0;
    const size = ownSize(unit, type);
    if (size !== null) return factor * size;
    if (type instanceof ArrayType) factor *= type.dimensions.reduce((n, each) => n * each, 1);
    type = unit.types[type.type] ?? null;
  }
  return null;
}

/** Returns the size that a type has without the type to which it refers; null if there is none. */
function ownSize(unit: Unit, type: TypeTag): number | null {
  switch (type.tag) {
    case DW_TAG.pointer_type:
    case DW_TAG.reference_type:
      return unit.addressSize;
    case DW_TAG.string_type:
      return type.byteSize;
    default:
      if (type instanceof BaseType) return type.bitSize >>> 3;
      if (type instanceof Enumeration) return type.bitSize >>> 3;
      if (type instanceof FunctionTag) return type.byteSize || unit.addressSize;
      if (type instanceof Composite) {
        const isEmpty = type.byteSize === 1 && !type.members.some(({ isStatic }) => !isStatic);
        return isEmpty ? 0 : type.byteSize;
      }
      if (type.type !== 0) return null;
      return type instanceof NamedType ? type.byteSize : 0;
  }
}

/** Works out the places of all bit-fields; other members are where the file says. */
export function placeMembers(unit: Unit, names: NameTable, isLittleEndian: boolean): void {
  for (const type of unit.types) {
    if (!(type instanceof Composite)) continue;
    for (const member of type.members) {
      if (member.bitfieldSize !== 0 && !member.isStatic && member.tag === DW_TAG.member) {
        placeField(unit, names, member, isLittleEndian);
      }
    }
    if (unit.language === DW_LANG.Rust) type.members.sort((a, b) => a.byteOffset - b.byteOffset);
  }
}

/** Returns the size of a member that is no bit-field, or of a base class, in bytes. */
export function memberSize(unit: Unit, { tag, byteSize, type }: Member): number {
  return tag === DW_TAG.inheritance || byteSize === 0 ? (typeSize(unit, type) ?? 0) : byteSize;
}

/** Works out the place of a bit-field, in the widths of pahole's fields. */
function placeField(unit: Unit, names: NameTable, member: Member, isLittleEndian: boolean): void {
  if (member.byteSize === 0) member.byteSize = fieldSize(unit, names, member);
  member.bitSize = (member.byteSize * 8) >>> 0;
  if (member.byteSize === 0) {
    member.bitfieldOffset = 0;
    return;
  }
  if (member.hasBitOffset) {
    member.byteOffset = member.bitOffset >>> 3;
    member.bitfieldOffset = i8(member.bitOffset - member.byteOffset * 8);
  } else {
    // Before DWARF 4 the offset is that of the highest bit, from the highest bit of the type.
    if (isLittleEndian) {
      member.bitfieldOffset = i8(member.bitSize - member.bitfieldOffset - member.bitfieldSize);
    }
    member.bitOffset = (member.byteOffset * 8 + member.bitfieldOffset) >>> 0;
  }
  if (member.bitfieldOffset < 0) {
    member.bitfieldOffset = i8(member.bitfieldOffset + member.bitSize);
    member.byteOffset = (member.byteOffset - member.byteSize) >>> 0;
    member.bitOffset = (member.byteOffset * 8 + member.bitfieldOffset) >>> 0;
  }
  const within = (member.byteOffset % member.byteSize) * 8;
  member.bitfieldOffset = i8(member.bitfieldOffset + within);
  if (member.bitSize === 0) return;
  const storage = Math.floor(member.bitOffset / member.bitSize);
  member.byteOffset = ((storage * member.bitSize) >>> 0) >>> 3;
  if (member.bitfieldOffset >= member.bitSize) {
    member.bitfieldOffset = i8(member.bitfieldOffset - member.bitSize);
    member.byteOffset = (member.byteOffset + member.byteSize) >>> 0;
  }
}

/** Returns the size in bytes of the type in which a bit-field is. */
function fieldSize(unit: Unit, names: NameTable, member: Member): number {
  const type = strippedType(unit, member.type);
  if (type === null) return 0;
  const size = typeSize(unit, type.id) ?? 0;
  if (size !== 0) return size;
  let bits = 0;
  if (type instanceof Enumeration) bits = type.bitSize;
  else if (type instanceof BaseType) bits = type.bitSize || namedBits(unit, names, type);
  return ((bits + 7) >>> 3) * 8;
}

function namedBits(unit: Unit, names: NameTable, type: BaseType): number {
  const name = names.text(type.name);
  const bits = NAMED_SIZES.get(name) ?? NAMED_SIZES.get(name.replace(/^signed /, ''));
  return bits === undefined ? 0 : bits || unit.addressSize * 8;
}

/** Returns a number as a signed one of 8 bits. */
function i8(value: number): number {
  return (value << 24) >> 24;
}
