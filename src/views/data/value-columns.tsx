import type { Value } from '#analysis/values/decode.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { hexText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { BytesCell } from './BytesCell.tsx';
import { PartCell } from './PartCell.tsx';
import { ValueCell } from './ValueCell.tsx';
import type { ValuePlaces } from './ValueTree.tsx';
import { bytesOfValue, type ValueRow, valueOfRow } from './value-tree.ts';

type ColumnOptions = {
  readonly value: Value;
  readonly rows: readonly ValueRow[];
  readonly places: ValuePlaces;
  readonly toggle: (key: string) => void;
  readonly isNarrow: boolean;
};

/** The columns of the table of a value; on a narrow screen the part and its value alone. */
export function valueColumns({
  value,
  rows,
  places,
  toggle,
  isNarrow,
}: ColumnOptions): TableColumn[] {
  // Each row is decoded once for all of its cells.
  const parts = new Map<number, Value | null>();
  const partOf = (index: number, row: ValueRow) => {
    const known = parts.get(index);
    if (known !== undefined) return known;
    const part = valueOfRow(value, row);
    parts.set(index, part);
    return part;
  };
  const cell =
    (draw: (part: Value | null, row: ValueRow) => React.ReactNode) => (index: number) => {
      const row = rows[index];
      return row === undefined ? null : draw(partOf(index, row), row);
    };
  const name: TableColumn = {
    id: 'part',
    header: value.content.kind === 'array' ? 'Element' : 'Member',
    width: isNarrow ? 130 : 150,
    grow: 2,
    cell: cell((part, row) => <PartCell row={row} part={part} toggle={toggle} />),
  };
  const said: TableColumn = {
    id: 'value',
    header: 'Value',
    width: isNarrow ? 190 : 190,
    grow: 3,
    mono: true,
    cell: cell((part, row) => <ValueCell part={part} row={row} places={places} />),
  };
  if (isNarrow) return [name, said];
  return [
    name,
    said,
    {
      id: 'type',
      header: 'Type',
      width: 120,
      grow: 2,
      cell: cell((part) =>
        part === null ? null : <TypeLink types={part.scope.types} type={part.type} />,
      ),
    },
    {
      id: 'offset',
      header: 'Offset',
      width: 70,
      align: 'end',
      mono: true,
      cell: cell((part) => (part === null ? '' : hexText(places.base + bytesOfValue(part).start))),
    },
    {
      id: 'bytes',
      header: 'Bytes',
      width: 200,
      mono: true,
      cell: cell((part) => (part === null ? null : <BytesCell part={part} places={places} />)),
    },
  ];
}
