/**
 * Decodes bytes by type, in either byte order, into a tree of values, which are computed on access.
 * Never throws: a value past the end is `truncated`, a value of a type without a size is `none`. A
 * struct that contains itself is an infinite tree: the caller limits the depth. Source: "BTF Type
 * Format", sections 2.2.1 to 2.2.19; both encodings of bit-fields.
 */
import type { RelocationTarget } from '#analysis/objects/relocation-target.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { getOrCreate, memoized } from '#bytes/cache.ts';
import type { Endian } from '#bytes/span.ts';
import { BtfKind, IntEncoding } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { enumeratorsOf, memberAt, varSecinfosOf } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  refOf,
  sizeOrTypeOf,
  skipModifiers,
  stringAt,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { bitsAt, floatOf, hasBits, type ValueBytes } from './bits.ts';

/** Target of a pointer, which the pointer's relocation determines. */
export type PointerTarget = RelocationTarget & {
  /** Number of bytes from the start of the variable or function `name` to the target. */
  readonly delta: bigint;
  /** String at the target if the target is in a section of strings, else null. */
  readonly text: Uint8Array | null;
};

export type DecodeOptions = {
  /** Byte order of the value. Default: the byte order of the types. */
  readonly endian?: Endian;
  /** Length of the value in bytes; bytes that are missing are 0. Default: the length of `bytes`. */
  readonly byteLength?: number;
  /** Relocations of the pointers in the value. Default: none. */
  readonly pointers?: Pointers;
};

/** Relocations of the pointers in a value. Offsets are bytes from the start of the value. */
export type Pointers = {
  readonly at: (byteOffset: number) => PointerTarget | null;
  /** Returns true if a relocation is at an offset from `start` to `end` (exclusive). */
  readonly areIn: (start: number, end: number) => boolean;
};

const NO_POINTERS: Pointers = { at: () => null, areIn: () => false };

type Scope = ValueBytes & {
  readonly types: TypeTable;
  readonly pointers: Pointers;
  /** End of the root value in bits, as its type states. A flexible array may extend beyond it. */
  readonly rootEnd: number;
};

export type ValueContent =
  | { readonly kind: 'int' | 'char' | 'bool'; readonly value: bigint }
  /** `names` is empty if no enumerator has the value; flags have a name per set bit. */
  | { readonly kind: 'enum'; readonly value: bigint; readonly names: readonly string[] }
  /** `number` is null if JavaScript numbers cannot represent the format of the value. */
  | { readonly kind: 'float'; readonly value: bigint; readonly number: number | null }
  | { readonly kind: 'pointer'; readonly value: bigint; readonly target: PointerTarget | null }
  /** An array of `char`. It also has parts. `bytes` are the available bytes before final NULs. */
  | { readonly kind: 'string'; readonly bytes: Uint8Array; readonly isCut: boolean }
  | { readonly kind: 'array' | 'struct' | 'union' | 'section' }
  /** Not enough bytes for the value. */
  | { readonly kind: 'truncated' }
  /** The type has no value: void, a function, a forward declaration, or a nonexistent type. */
  | { readonly kind: 'none' };

export type Value = {
  readonly scope: Scope;
  /** Name of a member or variable, raw text; empty for elements, anonymous members, the root. */
  readonly name: string;
  /** Type of the value, with typedefs and qualifiers. */
  readonly type: TypeId;
  /** Type of the value without typedefs and qualifiers. */
  readonly bare: TypeId;
  /** Offset from the start of the bytes, in bits. A bit-field has the offset of its first bit. */
  readonly bitOffset: number;
  readonly bitSize: number;
  /** True for a bit-field, and for an integer that does not fill whole bytes. */
  readonly isBitfield: boolean;
  readonly content: ValueContent;
  /** Number of parts: members, array elements, or variables of a DATASEC. */
  readonly partCount: number;
};

/**
 * Returns the value of type `id` at `bitOffset` of `bytes`. A VAR gives a value of its type. A
 * DATASEC gives all of its variables at their stored offsets.
 */
export function decodeValue(
  t: TypeTable,
  id: TypeId,
  bytes: Uint8Array,
  bitOffset = 0,
  options: DecodeOptions = {},
): Value {
  const type = kindOf(t, id) === BtfKind.VAR ? (refOf(t, id) ?? VOID) : id;
  const scope: Scope = {
    types: t,
    bytes,
    byteLength: options.byteLength ?? bytes.length,
    endian: options.endian ?? t.endian,
    pointers: options.pointers ?? NO_POINTERS,
    rootEnd: bitOffset + bitsOf(t, type),
  };
  return readValue({ scope, name: '', type, bitOffset, bitfieldSize: 0, flexible: null });
}

/** Returns part `index` of a struct, union, array or section, or null if there is no such part. */
export function partAt(value: Value, index: number): Value | null {
  if (!Number.isInteger(index) || index < 0 || index >= value.partCount) return null;
  const { scope, bare, bitOffset } = value;
  const t = scope.types;
  switch (kindOf(t, bare)) {
    case BtfKind.ARRAY: {
      const type = arrayData(t, bare).elemType;
      const at = bitOffset + index * bitsOf(t, type);
      return readValue({ scope, name: '', type, bitOffset: at, bitfieldSize: 0, flexible: null });
    }
    case BtfKind.DATASEC: {
      // Cache all items of the section, since reading one item reads all items.
      const item = getOrCreate(sectionItems(t), bare, () => varSecinfosOf(t, bare))[index];
      if (item === undefined) return null;
      const type = refOf(t, item.type) ?? VOID;
      const at = bitOffset + 8 * item.offset;
      const name = nameOf(t, item.type);
      return readValue({ scope, name, type, bitOffset: at, bitfieldSize: 0, flexible: null });
    }
    default:
      return memberValue(value, index);
  }
}

function memberValue({ scope, bare, bitOffset, bitSize }: Value, index: number): Value | null {
  const member = memberAt(scope.types, bare, index);
  if (member === null) return null;
  const at = bitOffset + member.bitOffset;
  const isLast = index === vlenOf(scope.types, bare) - 1;
  // An array without a length at the end has elements only if the variable is longer than its type:
  // padding of the type is not an element.
  const isLonger = 8 * scope.byteLength > scope.rootEnd;
  const isAtEnd = isLast && isLonger && bitOffset + bitSize === scope.rootEnd;
  return readValue({
    scope,
    name: member.name,
    type: member.type,
    bitOffset: at,
    bitfieldSize: member.bitfieldSize,
    flexible: isAtEnd ? 8 * scope.byteLength - at : null,
  });
}

const sectionItems = memoized(
  (_: TypeTable) => new Map<TypeId, ReturnType<typeof varSecinfosOf>>(),
);

/** Returns the size of a type in bits, or 0. Cached: arrays of arrays read it for each element. */
function bitsOf(t: TypeTable, id: TypeId): number {
  return getOrCreate(knownBits(t), id, () => 8 * Number(sizeOf(t, id) ?? 0n));
}

const knownBits = memoized((_: TypeTable) => new Map<TypeId, number>());

type Place = Pick<Value, 'scope' | 'name' | 'type' | 'bitOffset'> & {
  readonly bitfieldSize: number;
  /** Remaining bits if the value is an array without a length at the end; null for other values. */
  readonly flexible: number | null;
};

function readValue(place: Place): Value {
  const { scope, name, type } = place;
  const bare = skipModifiers(scope.types, type);
  const { bitOffset, bitSize, isBitfield, content, partCount } = contentOf(place, bare);
  return { scope, name, type, bare, bitOffset, bitSize, isBitfield, content, partCount };
}

type Content = Pick<Value, 'bitOffset' | 'bitSize' | 'isBitfield' | 'content' | 'partCount'>;

function contentOf(place: Place, bare: TypeId): Content {
  const t = place.scope.types;
  const kind = kindOf(t, bare);
  switch (kind) {
    case BtfKind.INT:
      return integer(place, bare);
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return enumeration(place, bare);
    case BtfKind.PTR:
    case BtfKind.FLOAT: {
      const bitSize = bitsOf(t, bare);
      return wholeContent(place, bitSize, word(place, kind, bitSize));
    }
    case BtfKind.ARRAY: {
      const count = elementCount(place, bare);
      const bitSize = count * bitsOf(t, arrayData(t, bare).elemType);
      return wholeContent(place, bitSize, elements(place, bare, count), count);
    }
    case BtfKind.STRUCT:
    case BtfKind.UNION:
    case BtfKind.DATASEC: {
      const content = { kind: COMPOSITE.get(kind) ?? 'struct' };
      return wholeContent(place, bitsOf(t, bare), content, vlenOf(t, bare));
    }
    default:
      return wholeContent(place, 0, { kind: 'none' });
  }
}

/** Returns the content of a value that is not a bit-field, at the offset of `place`. */
function wholeContent(
  { bitOffset }: Place,
  bitSize: number,
  content: ValueContent,
  partCount = 0,
): Content {
  return { bitOffset, bitSize, isBitfield: false, content, partCount };
}

const COMPOSITE: ReadonlyMap<number, 'struct' | 'union' | 'section'> = new Map([
  [BtfKind.STRUCT, 'struct'],
  [BtfKind.UNION, 'union'],
  [BtfKind.DATASEC, 'section'],
]);

function integer({ scope, bitOffset, bitfieldSize }: Place, id: TypeId): Content {
  const t = scope.types;
  const { encoding, bits, bitOffset: inner } = intData(t, id);
  // With kind_flag the member states the width. Without kind_flag the INT states width and offset.
  const at = bitfieldSize > 0 ? bitOffset : bitOffset + inner;
  const bitSize = bitfieldSize > 0 ? bitfieldSize : bits;
  const isBitfield = bitfieldSize > 0 || at % 8 !== 0 || bitSize % 8 !== 0 || inner > 0;
  const raw = bitsAt(scope, at, bitSize);
  const content = integerContent(raw, bitSize, encoding);
  return { bitOffset: at, bitSize, isBitfield, content, partCount: 0 };
}

function integerContent(raw: bigint | null, bitSize: number, encoding: number): ValueContent {
  if (raw === null) return { kind: 'truncated' };
  if ((encoding & IntEncoding.BOOL) !== 0) return { kind: 'bool', value: raw };
  const value = (encoding & IntEncoding.SIGNED) === 0 ? raw : BigInt.asIntN(bitSize, raw);
  return { kind: (encoding & IntEncoding.CHAR) === 0 ? 'int' : 'char', value };
}

function enumeration({ scope, bitOffset, bitfieldSize }: Place, id: TypeId): Content {
  const t = scope.types;
  const bitSize = bitfieldSize > 0 ? bitfieldSize : enumBits(t, id);
  const isBitfield = bitfieldSize > 0 || bitOffset % 8 !== 0;
  const raw = bitsAt(scope, bitOffset, bitSize);
  if (raw === null) {
    return { bitOffset, bitSize, isBitfield, content: { kind: 'truncated' }, partCount: 0 };
  }
  // kind_flag of the enum decides whether the number is signed.
  const value = kindFlagOf(t, id) ? BigInt.asIntN(bitSize, raw) : raw;
  const content = { kind: 'enum', value, names: enumNames(t, id, value) } as const;
  return { bitOffset, bitSize, isBitfield, content, partCount: 0 };
}

/** Bits of the widest FLOAT of any machine. */
const MAX_FLOAT_BITS = 128;

function word({ scope, bitOffset }: Place, kind: number, bitSize: number): ValueContent {
  if (!hasBits(scope, bitOffset, bitSize)) return { kind: 'truncated' };
  if (kind === BtfKind.FLOAT && bitSize > MAX_FLOAT_BITS) return { kind: 'none' };
  const value = bitsAt(scope, bitOffset, bitSize) ?? 0n;
  return kind === BtfKind.PTR
    ? { kind: 'pointer', value, target: scope.pointers.at(Math.floor(bitOffset / 8)) }
    : { kind: 'float', value, number: floatOf(value, bitSize) };
}

function elementCount({ scope, flexible }: Place, id: TypeId): number {
  const { nelems, elemType } = arrayData(scope.types, id);
  if (nelems > 0 || flexible === null) return nelems;
  const bits = bitsOf(scope.types, elemType);
  return bits === 0 ? 0 : Math.max(0, Math.floor(flexible / bits));
}

function elements({ scope, bitOffset }: Place, id: TypeId, count: number): ValueContent {
  const t = scope.types;
  const elem = skipModifiers(t, arrayData(t, id).elemType);
  if (!isPlainChar(t, elem) || bitOffset % 8 !== 0 || count === 0) return { kind: 'array' };
  const start = bitOffset / 8;
  let end = Math.min(start + count, scope.bytes.length);
  while (end > start && scope.bytes[end - 1] === 0) end--;
  const bytes = scope.bytes.subarray(start, Math.max(start, end));
  return { kind: 'string', bytes, isCut: start + count > scope.byteLength };
}

/** Returns true if the type is C's `char`. Other one-byte integers are shown as numbers. */
function isPlainChar(t: TypeTable, id: TypeId): boolean {
  return (
    kindOf(t, id) === BtfKind.INT &&
    sizeOrTypeOf(t, id) === 1 &&
    intData(t, id).bits === 8 &&
    nameOf(t, id) === 'char'
  );
}

type Names = {
  /** `name_off` of the first enumerator with each value. Values are cut to the size of the enum. */
  readonly byValue: ReadonlyMap<bigint, number>;
  /** Enumerators with one set bit; empty unless every enumerator has one set bit or the value 0. */
  readonly flags: readonly (readonly [bit: bigint, nameOff: number])[];
};

const namesByType = memoized((_: TypeTable) => new Map<TypeId, Names>());

function findNames(t: TypeTable, id: TypeId): Names {
  const bits = enumBits(t, id);
  const byValue = new Map<bigint, number>();
  for (const { value, nameOff } of enumeratorsOf(t, id)) {
    const cut = BigInt.asUintN(bits, value);
    if (!byValue.has(cut)) byValue.set(cut, nameOff);
  }
  const flags = [...byValue].filter(([value]) => value !== 0n);
  // 0, 1, 2 can be consecutive states as well as flags, so flags need a third bit.
  const areFlags = flags.length > 2 && flags.every(([value]) => (value & (value - 1n)) === 0n);
  return { byValue, flags: areFlags ? flags : [] };
}

/** Returns the size of an ENUM or ENUM64 in bits, at most 64. */
function enumBits(t: TypeTable, id: TypeId): number {
  return 8 * Math.min(8, sizeOrTypeOf(t, id));
}

/** Returns the name of `value`, or for flags the names of its bits. Empty if a bit has no name. */
function enumNames(t: TypeTable, id: TypeId, value: bigint): readonly string[] {
  const { byValue, flags } = getOrCreate(namesByType(t), id, () => findNames(t, id));
  const cut = BigInt.asUintN(enumBits(t, id), value);
  const nameOff = byValue.get(cut);
  if (nameOff !== undefined) return [stringAt(t, nameOff)];
  const set = flags.filter(([bit]) => (cut & bit) !== 0n);
  const isAll = set.reduce((left, [bit]) => left & ~bit, cut) === 0n;
  return isAll ? set.map(([, flag]) => stringAt(t, flag)) : [];
}
