/** Infers the alignment that explains each member's offset, or why no compiler made the layout. */
import { alignedThing, alignOf, sizeOf } from '#analysis/types/sizes.ts';
import { type LayoutRow, type StructLayout, structLayout } from '#analysis/types/struct-layout.ts';
import { memoized } from '#bytes/cache.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isComposite, memberCount } from '#model/type-items.ts';
import { arrayData, kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { alignmentBetween, type Piece, placePiece, roundUp } from './placement.ts';

/**
 * Reason why no compiler produced a layout. `packed`: a member is closer than its alignment allows.
 * `gap`: a member is further away than any alignment explains. `irregular`: members overlap, are
 * outside of the struct, or out of order.
 */
export type Unlike = 'packed' | 'gap' | 'irregular';

export type InferredLayout =
  | {
      readonly kind: 'read';
      /** Members by offset, which is also their declaration order. */
      readonly pieces: readonly Piece[];
      readonly alignBits: number;
    }
  | { readonly kind: 'unlike'; readonly why: Unlike };

/** Infers the layout of a STRUCT. `choice` selects among alignments that explain an offset. */
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
  // If the offset is no multiple of the type's inferred alignment, that alignment is too large.
  const isShown = isBitfield || bitOffset % shownBits === 0;
  const alignBits = isShown ? shownBits : 8 * Math.max(1, alignOf(t, type));
  const typeBits = isBitfield ? 8 * Number(sizeOf(t, type) ?? 0n) : bitSize;
  return { index, bitSize, typeBits, isBitfield, alignBits, forcedBits: 0 };
}

/** Returns true if the row is an array without elements: a marker or a flexible array. */
export function isEmptyArray(t: TypeTable, row: LayoutRow): boolean {
  const at = skipModifiers(t, row.type);
  return kindOf(t, at) === BtfKind.ARRAY && arrayData(t, at).nelems === 0;
}

/** Maximum number of members that one call visits; no struct of a kernel has a tenth as many. */
const MAX_MEMBERS = 1 << 18;

const known = memoized((_: TypeTable) => new Map<TypeId, number>());

/** Returns the alignment in bits of a variable of `type`, at least 8, inferred from layouts. */
export function shownAlignBits(t: TypeTable, type: TypeId): number {
  const memo = known(t);
  const at = alignedThing(t, type);
  return isComposite(kindOf(t, at)) ? compositeBits(t, at, memo) : plainBits(t, at);
}

function plainBits(t: TypeTable, type: TypeId): number {
  return 8 * Math.max(1, alignOf(t, type));
}

type Frame = { readonly id: TypeId; readonly layout: StructLayout; next: number };

/** Uses an explicit stack for nested structs, since the file decides how deep they are. */
function compositeBits(t: TypeTable, root: TypeId, memo: Map<TypeId, number>): number {
  const stack: Frame[] = [];
  let members = 0;
  const open = (id: TypeId) => {
    // Alignment of a struct that contains itself or has too many members.
    memo.set(id, plainBits(t, id));
    members += memberCount(t, id);
    if (members <= MAX_MEMBERS) stack.push({ id, layout: structLayout(t, id), next: 0 });
  };
  if (!memo.has(root)) open(root);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const row = frame.layout.rows[frame.next++];
    if (row === undefined) {
      memo.set(frame.id, readBits(t, frame, memo));
      stack.pop();
      continue;
    }
    const inner = alignedThing(t, row.type);
    if (isComposite(kindOf(t, inner)) && !memo.has(inner)) open(inner);
  }
  return memo.get(root) ?? 8;
}

function readBits(t: TypeTable, { id, layout }: Frame, memo: ReadonlyMap<TypeId, number>): number {
  const bitsOf = (type: TypeId) => {
    const at = alignedThing(t, type);
    return memo.get(at) ?? plainBits(t, at);
  };
  if (layout.isUnion) return unionBits(layout, bitsOf);
  const reading = inferLayout(t, layout, (row) => bitsOf(row.type), 'least');
  return reading.kind === 'read' ? reading.alignBits : plainBits(t, id);
}

function unionBits(layout: StructLayout, bitsOf: (type: TypeId) => number): number {
  const sizeBits = 8 * layout.sizeBytes;
  let alignBits = 8;
  let end = 0;
  for (const row of layout.rows) {
    if (row.kind !== 'member') continue;
    alignBits = Math.max(alignBits, bitsOf(row.type));
    end = Math.max(end, row.bitOffset + row.bitSize);
  }
  if (sizeBits % alignBits !== 0) return 8;
  if (roundUp(end, alignBits) === sizeBits) return alignBits;
  return Math.max(alignBits, alignmentBetween(end, sizeBits, 'least') ?? 8);
}
