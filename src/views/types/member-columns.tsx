import { type MemberRow, pathKey } from '#analysis/layout/member-rows.ts';
import type { TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { hexText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './MemberCell.module.css';
import { MemberCell } from './MemberCell.tsx';
import type { MemberPins } from './use-member-pins.ts';

const NO_PINS: MemberPins = new Map();

/** The columns of the table of members. `toggle` folds or unfolds the member at a path, `pins` are a lesson's. */
export function memberColumns(
  types: TypeTable,
  rows: readonly MemberRow[],
  toggle: (path: readonly number[]) => void,
  pins: MemberPins = NO_PINS,
): TableColumn[] {
  const column = (
    id: string,
    header: string,
    width: number,
    text: (row: MemberRow) => string,
  ): TableColumn => ({
    id,
    header,
    width,
    align: 'end',
    mono: true,
    cell: (index) => {
      const row = rows[index];
      if (row === undefined) return null;
      return row.kind === 'member' ? text(row) : <span className={styles.gap}>{text(row)}</span>;
    },
  });
  return [
    {
      id: 'name',
      header: 'Member',
      width: 170,
      grow: 3,
      cell: (index) => {
        const row = rows[index];
        if (row === undefined) return null;
        const own = row.kind === 'member' ? pins.get(pathKey(row.path)) : undefined;
        return <MemberCell row={row} toggle={toggle} pins={own ?? []} />;
      },
    },
    {
      id: 'type',
      header: 'Type',
      width: 150,
      grow: 3,
      cell: (index) => {
        const row = rows[index];
        return row?.kind === 'member' ? (
          <span className={styles.type}>
            <TypeLink types={types} type={row.type} badge />
          </span>
        ) : null;
      },
    },
    column('hex', 'Offset', 76, (row) => hexText(Math.floor(row.bitOffset / 8))),
    column('byte', 'Byte', 70, (row) => grouped(Math.floor(row.bitOffset / 8))),
    column('bit', 'Bit', 76, (row) => grouped(row.bitOffset)),
    column('size', 'Size', 80, sizeText),
  ];
}

function sizeText({ bitSize, isBitfield }: MemberRow): string {
  return isBitfield || bitSize % 8 !== 0
    ? `${grouped(bitSize)} bit${bitSize === 1 ? '' : 's'}`
    : grouped(bitSize / 8);
}
