import { useMemo } from 'react';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { hexText, shareText } from '#views/parts/number-text.ts';
import type { FilePart } from './file-map.ts';
import { type RowColumn, rowColumns } from './row-columns.ts';
import { FAMILIES } from './section-family.ts';
import { selectionOfPart, showPart } from './show-part.ts';
import { tableHeight } from './table-height.ts';

/** The parts of the file with their offsets; small ones and gaps too. */
export function FileMapTable(props: {
  readonly parts: readonly FilePart[];
  readonly selection: Selection;
  readonly fileSize: number;
}) {
  const { parts, selection, fileSize } = props;
  const columns = useMemo(
    () => rowColumns((index) => parts[index], columnsOf(fileSize)),
    [parts, fileSize],
  );
  const selected = parts.findIndex((part) => isSelected(part, selection));
  return (
    <div style={{ height: tableHeight(parts.length, 12) }}>
      <LinkTable
        label="Parts of the file"
        columns={columns}
        count={parts.length}
        selectedIndex={selected < 0 ? null : selected}
        onSelect={(index) => {
          const part = parts[index];
          if (part !== undefined) select(selectionOfPart(part));
        }}
        onActivate={(index) => {
          const part = parts[index];
          if (part !== undefined) showPart(part);
        }}
      />
    </div>
  );
}

function isSelected(part: FilePart, selection: Selection): boolean {
  if (selection.kind === 'section') return part.section === selection.section;
  if (selection.kind !== 'bytes' || part.section !== null) return false;
  return part.start === selection.start && part.end === selection.end;
}

function columnsOf(fileSize: number): RowColumn<FilePart>[] {
  return [
    {
      id: 'part',
      header: 'Part',
      width: 160,
      grow: 2,
      cell: (part) => (part.section === null ? part.label : <Name text={part.label} />),
    },
    {
      id: 'family',
      header: 'What',
      width: 150,
      grow: 1,
      cell: (part) => FAMILIES[part.family].word,
    },
    {
      id: 'start',
      header: 'From',
      width: 110,
      align: 'end',
      mono: true,
      cell: (part) => hexText(part.start),
    },
    {
      id: 'end',
      header: 'To',
      width: 110,
      align: 'end',
      mono: true,
      cell: (part) => hexText(part.end),
    },
    {
      id: 'size',
      header: 'Bytes',
      width: 110,
      align: 'end',
      cell: (part) => grouped(part.end - part.start),
    },
    {
      id: 'share',
      header: 'Share',
      width: 80,
      align: 'end',
      cell: (part) => shareText(part.end - part.start, fileSize),
    },
  ];
}
