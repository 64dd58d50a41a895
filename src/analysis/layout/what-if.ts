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
import { BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { isComposite } from '#model/type-items.ts';
import {
  kindOf,
  recordBytes,
  skipModifiers,
  standingOn,
  type TypeTable,
} from '#model/type-table.ts';
import { inferLayout, isEmptyArray, shownAlignBits, type Unlike } from './inferred-layout.ts';
import {
  endOfUnit,
  endOfUnits,
  longestIncreasingSubsequence,
  type Piece,
  placePiece,
  roundUp,
  type Unit,
} from './placement.ts';

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

/**
 * Orders of units that leave few holes.
 *
 * To find the best of all orders is a packing problem without a quick answer. Three
 * ways are tried and the shortest result is taken: fill each hole with what fits
 * from further on, which moves little; begin with the widest alignment, which
 * leaves no hole where sizes are multiples of alignments; and both.
 */

/** Filling looks through all that follows for each hole; longer lists are only sorted. */
const MAX_FILLED = 2048;

/**
 * The shortest order found of `units` from bit `free` on, where what follows
 * begins at a multiple of `endAlignBits`; of equal ones that which moves the
 * fewest. The order that they have is among them, so that it never gets longer.
 */
function bestOrder(units: readonly Unit[], free: number, endAlignBits: number): readonly Unit[] {
  let best = units;
  let least = { end: roundUp(endOfUnits(units, free), endAlignBits), moved: 0 };
  for (const order of ordersOf(units, free)) {
    const end = roundUp(endOfUnits(order, free), endAlignBits);
    if (end > least.end) continue;
    const moved = movedOf(units, order);
    if (end === least.end && moved >= least.moved) continue;
    best = order;
    least = { end, moved };
  }
  return best;
}

function* ordersOf(units: readonly Unit[], free: number): Generator<readonly Unit[]> {
  const isFilled = units.length <= MAX_FILLED;
  const widestFirst = units.toSorted((a, b) => alignOfUnit(b) - alignOfUnit(a));
  if (isFilled) {
    yield filled(units, free);
    yield filled(widestFirst, free);
  }
  yield widestFirst;
  yield widestFirst.toReversed();
}

function alignOfUnit({ pieces }: Unit): number {
  let most = 1;
  for (const { alignBits, forcedBits } of pieces) most = Math.max(most, alignBits, forcedBits);
  return most;
}

/** The same order, but into each hole goes the largest of the later ones that fits; of equal ones the last. */
function filled(units: readonly Unit[], free: number): readonly Unit[] {
  const rest = [...units];
  const done: Unit[] = [];
  let at = free;
  for (let next = rest[0]; next !== undefined; next = rest[0]) {
    const hole = holeBefore(next, at);
    const filler = hole === 0 ? 0 : fillerOf(rest, at, at + hole);
    const [unit] = rest.splice(filler, 1);
    if (unit === undefined) break;
    at = endOfUnit(unit, at);
    done.push(unit);
  }
  return done;
}

/** Bits left free before the unit when it is put at `free`. */
function holeBefore({ pieces }: Unit, free: number): number {
  const [first] = pieces;
  return first === undefined ? 0 : placePiece(first, free) - free;
}

/** Which of `rest` fills most of the hole from `free` to `end`; 0 = the first itself, behind the hole. */
function fillerOf(rest: readonly Unit[], free: number, end: number): number {
  let found = 0;
  let reach = free;
  for (let i = 1; i < rest.length; i++) {
    const unit = rest[i];
    if (unit === undefined) break;
    const unitEnd = endOfUnit(unit, free);
    if (unitEnd > end || unitEnd < reach || unitEnd === free) continue;
    found = i;
    reach = unitEnd;
  }
  return found;
}

/** How many of `units` do not keep their place among the others. */
function movedOf(units: readonly Unit[], order: readonly Unit[]): number {
  const places = new Map(units.map((unit, place) => [unit, place]));
  return (
    units.length - longestIncreasingSubsequence(order.map((unit) => places.get(unit) ?? 0)).size
  );
}

/**
 * A struct with its members in another order, as a type of its own on top of the
 * table that it comes from: what prints and lays out types then does so with it.
 */

const MEMBER_SIZE = 12;
/** As much as a header has; the table has none, but its first record may not be at 0. */
const HEADER_SIZE = 24;

type Reordered = { readonly types: TypeTable; readonly type: TypeId };

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
    ...standingOn(t),
    blob,
    count: 1,
    recordOff: Uint32Array.of(HEADER_SIZE, blob.length),
    strStart: blob.length,
    strEnd: blob.length,
  };
  return { types, type: typeId(types.firstId) };
}
