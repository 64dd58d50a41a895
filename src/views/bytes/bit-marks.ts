/**
 * Marks that are exact to the bit: the bytes of which all bits are marked as one
 * piece, those of which some are by themselves.
 */
import type { SiteMark } from '#analysis/objects/relocation-facts.ts';
import type { Endian } from '#bytes/span.ts';

export type BytePiece = {
  /** File offsets, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Which bits of the byte, end exclusive; null = all bits of all bytes. */
  readonly bits: { readonly from: number; readonly to: number } | null;
};

/** The pieces in the order of the file. */
export function bytePieces({ span, bitStart, bitLength }: SiteMark, endian: Endian): BytePiece[] {
  const pieces: BytePiece[] = [];
  const count = span.end - span.start;
  for (let i = 0; i < count; i++) {
    // The number of the byte from the least significant one on.
    const rank = endian === 'little' ? i : count - 1 - i;
    const from = Math.max(0, bitStart - 8 * rank);
    const to = Math.min(8, bitStart + bitLength - 8 * rank);
    if (from >= to) continue;
    const start = span.start + i;
    const last = pieces.at(-1);
    const isWhole = from === 0 && to === 8;
    if (isWhole && last !== undefined && last.bits === null && last.end === start) {
      pieces[pieces.length - 1] = { ...last, end: start + 1 };
    } else {
      pieces.push({ start, end: start + 1, bits: isWhole ? null : { from, to } });
    }
  }
  return pieces;
}

/** `bits 0–4`, `bit 7`. */
export function bitsText({ from, to }: NonNullable<BytePiece['bits']>): string {
  return to - from === 1 ? `bit ${from}` : `bits ${from}–${to - 1}`;
}
