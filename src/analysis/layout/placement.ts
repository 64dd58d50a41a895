/**
 * Where a C compiler puts the members of a struct, one behind the other.
 *
 * The rules are those of the System V ABI, which Linux follows on all its
 * machines: a member begins at a multiple of its alignment; a bit-field goes on
 * at the next free bit, unless it would then touch more units of its declared
 * type than one variable of that type does. All measures are bits, as in BTF.
 */

/** What the compiler knows of one member. */
export type Piece = {
  /** The member's number as declared. */
  readonly index: number;
  readonly bitSize: number;
  /** Bits of its declared type; for a bit-field they say where it may not cross. */
  readonly typeBits: number;
  readonly isBitfield: boolean;
  readonly alignBits: number;
  /** What it asks for beyond that by an attribute; 0 = nothing. */
  readonly forcedBits: number;
};

/** Members that keep together and in order: one, or the bit-fields that follow each other. */
export type Unit = { readonly pieces: readonly Piece[] };

/** The least multiple of `step` that is `value` or more. */
export function roundUp(value: number, step: number): number {
  const rest = value % step;
  return rest === 0 ? value : value + step - rest;
}

/** The bit at which `piece` begins when the first free one is `free`. */
export function placePiece(piece: Piece, free: number): number {
  const { isBitfield, alignBits, forcedBits, bitSize, typeBits } = piece;
  if (!isBitfield) return roundUp(free, Math.max(alignBits, forcedBits));
  const at = forcedBits === 0 ? free : roundUp(free, forcedBits);
  const touched = Math.ceil(((at % alignBits) + bitSize) / alignBits);
  return touched > typeBits / alignBits ? roundUp(at, alignBits) : at;
}

/** The first free bit behind `unit` when it is put at `free` or later. */
export function endOfUnit(unit: Unit, free: number): number {
  let at = free;
  for (const piece of unit.pieces) at = placePiece(piece, at) + piece.bitSize;
  return at;
}

/** The first free bit behind all of them. */
export function endOfUnits(units: readonly Unit[], free: number): number {
  let at = free;
  for (const unit of units) at = endOfUnit(unit, at);
  return at;
}

/**
 * An alignment that explains why something stands at `bit` though `free` was the
 * first free one: a power of two of whole bytes, up to 4,096. Of several that of a
 * cache line, else the `least`, which is certain, or the `most`, with which a
 * promise holds whichever it is. Null where none does.
 */
export function alignmentBetween(
  free: number,
  bit: number,
  choice: 'least' | 'most',
): number | null {
  let found: number | null = null;
  for (let bytes = 1; bytes <= 4096; bytes *= 2) {
    if (roundUp(free, 8 * bytes) !== bit) continue;
    if (bytes === 64) return 8 * bytes;
    if (found === null || choice === 'most') found = 8 * bytes;
  }
  return found;
}

/**
 * The most of `order`'s numbers that stand in ascending order as they are: when a
 * list was put into another order, those that did not have to be moved. Patience
 * sorting, n log n.
 */
export function longestIncreasingSubsequence(order: readonly number[]): ReadonlySet<number> {
  /** Of each length the place of the smallest number that a run of that length ends with. */
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
  const found = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) found.add(order[at] ?? 0);
  return found;
}
