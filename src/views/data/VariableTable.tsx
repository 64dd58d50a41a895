import { useMemo } from 'react';
import { variableValue } from '#analysis/values/variables.ts';
import { drawnName } from '#bytes/text.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { hexText, shortSize } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { type Data, type DataEntry, placeOf, selectionOfEntry } from './data-entries.ts';
import { typeWord } from './data-rows.ts';
import styles from './detail.module.css';
import { previewText } from './value-text.ts';

type VariableTableProps = {
  readonly active: Active;
  readonly data: Data;
  readonly entries: readonly DataEntry[];
};

/** The variables of a section with their values; a row leads to its variable. */
export function VariableTable({ active, data, entries }: VariableTableProps) {
  const { model } = active;
  const { sectionBytes } = data;
  const columns = useMemo((): TableColumn[] => {
    const cell = (draw: (entry: DataEntry) => React.ReactNode) => (index: number) => {
      const entry = entries[index];
      return entry === undefined ? null : draw(entry);
    };
    const isPlaced = entries.some((entry) => (placeOf(entry)?.byteOffset ?? null) !== null);
    const columnsOf: TableColumn[] = [
      {
        id: 'name',
        header: 'Name',
        width: 150,
        grow: 2,
        cell: cell(({ name }) => <Name text={name} />),
      },
      { id: 'type', header: 'Type', width: 140, grow: 2, cell: cell(typeCell) },
    ];
    if (isPlaced) {
      columnsOf.push({
        id: 'value',
        header: 'Value',
        width: 180,
        grow: 3,
        mono: true,
        cell: cell(valueCell),
      });
      columnsOf.push({
        id: 'offset',
        header: 'Offset',
        width: 70,
        align: 'end',
        mono: true,
        cell: cell((entry) => hexText(placeOf(entry)?.byteOffset ?? 0)),
      });
    }
    columnsOf.push({
      id: 'size',
      header: 'Size',
      width: 60,
      align: 'end',
      mono: true,
      cell: cell((entry) => shortSize(sizeOfEntry(entry))),
    });
    return columnsOf;

    function typeCell(entry: DataEntry) {
      const type = entry.kind === 'variable' ? entry.variable.type : null;
      return model.types === null || type === null ? (
        drawnName(typeWord(model, entry))
      ) : (
        <TypeLink types={model.types} type={type} />
      );
    }

    function valueCell(entry: DataEntry) {
      if (entry.kind !== 'variable') return null;
      const value = variableValue(model, sectionBytes, entry.variable);
      return value === null ? null : <bdi>{drawnName(previewText(value))}</bdi>;
    }
  }, [model, sectionBytes, entries]);
  const go = (index: number) => {
    const entry = entries[index];
    const selection = entry === undefined ? null : selectionOfEntry(entry);
    if (selection !== null) select(selection);
  };
  return (
    <div className={styles.frame} style={{ height: tableHeight(entries.length, 18) }}>
      <LinkTable
        label="Variables"
        columns={columns}
        count={entries.length}
        selectedIndex={null}
        onSelect={() => undefined}
        onActivate={go}
      />
    </div>
  );
}

function sizeOfEntry(entry: DataEntry): bigint | null {
  const place = placeOf(entry);
  return place === null ? null : BigInt(Math.max(0, place.byteSize));
}
