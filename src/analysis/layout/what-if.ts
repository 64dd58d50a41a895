/**
 * Searches for an order of a struct's members that needs fewer bytes.
 *
 * The new order keeps alignments and adjacent bit-fields. No member crosses an array without
 * elements, which is a marker. A struct at the start stays first, since code casts to it and back.
 * A proposed order is never larger.
 */
import { structLayout } from '#analysis/types/struct-layout.ts';
import { isWide } from '#analysis/types/wide-types.ts';
import { BTF_HEADER_SIZE } from '#formats/btf/header.ts';
import { BTF_MEMBER, BTF_TYPE_SIZE } from '#formats/btf/kinds.ts';
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

/**
 * Reason for no search: `Unlike`, a union, fewer than 2 members, more than 10,000, or sizes in a base
 * that is not at hand.
 */
export type NoOrder = Unlike | 'union' | 'few' | 'wide' | 'base';

export type WhatIf =
  | { readonly kind: 'none'; readonly why: NoOrder }
  /** `isLeast`: no order can be smaller. Otherwise the search found none. */
  | { readonly kind: 'same'; readonly isLeast: boolean }
  | {
      readonly kind: 'smaller';
      /** Current member indices, listed in the new order. */
      readonly order: readonly number[];
      /** New bit offset of each member, by its current index. */
      readonly bitOffsets: readonly number[];
      readonly sizeBytes: number;
      readonly savedBytes: number;
      /** Current indices of the moved members; all other members keep their order. */
      readonly moved: ReadonlySet<number>;
      /** Alignment in bytes of each member that an attribute seems to align, by current index. */
      readonly forced: ReadonlyMap<number, number>;
    };

/** Returns an order of the members of STRUCT `id` with fewer bytes, or why there is none. */
export function whatIf(t: TypeTable, id: TypeId): WhatIf {
  if (isWide(t, id)) return { kind: 'none', why: 'wide' };
  const layout = structLayout(t, id);
  if (layout.isUnion) return { kind: 'none', why: 'union' };
  const members = layout.rows.filter((row) => row.kind === 'member');
  if (members.length < 2) return { kind: 'none', why: 'few' };
  if (layout.unknownSizes > 0) return { kind: 'none', why: 'base' };
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

/** Returns a lower bound of the size in bits: the members without holes. */
function leastBits(pieces: readonly Piece[], alignBits: number): number {
  let bits = 0;
  for (const piece of pieces) bits += piece.bitSize;
  return roundUp(bits, alignBits);
}

/** Returns the units in the new order; units between two fixed units are sorted. */
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

/** Returns one unit per member; consecutive bit-fields share a unit. */
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
  const unmoved = longestIncreasingSubsequence(order);
  return { order, bitOffsets, moved: new Set(order.filter((index) => !unmoved.has(index))) };
}

/** Maximum number of units for `filled`, which searches all later units for each hole. */
const MAX_FILLED = 2048;

/** Returns the shortest order of `units` from bit `free` on; of several, one with fewest moves. */
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

/** Yields orders with few holes: with filled holes, sorted by alignment, or both. */
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
  return pieces.reduce((max, { alignBits, forcedBits }) => Math.max(max, alignBits, forcedBits), 1);
}

/** Returns an order in which the later unit that fills most of a hole is moved into the hole. */
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

/** Returns the bits of the hole before the unit if `free` is the first free bit. */
function holeBefore({ pieces }: Unit, free: number): number {
  const [first] = pieces;
  return first === undefined ? 0 : placePiece(first, free) - free;
}

/** Returns the index in `rest` of the unit that fills most of a hole; 0 for none. */
function fillerOf(rest: readonly Unit[], free: number, end: number): number {
  let filler = 0;
  let reach = free;
  for (let i = 1; i < rest.length; i++) {
    const unit = rest[i];
    if (unit === undefined) break;
    const unitEnd = endOfUnit(unit, free);
    if (unitEnd > end || unitEnd < reach || unitEnd === free) continue;
    filler = i;
    reach = unitEnd;
  }
  return filler;
}

/** Returns how many of `units` do not keep their relative order. */
function movedOf(units: readonly Unit[], order: readonly Unit[]): number {
  const places = new Map(units.map((unit, place) => [unit, place]));
  return (
    units.length - longestIncreasingSubsequence(order.map((unit) => places.get(unit) ?? 0)).size
  );
}

type Reordered = { readonly types: TypeTable; readonly type: TypeId };

/** Returns STRUCT `id` of `t` in the proposed order, in a new table whose base is `t`. */
export function reorderedStruct(
  t: TypeTable,
  id: TypeId,
  { order, bitOffsets, sizeBytes }: Extract<WhatIf, { kind: 'smaller' }>,
): Reordered {
  const old = recordBytes(t, id);
  // The new table has no header, but its first record must not be at offset 0.
  const blob = new Uint8Array(BTF_HEADER_SIZE + old.length);
  blob.set(old, BTF_HEADER_SIZE);
  const view = new DataView(blob.buffer);
  const little = t.endian === 'little';
  view.setUint32(BTF_HEADER_SIZE + 8, sizeBytes, little);
  const oldOffsets = new Map(structLayout(t, id).rows.map((row) => [row.index, row.bitOffset]));
  const oldView = new DataView(old.buffer, old.byteOffset, old.byteLength);
  order.forEach((index, place) => {
    const from = BTF_TYPE_SIZE + BTF_MEMBER.size * index;
    const to = BTF_HEADER_SIZE + BTF_TYPE_SIZE + BTF_MEMBER.size * place;
    blob.set(old.subarray(from, from + BTF_MEMBER.size), to);
    // The word may also hold a bit-field width: change only the offset in it.
    const step = (bitOffsets[index] ?? 0) - (oldOffsets.get(index) ?? 0);
    view.setUint32(to + 8, oldView.getUint32(from + 8, little) + step, little);
  });
  const types: TypeTable = {
    ...standingOn(t),
    blob,
    count: 1,
    recordOff: Uint32Array.of(BTF_HEADER_SIZE, blob.length),
    strStart: blob.length,
    strEnd: blob.length,
  };
  return { types, type: typeId(types.firstId) };
}
