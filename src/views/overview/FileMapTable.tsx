import { useMemo } from 'react';
import { Run } from '#bytes/steps.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { hexText, shareText } from '#views/parts/number-text.ts';
import { useRun } from '#views/parts/use-run.ts';
import { type FilePart, filePartSteps } from './file-parts.ts';
import { type RowColumn, rowColumns } from './row-columns.ts';
import { FAMILIES } from './section-family.ts';
import { selectionOfPart, showPart } from './show-part.ts';

/** The parts of the file with their offsets; small ones and gaps too. */
export function FileMapTable(props: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const { model, selection } = props;
  const run = useMemo(() => new Run(filePartSteps(model)), [model]);
  const parts = useRun(run);
  const columns = useMemo(
    () => rowColumns((index) => parts?.at(index), columnsOf(model.size)),
    [parts, model],
  );
  const count = parts?.length ?? 0;
  return (
    <div style={{ height: tableHeight(count, 12) }}>
      <LinkTable
        label="Parts of the file"
        columns={columns}
        count={count}
        selectedIndex={parts?.rowOf(selection) ?? null}
        onSelect={(index) => {
          const part = parts?.at(index);
          if (part !== undefined) select(selectionOfPart(part));
        }}
        onActivate={(index) => {
          const part = parts?.at(index);
          if (part !== undefined) showPart(part);
        }}
      />
    </div>
  );
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
