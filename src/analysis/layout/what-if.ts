/**
 * What if the members of a struct stood in another order: how small could it be?
 *
 * The order keeps what can be told from BTF: natural alignment, and alignment that
 * was asked for; bit-fields that follow each other stay together and in order;
 * arrays without elements mark places, which no member crosses; a struct that
 * comes first stays first, since code casts to it and back. It is never larger
 * than what is there. Sizes and places are a compiler's for that order: see
 * `placement`.
 */

import { structLayout } from '#analysis/types/struct-layout.ts';
import { isWide } from '#analysis/types/wide-types.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { shownAlignBits } from './alignments.ts';
import { inferLayout, isEmptyArray, type Unlike } from './inferred-layout.ts';
import { longestIncreasingSubsequence } from './longest-increasing-subsequence.ts';
import { bestOrder } from './orders.ts';
import { endOfUnits, type Piece, placePiece, roundUp, type Unit } from './placement.ts';

/** Why there is no other order to look for: besides `Unlike`, unions, structs of fewer than two members, and of more than 10,000. */
export type NoOrder = Unlike | 'union' | 'few' | 'wide';

export type WhatIf =
  | { readonly kind: 'none'; readonly why: NoOrder }
  /** `isLeast`: no order at all could be smaller; else none was found. */
  | { readonly kind: 'same'; readonly isLeast: boolean }
  | {
      readonly kind: 'smaller';
      /** The members' numbers as declared now, in the new order. */
      readonly order: readonly number[];
      /** By the number as declared now: the place in the new order. */
      readonly bitOffsets: readonly number[];
      readonly sizeBytes: number;
      readonly savedBytes: number;
      /** Numbers of the members that have to be moved; the others keep their order. */
      readonly moved: ReadonlySet<number>;
      /** Numbers of the members that an attribute seems to align, with bytes. */
      readonly forced: ReadonlyMap<number, number>;
    };

/** Looks for an order of the members of the STRUCT `id` that takes fewer bytes. */
export function whatIf(t: TypeTable, id: TypeId): WhatIf {
  if (isWide(t, id)) return { kind: 'none', why: 'wide' };
  const layout = structLayout(t, id);
  if (layout.isUnion) return { kind: 'none', why: 'union' };
  const members = layout.rows.filter((row) => row.kind === 'member');
  if (members.length < 2) return { kind: 'none', why: 'few' };
  const reading = inferLayout(t, layout, (row) => shownAlignBits(t, row.type), 'most');
  if (reading.kind === 'unlike') return { kind: 'none', why: reading.why };

  const { pieces, alignBits } = reading;
  const sizeBits = 8 * layout.sizeBytes;
  if (leastBits(pieces, alignBits) >= sizeBits) return { kind: 'same', isLeast: true };
  const staying = members.filter(
    (row, i) =>
      isEmptyArray(t, row) || (i === 0 && isComposite(kindOf(t, skipModifiers(t, row.type)))),
  );
  const stays = new Set(staying.map((row) => row.index));
  const units = reordered(pieces, stays, alignBits);
  const newBits = roundUp(endOfUnits(units, 0), alignBits);
  if (newBits >= sizeBits) return { kind: 'same', isLeast: false };
  return {
    kind: 'smaller',
    ...placed(units, members.length),
    sizeBytes: newBits / 8,
    savedBytes: (sizeBits - newBits) / 8,
    forced: new Map(pieces.filter((p) => p.forcedBits > 0).map((p) => [p.index, p.forcedBits / 8])),
  };
}

/** No order takes fewer bits: all that the members need, without a hole. */
function leastBits(pieces: readonly Piece[], alignBits: number): number {
  let bits = 0;
  for (const piece of pieces) bits += piece.bitSize;
  return roundUp(bits, alignBits);
}

/** The units in their new order: those between two that stay are ordered among themselves. */
function reordered(
  pieces: readonly Piece[],
  stays: ReadonlySet<number>,
  alignBits: number,
): readonly Unit[] {
  const done: Unit[] = [];
  let open: Unit[] = [];
  let free = 0;
  const close = (endAlignBits: number) => {
    const best = bestOrder(open, free, endAlignBits);
    free = endOfUnits(best, free);
    for (const unit of best) done.push(unit);
    open = [];
  };
  for (const unit of unitsOf(pieces)) {
    const [first] = unit.pieces;
    if (first === undefined || !stays.has(first.index)) {
      open.push(unit);
      continue;
    }
    close(Math.max(first.alignBits, first.forcedBits));
    free = endOfUnits([unit], free);
    done.push(unit);
  }
  close(alignBits);
  return done;
}

/** Each member alone, bit-fields with those that follow them. */
function unitsOf(pieces: readonly Piece[]): Unit[] {
  const units: { pieces: Piece[] }[] = [];
  for (const piece of pieces) {
    const last = units.at(-1);
    if (piece.isBitfield && last?.pieces[0]?.isBitfield === true) last.pieces.push(piece);
    else units.push({ pieces: [piece] });
  }
  return units;
}

function placed(units: readonly Unit[], count: number) {
  const order: number[] = [];
  const bitOffsets = Array.from({ length: count }, () => 0);
  let free = 0;
  for (const unit of units) {
    for (const piece of unit.pieces) {
      const at = placePiece(piece, free);
      order.push(piece.index);
      bitOffsets[piece.index] = at;
      free = at + piece.bitSize;
    }
  }
  const stand = longestIncreasingSubsequence(order);
  return { order, bitOffsets, moved: new Set(order.filter((index) => !stand.has(index))) };
}
