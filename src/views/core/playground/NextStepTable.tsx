import { useMemo, useState } from 'react';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './NextStepTable.module.css';
import type { NextStepRow, NextSteps } from './next-steps.ts';

const ROW_HEIGHT = 26;
const HEADER_HEIGHT = 28;
const MOST_ROWS = 9;

const NOUNS = { members: 'member', elements: 'element', enumerators: 'enumerator' } as const;

type NextStepTableProps = {
  readonly types: TypeTable;
  readonly place: NextSteps;
  readonly onTake: (index: number) => void;
};

/** The possible next steps of the access: a click or Enter takes one. */
export function NextStepTable({ types, place, onTake }: NextStepTableProps) {
  const [row, setRow] = useRowChoice(place);
  const columns = useMemo(() => placeColumns(types, place), [types, place]);
  const title = place.taken === null ? `Next ${NOUNS[place.what]}` : `Other ${place.what}`;
  const height = HEADER_HEIGHT + Math.min(place.count, MOST_ROWS) * ROW_HEIGHT + 2;
  return (
    <DetailSection title={title} aside={countOf(place.count, NOUNS[place.what])}>
      <div className={styles.frame} style={{ height }}>
        <LinkTable
          label={`Next ${place.what}`}
          columns={columns}
          count={place.count}
          rowHeight={ROW_HEIGHT}
          selectedIndex={row}
          scrollToIndex={place.taken}
          onSelect={setRow}
          onActivate={onTake}
        />
      </div>
    </DetailSection>
  );
}

function placeColumns(types: TypeTable, place: NextSteps): TableColumn[] {
  const cell = (text: (row: NextStepRow, index: number) => ReturnType<TableColumn['cell']>) => {
    return (index: number) => {
      const row = place.row(index);
      return row === null ? null : text(row, index);
    };
  };
  const number: TableColumn = {
    id: 'index',
    header: 'Index',
    width: 64,
    align: 'end',
    mono: true,
    cell: (index) => <span className={styles.index}>{index}</span>,
  };
  const name: TableColumn = {
    id: 'name',
    header: place.what === 'enumerators' ? 'Enumerator' : 'Name',
    width: 140,
    grow: 2,
    cell: cell((row) => <Name text={row.name} />),
  };
  if (place.what === 'enumerators') {
    const value = { id: 'value', header: 'Value', width: 120, mono: true } as const;
    return [number, name, { ...value, align: 'end', cell: cell((row) => row.size) }];
  }
  return [
    number,
    name,
    {
      id: 'type',
      header: 'Type',
      width: 140,
      grow: 2,
      cell: cell(({ type }) =>
        type === null ? null : (
          <span className={styles.type}>
            <KindBadge kind={kindOf(types, type)} decorative />
            <bdi>{drawnName(typeExpression(types, type))}</bdi>
          </span>
        ),
      ),
    },
    {
      id: 'offset',
      header: 'Offset',
      width: 84,
      align: 'end',
      mono: true,
      cell: cell((row) => <span title={row.place}>{row.offset}</span>),
    },
    {
      id: 'size',
      header: 'Size',
      width: 80,
      align: 'end',
      mono: true,
      cell: cell((row) => row.size),
    },
  ];
}

/** The row that the arrow keys are on. It starts at the step that the access takes, and again for each table. */
function useRowChoice(place: NextSteps): readonly [number | null, (row: number) => void] {
  const at = `${place.what} ${place.prefix} ${place.taken}`;
  const [choice, setChoice] = useState<{ readonly at: string; readonly row: number } | null>(null);
  const row = choice !== null && choice.at === at ? choice.row : place.taken;
  return [row, (next) => setChoice({ at, row: next })];
}
