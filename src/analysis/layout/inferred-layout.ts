/**
 * A struct read as a compiler's work: each member with the alignment that puts it
 * where it stands. What cannot be explained so is told as a reason.
 */

import { alignOf, sizeOf } from '#analysis/types/sizes.ts';
import type { LayoutRow, StructLayout } from '#analysis/types/struct-layout.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { arrayData, kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { alignmentBetween, type Piece, placePiece, roundUp } from './placement.ts';

/**
 * Why the places of members are not a compiler's: `packed` = closer than their
 * alignment allows; `gap` = further apart than any alignment explains, as unnamed
 * bit-fields leave it; `irregular` = they overlap, stick out, or are not in order.
 */
export type Unlike = 'packed' | 'gap' | 'irregular';

export type InferredLayout =
  | {
      readonly kind: 'read';
      /** In order of their places, which is that of the declaration. */
      readonly pieces: readonly Piece[];
      readonly alignBits: number;
    }
  | { readonly kind: 'unlike'; readonly why: Unlike };

/**
 * Reads a STRUCT's layout. `alignBitsOf` tells the alignment of a member's type;
 * where several alignments explain a place, `choice` takes one.
 */
export function inferLayout(
  t: TypeTable,
  layout: StructLayout,
  alignBitsOf: (row: LayoutRow) => number,
  choice: 'least' | 'most',
): InferredLayout {
  if (layout.outOfOrder) return unlike('irregular');
  const pieces: Piece[] = [];
  let free = 0;
  let alignBits = 8;
  for (const row of layout.rows) {
    if (row.kind !== 'member') continue;
    if (row.overlaps || row.pastEnd) return unlike('irregular');
    const plain = plainPiece(t, row, alignBitsOf(row));
    const natural = placePiece(plain, free);
    if (row.bitOffset < natural) return unlike('packed');
    const forcedBits =
      row.bitOffset === natural ? 0 : alignmentBetween(free, row.bitOffset, choice);
    if (forcedBits === null) return unlike('gap');
    const piece = { ...plain, forcedBits };
    if (placePiece(piece, free) !== row.bitOffset) return unlike('gap');
    pieces.push(piece);
    free = row.bitOffset + row.bitSize;
    alignBits = Math.max(alignBits, plain.alignBits, forcedBits);
  }
  const sizeBits = 8 * layout.sizeBytes;
  const natural = roundUp(free, alignBits);
  if (sizeBits < natural) return unlike('packed');
  if (sizeBits > natural) {
    const forced = alignmentBetween(free, sizeBits, choice);
    if (forced === null || forced < alignBits) return unlike('gap');
    alignBits = forced;
  }
  return { kind: 'read', pieces, alignBits };
}

function unlike(why: Unlike): InferredLayout {
  return { kind: 'unlike', why };
}

function plainPiece(t: TypeTable, row: LayoutRow, shownBits: number): Piece {
  const { index, bitSize, isBitfield, type, bitOffset } = row;
  // Elsewhere the type looked more aligned than it is.
  const isShown = isBitfield || bitOffset % shownBits === 0;
  const alignBits = isShown ? shownBits : 8 * Math.max(1, alignOf(t, type));
  const typeBits = isBitfield ? 8 * Number(sizeOf(t, type) ?? 0n) : bitSize;
  return { index, bitSize, typeBits, isBitfield, alignBits, forcedBits: 0 };
}

/** Is it an array without elements: a marker of a place, or what follows the struct? */
export function isEmptyArray(t: TypeTable, row: LayoutRow): boolean {
  const at = skipModifiers(t, row.type);
  return kindOf(t, at) === BtfKind.ARRAY && arrayData(t, at).nelems === 0;
}
