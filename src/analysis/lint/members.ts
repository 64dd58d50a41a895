/**
 * Members of structs and unions: bit-fields that cannot be, members that overlap
 * or reach past the end.
 *
 * Source: "BTF Type Format", section 2.2.4. Without kind_flag a bit-field is told
 * by its INT: fewer bits than its bytes hold, or a bit offset inside them.
 */
import {
  BTF_MEMBER,
  BtfKind,
  intDataOf,
  kindName,
  memberBitOffset,
  memberBitSize,
} from '#formats/btf/kinds.ts';
import { Collected } from './collected.ts';
import { type BlobRecords, RECORDS_PER_STEP, type TypeSubject, typeLabel } from './type-subject.ts';

type Placed = {
  item: number;
  /** Bits from the start of the struct. */
  start: number;
  /** `NaN` where the type has no size. */
  end: number;
};

export function* findOddMembers(subject: TypeSubject): Generator<void> {
  const { records } = subject;
  let work = 0;
  for (let i = 0; i < records.count; i++) {
    const kind = records.kinds[i];
    if (kind !== BtfKind.STRUCT && kind !== BtfKind.UNION) continue;
    checkComposite(subject, i, kind === BtfKind.UNION);
    work += 1 + records.vlen(i);
    if (work > RECORDS_PER_STEP) {
      work = 0;
      yield;
    }
  }
}

/** With kind_flag a member's offset has 24 bits: the upper 8 are the width of a bit-field. */
const MAX_BIT_OFFSET = 0xffffff;

/** Compilers write such structs all the same, with offsets that run over into the width. */
function tooLargeForBits({ records, found }: TypeSubject, i: number): void {
  found.add('btf.struct-too-large', () => ({
    severity: 'note',
    message: `${typeLabel(records, i)}: larger than 2 MiB and with bit fields: offsets of members past 2 MiB cannot be stored, and read wrong`,
    span: records.headSpan(i),
    expected: `at most ${MAX_BIT_OFFSET >> 3} bytes`,
    found: `${records.sizeOrType(i)} bytes`,
  }));
}

function checkComposite(subject: TypeSubject, i: number, isUnion: boolean): void {
  const { records } = subject;
  const vlen = records.vlen(i);
  const sizeBits = records.sizeOrType(i) * 8;
  if (records.kindFlag(i) && sizeBits > MAX_BIT_OFFSET) {
    tooLargeForBits(subject, i);
    return;
  }
  let furthest = 0;
  let inOrder = true;
  for (let item = 0; item < vlen; item++) {
    const placed = placeOf(subject, i, item);
    checkEnd(subject, i, placed, sizeBits);
    if (isUnion || Number.isNaN(placed.end)) continue;
    if (placed.start < furthest) inOrder = false;
    furthest = Math.max(furthest, placed.end);
  }
  if (!inOrder && furthest <= 0xffffffff * 8) checkOverlaps(subject, i, vlen);
}

/** Where a member lies; what is odd about it alone is told on the way. */
function placeOf(subject: TypeSubject, i: number, item: number): Placed {
  const { records, sizes } = subject;
  const at = records.itemStart(i, item);
  const type = records.u32(at + BTF_MEMBER.at.type);
  const word = records.u32(at + BTF_MEMBER.at.offset);
  const size = sizes.of(type);
  if (!records.kindFlag(i)) {
    const int = bareInt(records, type);
    const start = word + (int?.bitOffset ?? 0);
    if (int === null || int.bits === size * 8) {
      if (word % 8 !== 0) oddStart(subject, i, item, word);
      return { item, start, end: start + size * 8 };
    }
    return { item, start, end: start + int.bits };
  }
  const start = memberBitOffset(word, true);
  const width = memberBitSize(word, true);
  if (width === 0) {
    if (start % 8 !== 0) oddStart(subject, i, item, start);
    return { item, start, end: start + size * 8 };
  }
  checkWidth(subject, i, item, width, type, size);
  return { item, start, end: start + width };
}

/** The INT that `type` stands for with its bits; null for anything else, and for those of a base. */
function bareInt(records: BlobRecords, type: number): { bits: number; bitOffset: number } | null {
  const int = type - records.firstId;
  if (int < 0 || records.kinds[int] !== BtfKind.INT) return null;
  return intDataOf(records.u32(records.tail(int)));
}

function checkWidth(
  subject: TypeSubject,
  i: number,
  item: number,
  width: number,
  type: number,
  size: number,
): void {
  const { records, found } = subject;
  const kind = stripped(records, type);
  const at = records.itemStart(i, item);
  if (kind >= 0 && !holdsBits(kind)) {
    const what = kind === BtfKind.PTR ? 'a pointer' : kindName(kind);
    found.add('btf.bitfield-kind', () => ({
      message: `${memberLabel(subject, i, item)}: bit field on ${what}`,
      span: records.span(at + BTF_MEMBER.at.offset, 4),
      expected: 'INT, ENUM or ENUM64',
      found: kindName(kind),
    }));
  } else if (width > size * 8) {
    found.add('btf.bitfield-width', () => ({
      message: `${memberLabel(subject, i, item)}: width ${width} wider than its type`,
      span: records.span(at + BTF_MEMBER.at.offset, 4),
      expected: `at most ${size * 8} bits`,
      found: `${width} bits`,
    }));
  }
}

const MAX_CHAIN = 64;

/** Kind behind typedefs and modifiers; -1 where that cannot be told soon. */
function stripped(records: BlobRecords, type: number): number {
  let id = type;
  for (let hops = 0; hops < MAX_CHAIN; hops++) {
    const kind = records.kindOf(id);
    switch (kind) {
      case BtfKind.TYPEDEF:
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPE_TAG:
        if (id < records.firstId) return -1;
        id = records.sizeOrType(id - records.firstId);
        break;
      default:
        return kind;
    }
  }
  return -1;
}

function holdsBits(kind: number): boolean {
  return kind === BtfKind.INT || kind === BtfKind.ENUM || kind === BtfKind.ENUM64;
}

function oddStart(subject: TypeSubject, i: number, item: number, start: number): void {
  const { records, found } = subject;
  found.add('btf.member-bit-start', () => ({
    message: `${memberLabel(subject, i, item)}: starts at bit ${start} and is no bit field`,
    span: records.span(records.itemStart(i, item) + BTF_MEMBER.at.offset, 4),
    expected: 'a multiple of 8',
    found: `${start}`,
  }));
}

function checkEnd(subject: TypeSubject, i: number, placed: Placed, sizeBits: number): void {
  const { records, found } = subject;
  const end = Number.isNaN(placed.end) ? placed.start : placed.end;
  if (end <= sizeBits) return;
  const what = records.kinds[i] === BtfKind.UNION ? 'union' : 'struct';
  found.add('btf.member-past-end', () => ({
    message: `${memberLabel(subject, i, placed.item)}: past the end of the ${what}`,
    span: records.span(records.itemStart(i, placed.item) + BTF_MEMBER.at.offset, 4),
    expected: `an end of at most bit ${sizeBits}`,
    found: `bit ${end}`,
  }));
}

/** Only for structs whose members do not follow each other; Rust orders them by another rule. */
function checkOverlaps(subject: TypeSubject, i: number, vlen: number): void {
  // What is odd about single members was told before.
  const quiet = { ...subject, found: new Collected('') };
  const members: Placed[] = [];
  for (let item = 0; item < vlen; item++) {
    const placed = placeOf(quiet, i, item);
    if (placed.end > placed.start) members.push(placed);
  }
  members.sort((a, b) => a.start - b.start || a.item - b.item);
  let furthest: Placed | null = null;
  for (const placed of members) {
    if (furthest !== null && placed.start < furthest.end) overlap(subject, i, placed, furthest);
    if (furthest === null || placed.end > furthest.end) furthest = placed;
  }
}

function overlap(subject: TypeSubject, i: number, placed: Placed, before: Placed): void {
  const { records, found } = subject;
  found.add('btf.members-overlap', () => ({
    message: `${memberLabel(subject, i, placed.item)}: overlaps ${memberName(subject, i, before.item)}`,
    span: records.span(records.itemStart(i, placed.item) + BTF_MEMBER.at.offset, 4),
    expected: `bit ${before.end} or later`,
    found: `bit ${placed.start}`,
  }));
}

function memberName({ records, names }: TypeSubject, i: number, item: number): string {
  return names.text(records.u32(records.itemStart(i, item))) || `member ${item}`;
}

function memberLabel(subject: TypeSubject, i: number, item: number): string {
  return `${typeLabel(subject.records, i)} ${memberName(subject, i, item)}`;
}
