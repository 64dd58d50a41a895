import { useMemo } from 'react';
import type { StructLayout } from '#analysis/struct-layout.ts';
import { visible } from '#bytes/text.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import { hexText } from '#views/parts/number-text.ts';
import { widthText } from '#views/parts/type-size-text.ts';
import styles from './LayoutStrip.module.css';
import { layoutStrip, type StripCell } from './layout-strip.ts';
import { gapText } from './member-tree.ts';

type LayoutStripProps = {
  readonly types: TypeTable;
  readonly layout: StructLayout;
  /** Number of the selected member, or null. */
  readonly selectedIndex: number | null;
  readonly onSelect: (index: number) => void;
};

/**
 * A small struct to scale: holes are hatched, bit-fields are as narrow as they
 * are. It is for the eye and the pointer; the table under it says the same.
 */
export function LayoutStrip({ types, layout, selectedIndex, onSelect }: LayoutStripProps) {
  const strip = useMemo(() => layoutStrip(layout), [layout]);
  if (strip === null) return null;
  return (
    <div className={styles.strip} aria-hidden="true">
      {strip.lines.map((line) => (
        <div key={line.startByte} className={styles.line}>
          <span className={styles.offset}>{hexText(line.startByte)}</span>
          <div className={styles.cells}>
            {line.cells.map((cell) => (
              <Cell
                key={cell.startBit}
                types={types}
                cell={cell}
                share={cell.bits / strip.lineBits}
                isSelected={cell.row.index === selectedIndex}
                onSelect={onSelect}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

type CellProps = {
  readonly types: TypeTable;
  readonly cell: StripCell;
  /** Of the line's width, up to 1. */
  readonly share: number;
  readonly isSelected: boolean;
  readonly onSelect: (index: number) => void;
};

function Cell({ types, cell, share, isSelected, onSelect }: CellProps) {
  const { row } = cell;
  const style = { width: `${share * 100}%` };
  const place = hexText(Math.floor(row.bitOffset / 8));
  if (row.kind !== 'member') {
    return <span className={styles.gap} style={style} title={`${gapText(row)} at ${place}`} />;
  }
  const name = visible(row.name) || '(anon)';
  const { tone } = kindStyle(kindOf(types, skipModifiers(types, row.type)));
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.cell}
      style={style}
      data-tone={tone}
      data-selected={isSelected}
      title={`${name} at ${place}, ${widthText(row.bitSize)}`}
      onClick={() => onSelect(row.index)}
    >
      {cell.isRest ? `… ${name}` : name}
    </button>
  );
}
