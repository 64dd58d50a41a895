/** A small struct drawn to scale: lines of 64 bytes, as many as a cache line has. */
import type { LayoutRow, StructLayout } from '#analysis/struct-layout.ts';

const MAX_BYTES = 256;
const LINE_BYTES = 64;

/** A part of a member or hole that lies on one line. */
export type StripCell = {
  readonly row: LayoutRow;
  /** From the start of the struct. */
  readonly startBit: number;
  readonly bits: number;
  /** Does it begin on a line before? */
  readonly isRest: boolean;
};

export type StripLine = { readonly startByte: number; readonly cells: readonly StripCell[] };

export type Strip = {
  /** Width of a whole line. */
  readonly lineBits: number;
  readonly lines: readonly StripLine[];
};

/** The strip of a struct of up to 256 bytes; null for unions and where members overlap or stick out. */
export function layoutStrip(layout: StructLayout): Strip | null {
  const { sizeBytes, rows, isUnion } = layout;
  if (isUnion || sizeBytes === 0 || sizeBytes > MAX_BYTES) return null;
  if (rows.some((row) => row.overlaps || row.pastEnd)) return null;
  const lineBits = 8 * Math.min(sizeBytes, LINE_BYTES);
  const lines: { startByte: number; cells: StripCell[] }[] = [];
  for (let startByte = 0; startByte < sizeBytes; startByte += lineBits / 8) {
    lines.push({ startByte, cells: [] });
  }
  for (const row of rows) {
    const end = row.bitOffset + row.bitSize;
    for (let startBit = row.bitOffset; startBit < end; ) {
      const line = Math.floor(startBit / lineBits);
      const endBit = Math.min(end, (line + 1) * lineBits);
      const isRest = startBit > row.bitOffset;
      lines[line]?.cells.push({ row, startBit, bits: endBit - startBit, isRest });
      startBit = endBit;
    }
  }
  return { lineBits, lines };
}
