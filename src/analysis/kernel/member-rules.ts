/**
 * The kernel's rules for a member whose type is resolved. Only the first broken rule of a member is
 * reported. Source: kernel/bpf/btf.c: the `…_check_member` and `…_check_kflag_member` of each kind.
 */
import {
  BTF_MEMBER,
  BtfKind,
  kindName,
  memberBitOffset,
  memberBitSize,
} from '#formats/btf/kinds.ts';
import { isModifier } from '#model/type-table.ts';
import { type BlobTypes, intOf, isRegularInt, type Sized } from './blob-types.ts';
import { type KernelRule, REFERENCE_RULES } from './rules.ts';
import type { Report } from './verdict.ts';

const U32_MAX = 0xffffffff;

/** A member with its resolved type, which has `typeSize` bytes. Offsets and widths are in bits. */
type Placed = {
  readonly bitOffset: number;
  /** Width in bits of a bit-field; 0 for other members. */
  readonly width: number;
  readonly kindFlag: boolean;
  readonly structSize: number;
  readonly type: number;
  readonly typeSize: number;
};

type MemberWalk = {
  readonly records: BlobTypes;
  readonly report: Report;
  sizedOf(id: number): Sized | 'unknown' | null;
};

/** A broken rule, the kernel's function that checks it, and what is wrong with the member. */
type Broken = readonly [rule: KernelRule, where: string, what: string];

/** Checks member `index` of the struct or union `id`, unless its type is broken. */
export function checkMember(walk: MemberWalk, id: number, index: number): void {
  const { records: r, report } = walk;
  const { at } = BTF_MEMBER;
  const type = r.item(id, index, at.type);
  const sized = walk.sizedOf(type);
  if (sized === 'unknown') return;
  const kindFlag = r.kindFlag(id);
  const word = r.item(id, index, at.offset);
  const name = () =>
    `Member ${index}, ${r.nameText(r.item(id, index, at.name_off))}, of ${r.label(id)}`;
  if (sized === null) {
    const where = kindFlag ? 'btf_modifier_check_kflag_member' : 'btf_modifier_check_member';
    const place = r.itemPlace(id, index, at.type);
    const sentence = () => `${name()} has the type ${r.label(type)}, which has no size.`;
    report.kernel(REFERENCE_RULES.member, where, place, sentence);
    return;
  }
  const broken = brokenBy(r, {
    bitOffset: memberBitOffset(word, kindFlag),
    width: memberBitSize(word, kindFlag),
    kindFlag,
    structSize: r.sizeOrType(id),
    type: sized.id,
    typeSize: sized.size,
  });
  if (broken === null) return;
  const [rule, where, what] = broken;
  const bare = isModifier(r.kind(type)) ? `, a ${kindName(r.kind(sized.id))} in the end,` : '';
  const place = r.itemPlace(id, index, at.offset);
  report.kernel(rule, where, place, () => `${name()}${bare} ${what}.`);
}

function brokenBy(r: BlobTypes, m: Placed): Broken | null {
  const kind = r.kind(m.type);
  if (kind === BtfKind.INT) return m.kindFlag ? brokenFlaggedInt(r, m) : brokenInt(r, m);
  const isEnum = kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
  if (isEnum && m.kindFlag) return brokenFlaggedEnum(m);
  if (m.width !== 0) {
    const what = `is a bit-field of ${m.width} bits on a ${kindName(kind)}`;
    return [REFERENCE_RULES.memberWidth, 'btf_generic_check_kflag_member', what];
  }
  if (kind === BtfKind.FLOAT) return brokenFloat(m, r.pointerBytes);
  const word =
    kind === BtfKind.UNION
      ? 'struct'
      : kind === BtfKind.ENUM64
        ? 'enum'
        : kindName(kind).toLowerCase();
  return brokenWhole(m, `btf_${word}_check_member`);
}

/** Checks that a pointer, struct, array or enum starts at a whole byte and fits into the struct. */
function brokenWhole(m: Placed, where: string): Broken | null {
  if (m.bitOffset % 8 !== 0) {
    return [REFERENCE_RULES.memberByte, where, `begins at bit ${m.bitOffset}`];
  }
  return pastEnd(m, m.bitOffset / 8 + m.typeSize, where);
}

function brokenFloat(m: Placed, pointerBytes: number): Broken | null {
  const where = 'btf_float_check_member';
  const alignment = Math.min(pointerBytes, m.typeSize) * 8;
  if (alignment > 0 && m.bitOffset % alignment !== 0) {
    const what = `begins at bit ${m.bitOffset}, no multiple of ${alignment}`;
    return [REFERENCE_RULES.memberAligned, where, what];
  }
  return pastEnd(m, Math.floor(m.bitOffset / 8) + m.typeSize, where);
}

function brokenInt(r: BlobTypes, m: Placed): Broken | null {
  const where = 'btf_int_check_member';
  const int = intOf(r, m.type);
  const bitOffset = m.bitOffset + int.bitOffset;
  if (bitOffset > U32_MAX) {
    return [REFERENCE_RULES.memberOffset32, where, `begins at bit ${bitOffset}`];
  }
  return brokenBits(m, bitOffset, int.bits, where);
}

function brokenFlaggedInt(r: BlobTypes, m: Placed): Broken | null {
  const where = 'btf_int_check_kflag_member';
  const { bits } = intOf(r, m.type);
  if (!isRegularInt(r, m.type)) {
    return [REFERENCE_RULES.memberBase, where, `is on an INT of ${bits} bits`];
  }
  if (m.width === 0 && m.bitOffset % 8 !== 0) {
    return [REFERENCE_RULES.memberBoundary, where, `begins at bit ${m.bitOffset}`];
  }
  if (m.width > bits) {
    return [REFERENCE_RULES.memberWidth, where, `has ${m.width} bits on an INT of ${bits}`];
  }
  return brokenBits(m, m.bitOffset, m.width || bits, where);
}

/** Checks the bits of an INT member. The kernel also copies earlier bits of the first byte. */
function brokenBits(m: Placed, bitOffset: number, bits: number, where: string): Broken | null {
  const copied = bits + (bitOffset % 8);
  if (copied > 128) {
    const what = `has ${bits} bits from bit ${bitOffset} on, ${copied} to copy`;
    return [REFERENCE_RULES.memberCopyBits, where, what];
  }
  return pastEnd(m, Math.floor(bitOffset / 8) + Math.ceil(copied / 8), where);
}

/** Checks an enum in a struct with kind_flag. The kernel assumes 32 bits even for an ENUM64. */
function brokenFlaggedEnum(m: Placed): Broken | null {
  const where = 'btf_enum_check_kflag_member';
  if (m.width === 0 && m.bitOffset % 8 !== 0) {
    return [REFERENCE_RULES.memberByte, where, `begins at bit ${m.bitOffset}`];
  }
  if (m.width > 32) {
    return [REFERENCE_RULES.memberWidth, where, `has ${m.width} bits on an enum`];
  }
  return pastEnd(m, Math.ceil((m.bitOffset + (m.width || 32)) / 8), where);
}

function pastEnd(m: Placed, end: number, where: string): Broken | null {
  if (end <= m.structSize) return null;
  const what = `ends at byte ${end}, beyond the ${m.structSize} bytes of its struct`;
  return [REFERENCE_RULES.memberEnd, where, what];
}
