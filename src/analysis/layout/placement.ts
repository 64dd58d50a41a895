/**
 * Places the members of a struct as a C compiler does, by the System V ABI. A member begins at a
 * multiple of its alignment. A bit-field begins at the next free bit, unless it would touch more
 * alignment units than a variable of its type. Units are bits.
 */

/** A member to place, with its size and alignment. */
export type Piece = {
  /** Index of the member in declaration order. */
  readonly index: number;
  readonly bitSize: number;
  /** Size in bits of the declared type; it bounds the alignment units that a bit-field touches. */
  readonly typeBits: number;
  readonly isBitfield: boolean;
  readonly alignBits: number;
  /** Additional alignment by an attribute, in bits; 0 for none. */
  readonly forcedBits: number;
};

/** Members that stay adjacent and in order: one member, or several consecutive bit-fields. */
export type Unit = { readonly pieces: readonly Piece[] };

/** Returns the smallest multiple of `step` that is at least `value`. */
export function roundUp(value: number, step: number): number {
  const rest = value % step;
  return rest === 0 ? value : value + step - rest;
}

/** Returns the bit offset of `piece` if `free` is the first free bit. */
export function placePiece(piece: Piece, free: number): number {
  const { isBitfield, alignBits, forcedBits, bitSize, typeBits } = piece;
  if (!isBitfield) return roundUp(free, Math.max(alignBits, forcedBits));
  const at = forcedBits === 0 ? free : roundUp(free, forcedBits);
  const touched = Math.ceil(((at % alignBits) + bitSize) / alignBits);
  return touched > typeBits / alignBits ? roundUp(at, alignBits) : at;
}

/** Returns the first free bit after `unit`, if `free` is the first free bit before it. */
export function endOfUnit(unit: Unit, free: number): number {
  let at = free;
  for (const piece of unit.pieces) at = placePiece(piece, at) + piece.bitSize;
  return at;
}

/** Returns the first free bit after `units`, if `free` is the first free bit before them. */
export function endOfUnits(units: readonly Unit[], free: number): number {
  let at = free;
  for (const unit of units) at = endOfUnit(unit, at);
  return at;
}

/**
 * Returns an alignment that explains why a member starts at `bit` after the free bit `free`: a
 * power of two up to 4,096 bytes, or null. If several explain it, a cache line is preferred, else
 * the `least` or the `most`.
 */
export function alignmentBetween(
  free: number,
  bit: number,
  choice: 'least' | 'most',
): number | null {
  let alignBits: number | null = null;
  for (let bytes = 1; bytes <= 4096; bytes *= 2) {
    if (roundUp(free, 8 * bytes) !== bit) continue;
    if (bytes === 64) return 8 * bytes;
    if (alignBits === null || choice === 'most') alignBits = 8 * bytes;
  }
  return alignBits;
}

/** Returns a longest ascending subsequence of `order`, by patience sorting in n log n steps. */
export function longestIncreasingSubsequence(order: readonly number[]): ReadonlySet<number> {
  /** Index of the smallest number that ends a subsequence of each length. */
  const ends: number[] = [];
  const before: number[] = [];
  order.forEach((value, at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((order[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  });
  const longest = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) longest.add(order[at] ?? 0);
  return longest;
}
