/**
 * Lists the members of a STRUCT or UNION by offset, with the holes between members.
 *
 * Offsets and sizes are bits from the start of the struct. As in pahole, a hole is any range
 * without a member, and the rest after the last member is padding. After a member whose size is in a
 * base that is not at hand, nothing is a hole or padding.
 */

import { BtfKind } from '#formats/btf/kinds.ts';
import { isBaseClass } from '#model/dwarf.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { type Member, memberAt, memberCount, membersFrom } from '#model/type-items.ts';
import { kindFlagOf, kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { bitsOf, type MemberBits, memberBits } from './member-bits.ts';
import { isSizeInBase } from './sizes.ts';

export type LayoutRow = {
  readonly kind: 'member' | 'hole' | 'padding';
  /** Number of the member in its declaration; -1 for holes and padding. */
  readonly index: number;
  /** Member name, raw text; empty for anonymous members, holes and padding. */
  readonly name: string;
  readonly type: TypeId;
  readonly bitOffset: number;
  /** Size in bits, at most `Number.MAX_SAFE_INTEGER`; 0 for flexible arrays and unknown sizes. */
  readonly bitSize: number;
  readonly isBitfield: boolean;
  /** True if a struct's member begins before the end of an earlier member. */
  readonly overlaps: boolean;
  /** True if the member ends after the end of the struct. */
  readonly pastEnd: boolean;
  /** True if the size of the member is in a base that is not at hand; `bitSize` is 0 then. */
  readonly isSizeUnknown: boolean;
  /** True for a base class of C++, which has no name. */
  readonly isBase: boolean;
};

export type StructLayout = {
  /** Size of the struct in bytes, as the record states. */
  readonly sizeBytes: number;
  /** Rows by offset. Members at one offset are in declaration order. */
  readonly rows: readonly LayoutRow[];
  /** Number of holes, without padding. */
  readonly holes: number;
  readonly holeBits: number;
  readonly paddingBits: number;
  /** Members whose size is in a base that is not at hand: more holes and padding may follow them. */
  readonly unknownSizes: number;
  readonly isUnion: boolean;
  /** True if the members are not declared in the order of their offsets. */
  readonly outOfOrder: boolean;
};

/** A range of member numbers; `end` is exclusive. */
export type MemberRange = { readonly first: number; readonly end: number };

/**
 * Returns the layout of a STRUCT or UNION; other kinds have no rows. With `range`, the rows are the
 * members in the range, and the holes before and between these members.
 */
export function structLayout(t: TypeTable, id: TypeId, range?: MemberRange): StructLayout {
  const kind = kindOf(t, id);
  const isUnion = kind === BtfKind.UNION;
  const sizeBytes = isUnion || kind === BtfKind.STRUCT ? sizeOrTypeOf(t, id) : 0;
  const { first, end: stop } = range ?? { first: 0, end: Infinity };
  const placed = placeMembers(t, id, first, stop);
  const outOfOrder = placed.some((p, i) => i > 0 && p.bitOffset < (placed[i - 1]?.bitOffset ?? 0));
  if (outOfOrder) placed.sort((a, b) => a.bitOffset - b.bitOffset || a.index - b.index);

  const rows: LayoutRow[] = [];
  const endOfStruct = sizeBytes * 8;
  let covered = endOfMember(t, id, first - 1);
  let isEndKnown = !isMemberOfUnknownSize(t, id, first - 1);
  let holes = 0;
  let holeBits = 0;
  let unknownSizes = 0;
  for (const member of placed) {
    const gap = member.bitOffset - covered;
    if (gap > 0 && !isUnion && isEndKnown) {
      rows.push(nothing('hole', covered, gap));
      holes++;
      holeBits += gap;
    }
    const end = member.bitOffset + member.bitSize;
    member.overlaps = !isUnion && gap < 0 && member.bitSize > 0;
    member.pastEnd = end > endOfStruct;
    rows.push(member);
    covered = Math.max(covered, end);
    isEndKnown = !member.isSizeUnknown;
    if (member.isSizeUnknown) unknownSizes++;
  }
  const isToTheEnd = stop >= memberCount(t, id) && (isUnion ? unknownSizes === 0 : isEndKnown);
  const paddingBits = isToTheEnd ? Math.max(0, endOfStruct - covered) : 0;
  if (paddingBits > 0) rows.push(nothing('padding', covered, paddingBits));
  return { sizeBytes, rows, holes, holeBits, paddingBits, unknownSizes, isUnion, outOfOrder };
}

/** A member and its offset. Reads the name on first access. A spread (`...`) omits the name. */
class PlacedMember implements LayoutRow {
  readonly kind = 'member';
  readonly index: number;
  readonly type: TypeId;
  readonly bitOffset: number;
  readonly bitSize: number;
  readonly isBitfield: boolean;
  readonly isSizeUnknown: boolean;
  readonly isBase: boolean;
  overlaps = false;
  pastEnd = false;
  readonly #member: Member;
  #name: string | null = null;

  constructor(
    t: TypeTable,
    owner: TypeId,
    member: Member,
    { bitOffset, bitSize, isBitfield }: MemberBits,
  ) {
    this.#member = member;
    this.isSizeUnknown = !isBitfield && isSizeInBase(t, member.type);
    this.isBase = isBaseClass(t, owner, member.index);
    this.index = member.index;
    this.type = member.type;
    this.bitOffset = bitOffset;
    this.bitSize = bitSize;
    this.isBitfield = isBitfield;
  }

  get name(): string {
    this.#name ??= this.#member.name;
    return this.#name;
  }
}

function placeMembers(t: TypeTable, id: TypeId, first: number, end: number): PlacedMember[] {
  const kindFlag = kindFlagOf(t, id);
  const placed: PlacedMember[] = [];
  for (const member of membersFrom(t, id, first)) {
    if (member.index >= end) break;
    placed.push(new PlacedMember(t, id, member, bitsOf(t, member, kindFlag)));
  }
  return placed;
}

/** Returns the bit after the end of member `index`; 0 if the member does not exist. */
function endOfMember(t: TypeTable, id: TypeId, index: number): number {
  const member = memberAt(t, id, index);
  if (member === null) return 0;
  const { bitOffset, bitSize } = memberBits(t, id, member);
  return bitOffset + bitSize;
}

function isMemberOfUnknownSize(t: TypeTable, id: TypeId, index: number): boolean {
  const member = memberAt(t, id, index);
  return member !== null && member.bitfieldSize === 0 && isSizeInBase(t, member.type);
}

function nothing(kind: 'hole' | 'padding', bitOffset: number, bitSize: number): LayoutRow {
  return {
    kind,
    index: -1,
    name: '',
    type: VOID,
    bitOffset,
    bitSize,
    isBitfield: false,
    overlaps: false,
    pastEnd: false,
    isSizeUnknown: false,
    isBase: false,
  };
}

/** Holes between the members of a struct, and the padding after the last member. */
export type StructGaps = Pick<StructLayout, 'holes' | 'holeBits' | 'paddingBits'>;

/**
 * Returns the gaps in a struct of `sizeBytes` bytes that the ranges of its members leave. The
 * ranges are in bits from the start of the struct, in any order, and may overlap.
 */
export function gapsBetween(
  sizeBytes: number,
  members: readonly { readonly bitOffset: number; readonly bits: number }[],
): StructGaps {
  let [covered, holes, holeBits] = [0, 0, 0];
  for (const { bitOffset, bits } of members.toSorted((a, b) => a.bitOffset - b.bitOffset)) {
    if (bitOffset > covered) {
      holes++;
      holeBits += bitOffset - covered;
    }
    covered = Math.max(covered, bitOffset + bits);
  }
  return { holes, holeBits, paddingBits: Math.max(0, 8 * sizeBytes - covered) };
}

/**
 * Returns the number of bytes in STRUCT `id` that no member covers, with fractions for bits. NaN
 * for other kinds, for structs without members, and where a size is in a base that is not at hand.
 */
export function paddingBytesOf(t: TypeTable, id: TypeId): number {
  if (kindOf(t, id) !== BtfKind.STRUCT || memberCount(t, id) === 0) return NaN;
  const { holeBits, paddingBits, unknownSizes } = structLayout(t, id);
  if (unknownSizes > 0) return NaN;
  return (holeBits + paddingBits) / 8;
}

/** Returns `paddingBytesOf` for each type outside the base, with NaN instead of 0. */
export function paddingBytes(t: TypeTable): Float64Array {
  return Float64Array.from(
    { length: t.count },
    (_, i) => paddingBytesOf(t, typeId(t.firstId + i)) || NaN,
  );
}
