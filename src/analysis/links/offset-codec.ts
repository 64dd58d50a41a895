/**
 * Where members lie, told as the gap behind the member before: nearly always 0.
 * In a union the gap is that from its start. The rules are told in `type-codec.ts`.
 */
import { BtfKind } from '#formats/btf/kinds.ts';
import type { BtfCompositeRecord, BtfRecord } from '#formats/btf/write-records.ts';
import { isModifier } from '#model/type-table.ts';
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
    if ('size' in record) return record.kind === BtfKind.DATASEC ? 0 : within(factor * record.size);
    if (record.kind === BtfKind.PTR) return within(factor * pointerSize);
    if (record.kind === BtfKind.ARRAY) {
      factor *= record.nelems;
      at = record.elemType;
    } else if ('type' in record && isModifier(record.kind)) {
      at = record.type;
    } else {
      return 0;
    }
    if (factor > MAX_BITS) return 0;
  }
  return 0;
}

const within = (bits: number): number => (bits <= MAX_BITS ? bits : 0);
