/**
 * Where members lie, told as the gap behind the member before: nearly always 0.
 * In a union the gap is that from its start. The rules are told in `type-codec.ts`.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { BtfCompositeRecord, BtfRecord } from '#formats/btf/write-records.ts';
import type { Coder } from './columns.ts';

/** A member's type is looked through this many modifiers and arrays. */
const MAX_STEPS = 32;
const MAX_BITS = 2 ** 32;

/** The records with the offsets of all members, written or read. Other fields stay as they are. */
export function codeOffsets(
  c: Coder,
  records: readonly BtfRecord[],
  pointerSize: number,
): readonly BtfRecord[] {
  const bits = records.map((_, i) => bitSize(records, i + 1, pointerSize));
  return records.map((record) =>
    record.kind === BtfKind.STRUCT || record.kind === BtfKind.UNION
      ? { ...record, members: codeGaps(c, record, bits) }
      : record,
  );
}

function codeGaps(c: Coder, record: BtfCompositeRecord, bits: readonly number[]) {
  let expected = 0;
  return record.members.map((member) => {
    const bitOffset = expected + c.signed('offsets', member.bitOffset - expected);
    const width = member.bitfieldSize || (bits[member.type - 1] ?? 0);
    if (record.kind === BtfKind.STRUCT) expected = bitOffset + width;
    return { ...member, bitOffset };
  });
}

/** Bits of type `id`, or 0 where that is not told by the rules. */
function bitSize(records: readonly BtfRecord[], id: number, pointerSize: number): number {
  let factor = 8;
  let at = id;
  for (let step = 0; step <= MAX_STEPS; step++) {
    const record = records[at - 1];
    if (record === undefined) return 0;
    switch (record.kind) {
      case BtfKind.ARRAY:
        factor *= record.nelems;
        at = record.elemType;
        break;
      case BtfKind.TYPEDEF:
      case BtfKind.CONST:
      case BtfKind.VOLATILE:
      case BtfKind.RESTRICT:
      case BtfKind.TYPE_TAG:
        at = record.type;
        break;
      case BtfKind.PTR:
        return within(factor * pointerSize);
      case BtfKind.INT:
      case BtfKind.FLOAT:
      case BtfKind.STRUCT:
      case BtfKind.UNION:
      case BtfKind.ENUM:
      case BtfKind.ENUM64:
        return within(factor * record.size);
      default:
        return 0;
    }
    if (factor > MAX_BITS) return 0;
  }
  return 0;
}

const within = (bits: number): number => (bits <= MAX_BITS ? bits : 0);
