/** Values that entries state in several ways: sizes, counts, offsets, addresses. */
import { MAX_U32 } from '#bytes/byte-reader.ts';
import { DW_AT, DW_LANG, DW_OP } from '#formats/dwarf/constants.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import type { Die } from '#formats/dwarf/reader.ts';

/** Languages whose arrays begin at 1 without DW_AT_lower_bound (DWARF 5, section 7.12). */
const FROM_ONE: ReadonlySet<number> = new Set([
  DW_LANG.Ada83,
  DW_LANG.Ada95,
  DW_LANG.Ada2005,
  DW_LANG.Ada2012,
  DW_LANG.Cobol74,
  DW_LANG.Cobol85,
  DW_LANG.Fortran77,
  DW_LANG.Fortran90,
  DW_LANG.Fortran95,
  DW_LANG.Fortran03,
  DW_LANG.Fortran08,
  DW_LANG.Fortran18,
  DW_LANG.Modula2,
  DW_LANG.Modula3,
  DW_LANG.Pascal83,
  DW_LANG.PLI,
  DW_LANG.Julia,
]);

/** Returns the size of a type in bytes; 0 if it states none. Throws `Malformed`. */
export function sizeOf(die: Die): number {
  return clamp(die.number(DW_AT.byte_size) ?? Math.ceil((die.number(DW_AT.bit_size) ?? 0) / 8));
}

/** Returns `value` if it fits 32 bits without a sign, else 0. */
export function clamp(value: number): number {
  return value >= 0 && value <= MAX_U32 ? value : 0;
}

/** Returns the number of elements of a dimension; 0 if it is open or known only at run time. */
export function countOf(die: Die, language: number): number {
  const count = die.signed(DW_AT.count);
  if (count !== null) return clamp(Number(count));
  const upper = die.signed(DW_AT.upper_bound);
  if (upper === null) return 0;
  const lower = die.signed(DW_AT.lower_bound) ?? (FROM_ONE.has(language) ? 1n : 0n);
  // A bound of a fixed size has no sign, except -1, which GCC writes for no elements.
  const exact = die.constant(DW_AT.upper_bound) ?? upper;
  return upper === -1n ? 0 : clamp(Number(exact - lower + 1n));
}

/** Returns the offset of a member in bytes; null if it is the result of a computation. */
export function memberOffset(die: Die): number | null {
  if (!die.has(DW_AT.data_member_location)) return 0;
  const expression = die.block(DW_AT.data_member_location);
  if (expression === null) return die.number(DW_AT.data_member_location);
  const [first, ...rest] = operationsOf(expression, die.unit.header);
  if (first?.code !== DW_OP.plus_uconst || rest.length > 0) return null;
  return Number(first.operands[0] ?? 0n);
}

/** Returns the address of a variable; null if it has none that is fixed. */
export function addressOf(die: Die): bigint | null {
  const expression = die.block(DW_AT.location);
  if (expression === null || expression.length === 0) return null;
  const code = expression.u8(0);
  if (code !== DW_OP.addr && code !== DW_OP.addrx && code !== DW_OP.GNU_addr_index) return null;
  const [first, ...rest] = operationsOf(expression, die.unit.header);
  if (first === undefined || rest.length > 0) return null;
  const operand = first.operands[0] ?? 0n;
  if (code === DW_OP.addr) return operand;
  return die.unit.lacksAddresses ? null : die.unit.address(Number(operand));
}

/**
 * Returns the offset in bits of a member whose byte offset is `byteOffset`. `storage` returns the
 * size in bytes of the unit of storage of a bit-field that states none. Throws `Malformed`.
 */
export function memberBitOffset(die: Die, byteOffset: number, storage: () => number): number {
  const dataBit = die.number(DW_AT.data_bit_offset);
  if (dataBit !== null) return byteOffset * 8 + dataBit;
  const bit = die.signed(DW_AT.bit_offset);
  if (bit === null) return byteOffset * 8;
  // DWARF 2 and 3 count from the most significant bit of a unit of storage.
  const isLittle = die.unit.section.endian === 'little';
  const storageBits = 8 * (die.number(DW_AT.byte_size) ?? storage());
  const bitSize = die.number(DW_AT.bit_size) ?? 0;
  return byteOffset * 8 + (isLittle ? storageBits - Number(bit) - bitSize : Number(bit));
}

/** Constants below this number are the same with a sign and without, in each size. */
const SMALL = 0x80;

/**
 * Returns the value of an enumerator. `size` is that of the enumeration in bytes. A constant of fixed
 * size has no sign; it is extended if the type is signed and the constant as wide. Throws `Malformed`.
 */
export function enumeratorValue(die: Die, size: number, isSigned: boolean): bigint | number {
  const small = die.number(DW_AT.const_value);
  if (small !== null && small >= 0 && (small < SMALL || !isSigned)) return small;
  const stated = die.constant(DW_AT.const_value) ?? 0n;
  const isWide = isSigned && size > 0 && stated >> BigInt(size * 8 - 1) === 1n;
  return isWide ? BigInt.asIntN(size * 8, stated) : stated;
}

/** Largest size in bytes of a value that is stated as a block: `u128` of Rust. */
const MAX_BLOCK = 16;

/**
 * Returns a constant, also one that is stated as a block of up to 16 bytes, without a sign; null for
 * other classes. Throws `Malformed`.
 */
export function wideConstant(die: Die, attribute: number): bigint | null {
  const constant = die.constant(attribute);
  if (constant !== null) return constant;
  const block = die.block(attribute);
  if (block === null || block.length === 0 || block.length > MAX_BLOCK) return null;
  let value = 0n;
  for (let i = 0; i < block.length; i++) {
    const at = block.endian === 'little' ? block.length - 1 - i : i;
    value = (value << 8n) | BigInt(block.u8(at));
  }
  return value;
}
