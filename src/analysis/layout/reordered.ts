/**
 * A struct with its members in another order, as a type of its own on top of the
 * table that it comes from: what prints and lays out types then does so with it.
 */

import { structLayout } from '#analysis/types/struct-layout.ts';
import { BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { lastId, recordBytes, type TypeTable } from '#model/type-table.ts';
import type { WhatIf } from './what-if.ts';

const MEMBER_SIZE = 12;
/** As much as a header has; the table has none, but its first record may not be at 0. */
const HEADER_SIZE = 24;

export type Reordered = { readonly types: TypeTable; readonly type: TypeId };

/** The STRUCT `id` of `t` as `proposal` has it. Names and types of members are those of `t`. */
export function reorderedStruct(
  t: TypeTable,
  id: TypeId,
  { order, bitOffsets, sizeBytes }: Extract<WhatIf, { kind: 'smaller' }>,
): Reordered {
  const old = recordBytes(t, id);
  const blob = new Uint8Array(HEADER_SIZE + old.length);
  blob.set(old, HEADER_SIZE);
  const view = new DataView(blob.buffer);
  const little = t.endian === 'little';
  view.setUint32(HEADER_SIZE + 8, sizeBytes, little);
  const oldOffsets = new Map(structLayout(t, id).rows.map((row) => [row.index, row.bitOffset]));
  const oldView = new DataView(old.buffer, old.byteOffset, old.byteLength);
  order.forEach((index, place) => {
    const from = BTF_TYPE_SIZE + MEMBER_SIZE * index;
    const to = HEADER_SIZE + BTF_TYPE_SIZE + MEMBER_SIZE * place;
    blob.set(old.subarray(from, from + MEMBER_SIZE), to);
    // The word also holds the width of a bit-field, or counts from another bit: only the step is known.
    const step = (bitOffsets[index] ?? 0) - (oldOffsets.get(index) ?? 0);
    view.setUint32(to + 8, oldView.getUint32(from + 8, little) + step, little);
  });
  const types: TypeTable = {
    blob,
    endian: t.endian,
    fileOffset: null,
    firstId: lastId(t) + 1,
    count: 1,
    recordOff: Uint32Array.of(HEADER_SIZE, blob.length),
    strStart: blob.length,
    strEnd: blob.length,
    strBase: t.strBase + (t.strEnd - t.strStart),
    split: true,
    base: t,
  };
  return { types, type: typeId(types.firstId) };
}
