/**
 * A struct drawn to scale in lines of eight bytes. Of a large one only what lies
 * around the picked member is drawn, and of a large member only where it begins
 * and ends.
 */
import { type MemberRow, memberRows } from '#analysis/layout/member-rows.ts';
import { drawLinesToScale, type ScaleStrip } from '#analysis/layout/scale.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

export const LINE_BYTES = 8;
const LINE_BITS = 8 * LINE_BYTES;
/** Structs of so many lines are drawn whole. */
const MAX_LINES = 10;
/** Lines on either side of the picked member. */
const AROUND = 3;
/** Structs with more members than this are not laid out line by line. */
const MAX_ROWS = 20_000;

export type StructMap = {
  readonly sizeBytes: number;
  /** What takes room: members, holes and padding. Boxes of the strips count them. */
  readonly rows: readonly MemberRow[];
  /** One for each line, and for lines that are left out. */
  readonly strips: readonly ScaleStrip[];
  /** Row of the picked member; null for none, and for one that takes no room. */
  readonly pickedRow: number | null;
};

const FOLDED: ReadonlySet<string> = new Set();

/**
 * The map of a STRUCT with its member `picked` (its number; null for none). Null
 * for unions, for what has no bytes, and where members overlap or stick out.
 */
export function structMap(t: TypeTable, id: TypeId, picked: number | null): StructMap | null {
  const sizeBytes = kindOf(t, id) === BtfKind.STRUCT ? sizeOrTypeOf(t, id) : 0;
  const all = sizeBytes === 0 ? [] : memberRows(t, id, FOLDED);
  if (all.length === 0 || all.length > MAX_ROWS) return null;
  if (all.some((row) => row.overlaps || row.pastEnd)) return null;
  const chosen = all.find((row) => row.index === picked && row.kind === 'member');
  const lines = drawnLines(Math.ceil(sizeBytes / LINE_BYTES), chosen);
  const rows = all.filter(({ bitSize }) => bitSize > 0);
  const { strips } = drawLinesToScale(rows, sizeBytes, LINE_BYTES, lines);
  const pickedRow = chosen === undefined ? -1 : rows.indexOf(chosen);
  return { sizeBytes, rows, strips, pickedRow: pickedRow < 0 ? null : pickedRow };
}

/** Numbers of the lines that are drawn, in order. */
function drawnLines(count: number, chosen: MemberRow | undefined): number[] {
  if (count <= MAX_LINES) return Array.from({ length: count }, (_, line) => line);
  const { bitOffset, bitSize } = chosen ?? { bitOffset: 0, bitSize: 0 };
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
