/**
 * A struct drawn to scale: lines of eight bytes, each member as wide as its bits.
 * Of a large one only what lies around the picked member is drawn, and of a large
 * member only where it begins and ends.
 */
import { structLayout } from '#analysis/struct-layout.ts';
import type { TypeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';

const LINE_BITS = 64;
/** Structs of so many lines are drawn whole. */
const MAX_LINES = 10;
/** Lines on either side of the picked member. */
const AROUND = 3;
/** Structs with more members than this are not laid out line by line. */
const MAX_ROWS = 20_000;

export type MapCell = {
  readonly key: string;
  readonly kind: 'member' | 'hole' | 'padding';
  /** Raw text; empty for what has no name. */
  readonly name: string;
  /** Of the whole member, in bits from the start of the struct. */
  readonly bitOffset: number;
  readonly bitSize: number;
  /** Of the line. */
  readonly share: number;
  readonly isBitfield: boolean;
  readonly isPicked: boolean;
  /** Does it begin on a line before? */
  readonly isRest: boolean;
};

export type MapLine =
  | { readonly kind: 'bytes'; readonly startByte: number; readonly cells: readonly MapCell[] }
  /** Lines that are not drawn, the last byte exclusive. */
  | { readonly kind: 'left-out'; readonly startByte: number; readonly endByte: number };

export type StructMap = { readonly sizeBytes: number; readonly lines: readonly MapLine[] };

/**
 * The map of a STRUCT with its member `picked` (its number; null for none). Null
 * for unions, for what has no bytes, and where members overlap or stick out.
 */
export function structMap(t: TypeTable, id: TypeId, picked: number | null): StructMap | null {
  const { rows, isUnion, sizeBytes } = structLayout(t, id);
  if (isUnion || sizeBytes === 0 || rows.length > MAX_ROWS) return null;
  if (rows.some((row) => row.overlaps || row.pastEnd)) return null;
  const count = Math.ceil((sizeBytes * 8) / LINE_BITS);
  const chosen = rows.find((row) => row.index === picked && row.kind === 'member');
  const drawn = drawnLines(count, chosen?.bitOffset ?? 0, chosen?.bitSize ?? 0);
  const cells = new Map<number, MapCell[]>(drawn.map((line) => [line, []]));
  for (const row of rows) {
    const end = row.bitOffset + row.bitSize;
    for (const line of linesBetween(drawn, row.bitOffset, end)) {
      const start = Math.max(row.bitOffset, line * LINE_BITS);
      const bits = Math.min(end, (line + 1) * LINE_BITS) - start;
      cells.get(line)?.push({
        key: `${start}`,
        kind: row.kind,
        name: row.name,
        bitOffset: row.bitOffset,
        bitSize: row.bitSize,
        share: bits / LINE_BITS,
        isBitfield: row.isBitfield,
        isPicked: row === chosen,
        isRest: start > row.bitOffset,
      });
    }
  }
  return { sizeBytes, lines: withGaps(drawn, cells, sizeBytes) };
}

/** Numbers of the lines that are drawn, in order. */
function drawnLines(count: number, bitOffset: number, bitSize: number): number[] {
  if (count <= MAX_LINES) return Array.from({ length: count }, (_, line) => line);
  const first = Math.floor(bitOffset / LINE_BITS);
  const last = Math.max(first, Math.floor((bitOffset + bitSize - 1) / LINE_BITS));
  const drawn = new Set<number>();
  const add = (from: number, to: number) => {
    for (let line = Math.max(0, from); line <= Math.min(count - 1, to); line++) drawn.add(line);
  };
  add(0, 0);
  add(first - AROUND, first + 1);
  add(last - 1, last + AROUND);
  add(count - 1, count - 1);
  return [...drawn].sort((a, b) => a - b);
}

/** Those of the drawn lines that have one of the bits. */
function linesBetween(drawn: readonly number[], start: number, end: number): number[] {
  if (end <= start) return [];
  const first = Math.floor(start / LINE_BITS);
  const last = Math.floor((end - 1) / LINE_BITS);
  return drawn.filter((line) => line >= first && line <= last);
}

function withGaps(
  drawn: readonly number[],
  cells: ReadonlyMap<number, readonly MapCell[]>,
  sizeBytes: number,
): MapLine[] {
  const bytes = LINE_BITS / 8;
  const lines: MapLine[] = [];
  let next = 0;
  for (const line of drawn) {
    const startByte = line * bytes;
    if (line > next) lines.push({ kind: 'left-out', startByte: next * bytes, endByte: startByte });
    lines.push({ kind: 'bytes', startByte, cells: cells.get(line) ?? [] });
    next = line + 1;
  }
  if (next * bytes < sizeBytes) {
    lines.push({ kind: 'left-out', startByte: next * bytes, endByte: sizeBytes });
  }
  return lines;
}
