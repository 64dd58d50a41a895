import type { RelocIndex } from '#model/ids.ts';
import type { Pin } from '#store/lesson/pins.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { PinMark } from '#views/parts/PinMark.tsx';
import styles from './pin-column.module.css';

/** The columns with the pins of a lesson in front of the type of the entry that they are pinned to. */
export function withPins(
  columns: readonly TableColumn[],
  pins: readonly Pin[],
  relocAt: (row: number) => RelocIndex | null,
): readonly TableColumn[] {
  const pinned = pins.filter(({ selection }) => selection.kind === 'relocation');
  if (pinned.length === 0) return columns;
  const cellOf = (column: TableColumn) => (row: number) => {
    const reloc = relocAt(row);
    const own = pinned.filter(
      ({ selection }) => selection.kind === 'relocation' && selection.reloc === reloc,
    );
    if (own.length === 0) return column.cell(row);
    return (
      <span className={styles.pinned}>
        {own.map((pin) => (
          <PinMark key={pin.number} {...pin} />
        ))}
        {column.cell(row)}
      </span>
    );
  };
  return columns.map((column) =>
    column.id === 'type' ? { ...column, cell: cellOf(column) } : column,
  );
}
