/** Bits that a member covers: the one place that knows bit-fields which their INT describes. */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import type { Member } from '#model/type-items.ts';
import { intData, kindFlagOf, kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { sizeOf } from './sizes.ts';

export type MemberBits = {
  /** Offset in bits from the start of the struct. */
  readonly bitOffset: number;
  readonly bitSize: number;
  readonly isBitfield: boolean;
};

/** Returns the bits that `member` of `composite` covers. */
export function memberBits(t: TypeTable, composite: TypeId, member: Member): MemberBits {
  return bitsOf(t, member, kindFlagOf(t, composite));
}

/** Returns the bits that a member covers, for a struct whose kind_flag is known. */
export function bitsOf(t: TypeTable, member: Member, kindFlag: boolean): MemberBits {
  const { bitOffset, bitfieldSize } = member;
  if (bitfieldSize > 0) return { bitOffset, bitSize: bitfieldSize, isBitfield: true };
  const inInt = kindFlag ? null : intBitfield(t, member.type, bitOffset);
  return inInt ?? { bitOffset, bitSize: bitSizeOf(t, member.type), isBitfield: false };
}

/**
 * Returns the bits of a member at `bitOffset` of a struct without kind_flag if its INT describes a
 * bit-field, else null: the bits begin at BTF_INT_OFFSET and have the width BTF_INT_BITS ("BTF Type
 * Format", 2.2.4).
 */
export function intBitfield(t: TypeTable, type: TypeId, bitOffset: number): MemberBits | null {
  const int = skipModifiers(t, type);
  if (kindOf(t, int) !== BtfKind.INT) return null;
  const { bits, bitOffset: offsetInInt } = intData(t, int);
  if (offsetInInt === 0 && bits === bitSizeOf(t, int) && bitOffset % 8 === 0) return null;
  return { bitOffset: bitOffset + offsetInInt, bitSize: bits, isBitfield: true };
}

function bitSizeOf(t: TypeTable, id: TypeId): number {
  const bytes = sizeOf(t, id) ?? 0n;
  return Number(bytes > 1n << 50n ? BigInt(Number.MAX_SAFE_INTEGER) : bytes * 8n);
}

/** Returns the width of a bit-field in bits; 0 for a member that is not a bit-field. */
export function bitfieldWidth({ isBitfield, bitSize }: MemberBits): number {
  return isBitfield ? bitSize : 0;
}
