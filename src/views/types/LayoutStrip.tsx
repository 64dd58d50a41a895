import { useMemo } from 'react';
import { type MemberRow, memberRows, rowOfPath } from '#analysis/layout/member-rows.ts';
import { drawToScale } from '#analysis/layout/scale.ts';
import type { TypeId } from '#model/ids.ts';
import { memberCount } from '#model/type-items.ts';
import { sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { StructDrawing } from '#views/parts/StructStrip.tsx';
import { hasHugeNames } from './huge-names.ts';

/** Larger structs are drawn under Layout only. */
const MAX_BYTES = 256;
const MAX_MEMBERS = 256;
const MAX_STRIPS = 16;
const LINE_BYTES = 64;

const NO_ROWS: readonly MemberRow[] = [];
const FOLDED: ReadonlySet<string> = new Set();

type LayoutStripProps = {
  readonly types: TypeTable;
  readonly composite: TypeId;
  /** Index of the selected member, or null. */
  readonly selectedIndex: number | null;
  readonly onSelect: (index: number) => void;
};

/** A small struct to scale in lines of 64 bytes. The table under it says the same. */
export function LayoutStrip({ types, composite, selectedIndex, onSelect }: LayoutStripProps) {
  const sizeBytes = sizeOrTypeOf(types, composite);
  const isSmall = useMemo(
    () =>
      sizeBytes <= MAX_BYTES &&
      memberCount(types, composite) <= MAX_MEMBERS &&
      !hasHugeNames(types, composite),
    [types, composite, sizeBytes],
  );
  const rows = useMemo(
    () => (isSmall ? memberRows(types, composite, FOLDED) : NO_ROWS),
    [types, composite, isSmall],
  );
  const scale = useMemo(
    () => drawToScale(rows, sizeBytes, Math.min(LINE_BYTES, Math.max(1, sizeBytes)), false),
    [rows, sizeBytes],
  );
  const { strips, lineBytes } = scale;
  if (strips.length === 0 || strips.length > MAX_STRIPS) return null;
  return (
    <StructDrawing
      types={types}
      rows={rows}
      strips={strips}
      lineBytes={lineBytes}
      selectedRow={selectedIndex === null ? null : rowOfPath(rows, [selectedIndex])}
      onSelect={(row) => onSelect(row.index)}
    />
  );
}
