/**
 * Lint of members of structs and unions ("BTF Type Format", section 2.2.4). Without kind_flag, a
 * member is a bit-field if its INT has a bit offset, or fewer bits than its bytes have.
 */
import {
  BTF_MEMBER,
  BTF_TYPE_SIZE,
  BtfKind,
  type IntData,
  intDataOf,
  kindName,
  memberBitOffset,
  memberBitSize,
} from '#formats/btf/kinds.ts';
import { isComposite } from '#model/type-items.ts';
import { isModifier } from '#model/type-table.ts';
import { type BlobRecords, type LintRecord, perRecord } from './type-subject.ts';

/** A member with its place in bits from the start of the struct. */
type Placed = {
  readonly item: number;
  readonly type: number;
  /** Offset in bits as stored, without the bit offset of an INT. */
  readonly bitOffset: number;
  readonly start: number;
  /** End in bits, exclusive; `NaN` if the type has no size. */
  readonly end: number;
  /** Width in bits of a bit-field in a struct with kind_flag; else 0. */
  readonly width: number;
  /** True if the member has all bits of its type. */
  readonly isPlain: boolean;
};

/** Maximum bit offset with kind_flag: 24 bits, since the upper 8 are the width of a bit-field. */
const MAX_BIT_OFFSET = 0xffffff;

export const findOddMembers = perRecord((r) => {
  if (!isComposite(r.kind)) return;
  const { vlen } = r;
  const sizeBits = r.sizeOrType * 8;
  // Only a note: compilers write structs whose large offsets overflow into the width.
  if (r.kindFlag && sizeBits > MAX_BIT_OFFSET) {
    const tell = () => ({
      severity: 'note' as const,
      message: `${r.label}: larger than 2 MiB and with bit-fields: offsets of members past 2 MiB cannot be stored, and read wrong`,
      expected: `at most ${MAX_BIT_OFFSET >> 3} bytes`,
      found: `${r.sizeOrType} bytes`,
    });
    r.odd('btf.struct-too-large', r.start, tell, BTF_TYPE_SIZE);
    return;
  }
  let furthest = 0;
  let inOrder = true;
  for (let item = 0; item < vlen; item++) {
    const placed = placeOf(r, item);
    checkAlone(r, placed, sizeBits);
    if (r.kind === BtfKind.UNION || Number.isNaN(placed.end)) continue;
    if (placed.start < furthest) inOrder = false;
    furthest = Math.max(furthest, placed.end);
  }
  if (!inOrder && furthest <= 0xffffffff * 8) checkOverlaps(r);
});

function placeOf(r: LintRecord, item: number): Placed {
  const { records, kindFlag } = r;
  const at = r.item(item);
  const type = records.u32(at + BTF_MEMBER.at.type);
  const word = records.u32(at + BTF_MEMBER.at.offset);
  const typeBits = r.sizes.of(type) * 8;
  const bitOffset = memberBitOffset(word, kindFlag);
  const width = memberBitSize(word, kindFlag);
  const int = kindFlag ? null : bareInt(records, type);
  const bits = width || (int?.bits ?? typeBits);
  const start = bitOffset + (int?.bitOffset ?? 0);
  const isPlain = width === 0 && (int === null || bits === typeBits);
  return { item, type, bitOffset, start, end: start + bits, width, isPlain };
}

/** Returns the data of the INT `type`; null for other kinds, and for types of the base. */
function bareInt(records: BlobRecords, type: number): IntData | null {
  const int = type - records.firstId;
  if (int < 0 || records.kinds[int] !== BtfKind.INT) return null;
  return intDataOf(records.u32(records.tail(int)));
}

/** Checks a member without comparing it with other members. */
function checkAlone(r: LintRecord, placed: Placed, sizeBits: number): void {
  const { item, bitOffset, start, width } = placed;
  const odd = (code: string, what: string, expected: string, found: string) =>
    r.odd(code, r.item(item) + BTF_MEMBER.at.offset, () => ({
      message: `${memberLabel(r, item)}: ${what}`,
      expected,
      found,
    }));
  const typeBits = 8 * r.sizes.of(placed.type);
  const kind = width > 0 ? stripped(r.records, placed.type) : -1;
  if (placed.isPlain && bitOffset % 8 !== 0) {
    const what = `starts at bit ${bitOffset} and is not a bit-field`;
    odd('btf.member-bit-start', what, 'a multiple of 8', `${bitOffset}`);
  } else if (kind >= 0 && !BIT_HOLDERS.has(kind)) {
    const what = `bit-field on ${kind === BtfKind.PTR ? 'a pointer' : kindName(kind)}`;
    odd('btf.bitfield-kind', what, 'INT, ENUM or ENUM64', kindName(kind));
  } else if (width > typeBits) {
    const what = `width ${width} wider than its type`;
    odd('btf.bitfield-width', what, `at most ${typeBits} bits`, `${width} bits`);
  }
  const end = Number.isNaN(placed.end) ? start : placed.end;
  if (end <= sizeBits) return;
  const what = `past the end of the ${r.kindName.toLowerCase()}`;
  odd(
    'btf.member-past-end',
    what,
    `an end of at most bit ${sizeBits}`,
    Number.isSafeInteger(end) ? `bit ${end}` : 'an end past bit 2^53',
  );
}

const BIT_HOLDERS = new Set<number>([BtfKind.INT, BtfKind.ENUM, BtfKind.ENUM64]);
const MAX_CHAIN = 64;

/** Returns the kind behind typedefs and modifiers; -1 if there are too many. */
function stripped(records: BlobRecords, type: number): number {
  let id = type;
  for (let steps = 0; steps < MAX_CHAIN; steps++) {
    const kind = records.kindOf(id);
    if (!isModifier(kind)) return kind;
    if (id < records.firstId) return -1;
    id = records.sizeOrType(id - records.firstId);
  }
  return -1;
}

/** Checks overlaps in the order of offsets, since Rust writes members in another order. */
function checkOverlaps(r: LintRecord): void {
  const members = Array.from({ length: r.vlen }, (_, item) => placeOf(r, item))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || a.item - b.item);
  let furthest: Placed | null = null;
  for (const placed of members) {
    if (furthest !== null && placed.start < furthest.end) overlap(r, placed, furthest);
    if (furthest === null || placed.end > furthest.end) furthest = placed;
  }
}

function overlap(r: LintRecord, placed: Placed, before: Placed): void {
  r.odd('btf.members-overlap', r.item(placed.item) + BTF_MEMBER.at.offset, () => ({
    message: `${memberLabel(r, placed.item)}: overlaps ${memberName(r, before.item)}`,
    expected: `bit ${before.end} or later`,
    found: `bit ${placed.start}`,
  }));
}

function memberName(r: LintRecord, item: number): string {
  return r.names.text(r.records.u32(r.item(item))) || `member ${item}`;
}

function memberLabel(r: LintRecord, item: number): string {
  return `${r.label} ${memberName(r, item)}`;
}
