/** The members of a struct as parts of a bar that is as long as the struct. */
import { compositeOf } from '#analysis/layout/member-rows.ts';
import { structLayout } from '#analysis/types/struct-layout.ts';
import type { TypeId } from '#model/ids.ts';
import { memberCount } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';

/** More are too narrow to be told apart on paper. */
const MAX_MEMBERS = 48;

export type BarPart = {
  readonly kind: 'member' | 'hole' | 'padding';
  /** Raw text; empty for holes and what has no name. */
  readonly name: string;
  /** From the start of the struct. */
  readonly bitOffset: number;
  readonly bitSize: number;
  /** Of the whole, from 0 to 1. */
  readonly share: number;
  readonly isMarked: boolean;
};

/** The parts from the left; none for unions, what overlaps, and structs of very many members. */
export function layoutBar(
  types: TypeTable,
  id: TypeId,
  memberPath: readonly number[],
): readonly BarPart[] {
  const composite = compositeOf(types, id);
  if (composite === null || memberCount(types, composite) > MAX_MEMBERS) return [];
  const layout = structLayout(types, composite);
  const whole = layout.sizeBytes * 8;
  const isPlain = layout.rows.every((row) => !row.overlaps && !row.pastEnd);
  if (layout.isUnion || whole === 0 || !isPlain) return [];
  return layout.rows
    .filter(({ bitSize }) => bitSize > 0)
    .map(({ kind, index, name, bitOffset, bitSize }) => ({
      kind,
      name,
      bitOffset,
      bitSize,
      share: bitSize / whole,
      isMarked: kind === 'member' && index === memberPath[0],
    }));
}
