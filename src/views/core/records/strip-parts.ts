/**
 * What is drawn for a step of an access path: members of the struct that it goes through, or
 * elements of the array, with the picked one among them.
 */
import type { AccessStep } from '#analysis/core/access-path.ts';
import { type MemberRow, memberRows } from '#analysis/layout/member-rows.ts';
import { drawLinesToScale, type ScaleStrip } from '#analysis/layout/scale.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { stripped } from '#analysis/types/strip.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { arrayData, kindOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';

export type StripPart = {
  readonly key: string;
  readonly kind: 'member' | 'hole' | 'padding' | 'element';
  /** Raw text; empty for what has no name. */
  readonly name: string;
  /** Bits from the start of the struct or array. */
  readonly bitOffset: number;
  readonly bitSize: number;
  readonly isPicked: boolean;
};

export type Strip = {
  /** Beside each other, or in a union above each other, all from bit 0. */
  readonly form: 'struct' | 'union' | 'array';
  /** The struct or array as C spells it. Raw text. */
  readonly title: string;
  readonly parts: readonly StripPart[];
  /** Parts left out on either side. */
  readonly before: number;
  readonly after: number;
  /** Of all of it; null where it has no size. */
  readonly sizeBytes: number | null;
};

const MAX_PARTS = 40;
const MAX_UNION_PARTS = 12;
const MAX_ELEMENTS = 24;

/** Null where there is nothing to draw: enumerators, types, structs without members. */
export function stripOf(t: TypeTable, step: AccessStep): Strip | null {
  switch (step.means) {
    case 'member':
    case 'anonymous-member':
      return memberStrip(t, step);
    case 'array-element':
      return elementStrip(t, step, arrayData(t, stripped(t, step.container)).nelems);
    case 'element-of-pointer':
      // One element says nothing that the next step does not.
      return step.index === 0 ? null : elementStrip(t, step, step.index + 1);
    default:
      return null;
  }
}

function memberStrip(t: TypeTable, step: AccessStep): Strip | null {
  const { rows, isUnion, sizeBytes } = structLayout(t, stripped(t, step.container));
  const picked = rows.findIndex((row) => row.kind === 'member' && row.index === step.index);
  if (picked < 0) return null;
  const { start, end } = around(picked, rows.length, isUnion ? MAX_UNION_PARTS : MAX_PARTS);
  const parts = rows.slice(start, end).map(({ kind, name, bitOffset, bitSize }, i) => {
    return { key: `${start + i}`, kind, name, bitOffset, bitSize, isPicked: start + i === picked };
  });
  const title = typeExpression(t, step.container);
  const form = isUnion ? 'union' : 'struct';
  return { form, title, parts, before: start, after: rows.length - end, sizeBytes };
}

function elementStrip(t: TypeTable, step: AccessStep, declared: number): Strip {
  // A flexible array has no count; what is picked is drawn all the same.
  const count = Math.max(declared, step.index + 1);
  const bytes = Number(sizeOf(t, step.type) ?? 0n);
  const { start, end } = around(step.index, count, MAX_ELEMENTS);
  const parts = Array.from({ length: end - start }, (_, i): StripPart => {
    const at = start + i;
    const place = { bitOffset: at * bytes * 8, bitSize: bytes * 8 };
    return {
      key: `${at}`,
      kind: 'element',
      name: `[${at}]`,
      ...place,
      isPicked: at === step.index,
    };
  });
  const title = typeExpression(t, step.container);
  const sizeBytes = bytes * count;
  return { form: 'array', title, parts, before: start, after: count - end, sizeBytes };
}

/** At most `limit` of `count` things, `picked` as near to the middle as the ends allow. */
function around(picked: number, count: number, limit: number): { start: number; end: number } {
  if (count <= limit) return { start: 0, end: count };
  const start = Math.max(0, Math.min(count - limit, picked - Math.floor(limit / 2)));
  return { start, end: start + limit };
}

export const LINE_BYTES = 8;
const LINE_BITS = 8 * LINE_BYTES;
/** Structs of so many lines are drawn whole. */
const MAX_LINES = 10;
/** Lines on either side of the picked member. */
const AROUND = 3;
/** Structs with more members than this are not laid out line by line. */
const MAX_ROWS = 20_000;

/**
 * A struct to scale in lines of eight bytes. Of a large one only the lines around the picked member
 * are drawn, and of a large member only where it begins and ends.
 */
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
