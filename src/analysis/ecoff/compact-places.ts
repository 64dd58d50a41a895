/** Places that a compact record patches: Tru64 UNIX Object File Specification, 4.4.2.4 and 4.4.4. */
import type { CompactRecord } from '#formats/ecoff/compact.ts';

export type CompactPlace = {
  /** Bytes from the start of the section. May be outside of the section. */
  readonly byteOffset: number;
  readonly byteCount: number;
  readonly bitLength: number;
  readonly role: string;
};

/** By compact record type: size of the patched site in bytes, and number of patched bits. */
const SHAPES: ReadonlyMap<number, readonly [byteCount: number, bitLength: number]> = new Map([
  [1, [4, 32]],
  [2, [8, 64]],
  [3, [4, 32]],
  [4, [4, 16]],
  [5, [4, 21]],
  [6, [4, 14]],
  [7, [2, 16]],
  [8, [4, 32]],
  [9, [8, 64]],
  [11, [4, 16]],
  [12, [4, 16]],
  [15, [4, 16]],
  [16, [4, 16]],
]);

/** Returns the number of places of a record, at most 4095: a run has several (4.4.4, step 1). */
export function compactPlaceCount({ type, meaning }: CompactRecord): number {
  if (!SHAPES.has(type)) return 0;
  if (meaning.kind === 'gpdisp') return 2;
  return meaning.kind === 'address' ? Math.max(1, meaning.count) : 1;
}

/** Returns place `i` of a record; the record has `compactPlaceCount` places. */
export function compactPlace({ type, vOffset, meaning }: CompactRecord, i: number): CompactPlace {
  // NO_RELOC, EXPRESSION and unknown types state no width.
  const [byteCount, bitLength] = SHAPES.get(type) ?? [1, 0];
  if (meaning.kind === 'gpdisp' && i === 1) {
    return { byteOffset: vOffset + 4 * meaning.ldaOffset, byteCount, bitLength, role: 'partner' };
  }
  return { byteOffset: vOffset + i * byteCount, byteCount, bitLength, role: roleOf(meaning) };
}

function roleOf({ kind }: CompactRecord['meaning']): string {
  if (kind === 'gpdisp') return 'first';
  return kind === 'address' ? 'data' : 'displacement';
}
