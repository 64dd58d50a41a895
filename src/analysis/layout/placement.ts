/**
 * Places the members of a struct as a C compiler does, by the System V ABI: a member begins at a
 * multiple of its alignment; a bit-field begins at the next free bit, unless it would then touch
 * more alignment units than a variable of its type. Units are bits.
 */

/** A member with its size and alignment. */
export type Piece = {
  /** The member's number as declared. */
  readonly index: number;
  readonly bitSize: number;
  /** Bits of the declared type; a bit-field touches no more alignment units than they do. */
  readonly typeBits: number;
  readonly isBitfield: boolean;
  readonly alignBits: number;
  /** Additional alignment by an attribute; 0 = none. */
  readonly forcedBits: number;
};

/** Members that stay adjacent and in order: a single member, or consecutive bit-fields. */
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

/** Returns the first free bit after `unit`, placed at `free` or later. */
export function endOfUnit(unit: Unit, free: number): number {
  let at = free;
  for (const piece of unit.pieces) at = placePiece(piece, at) + piece.bitSize;
  return at;
}

/** Returns the first free bit after all units, placed from `free` on. */
export function endOfUnits(units: readonly Unit[], free: number): number {
  let at = free;
  for (const unit of units) at = endOfUnit(unit, at);
  return at;
}

/**
 * Returns an alignment that explains a start at `bit` after the free bit `free`: a power of two of
 * at most 4,096 bytes, or null. Of several, a cache line, else the `least` or the `most`.
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

/** Returns the longest ascending subsequence of `order` by patience sorting, n log n. */
export function longestIncreasingSubsequence(order: readonly number[]): ReadonlySet<number> {
  /** By length, the index of the smallest number that ends a subsequence of that length. */
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
