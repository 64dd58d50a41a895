/**
 * What is drawn for a step of an access path: the members of the struct that it
 * goes through, or the elements of the array, with the picked one among them.
 * A window of what is around it where there are many.
 */
import type { AccessStep } from '#analysis/core/access-path.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { stripped } from '#analysis/types/strip.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { arrayData, type TypeTable } from '#model/type-table.ts';

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
  return {
    form: isUnion ? 'union' : 'struct',
    title: typeExpression(t, step.container),
    parts: rows.slice(start, end).map((row, i) => ({
      key: `${start + i}`,
      kind: row.kind,
      name: row.name,
      bitOffset: row.bitOffset,
      bitSize: row.bitSize,
      isPicked: start + i === picked,
    })),
    before: start,
    after: rows.length - end,
    sizeBytes,
  };
}

function elementStrip(t: TypeTable, step: AccessStep, declared: number): Strip {
  // A flexible array has no count; what is picked is drawn all the same.
  const count = Math.max(declared, step.index + 1);
  const bytes = Number(sizeOf(t, step.type) ?? 0n);
  const { start, end } = around(step.index, count, MAX_ELEMENTS);
  return {
    form: 'array',
    title: typeExpression(t, step.container),
    parts: Array.from({ length: end - start }, (_, i) => ({
      key: `${start + i}`,
      kind: 'element',
      name: `[${start + i}]`,
      bitOffset: (start + i) * bytes * 8,
      bitSize: bytes * 8,
      isPicked: start + i === step.index,
    })),
    before: start,
    after: count - end,
    sizeBytes: bytes * count,
  };
}

/** At most `limit` of `count` things, `picked` as near to the middle as the ends allow. */
function around(picked: number, count: number, limit: number): { start: number; end: number } {
  if (count <= limit) return { start: 0, end: count };
  const start = Math.max(0, Math.min(count - limit, picked - Math.floor(limit / 2)));
  return { start, end: start + limit };
}
