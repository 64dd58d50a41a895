import { useMemo, useState } from 'react';
import { symbolLabel, symbolText } from '#analysis/formats/section-text.ts';
import { isRest, Run, type Steps, sortSteps } from '#bytes/long-work.ts';
import { drawnName } from '#bytes/text.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sectionName } from '#model/sections.ts';
import type { Active } from '#store/session/hooks.ts';
import { NARROW, useNarrow } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { column, NUMBER, type RowColumn } from '#ui/table-columns.ts';
import type { SortOrder } from '#ui/table-settings.ts';
import { SelectionTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { useLastRun } from '#views/parts/WhenReady.tsx';
import { OverviewCard } from './OverviewCard.tsx';
import styles from './OverviewView.module.css';
import { nextOrder } from './SectionsCard.tsx';

const NO_ROWS = new Uint32Array(0);

/** Shows the symbols as `llvm-readelf -s` lists them. */
export function SymbolsCard({ model, selection }: Active) {
  const [order, setOrder] = useState<SortOrder | null>(null);
  const { query, box } = useFilter();
  const isNarrow = useNarrow(NARROW);
  const listing = useMemo(
    () => new Run(symbolRowSteps(model, query, order)),
    [model, query, order],
  );
  // Show the rows in their old order until the new order is computed.
  const rows = useLastRun(listing) ?? NO_ROWS;
  const columns = useMemo(() => symbolColumns(model, isNarrow), [model, isNarrow]);
  const { count } = model.symbols;
  const selected = selection.kind === 'symbol' ? rows.indexOf(selection.symbol) : -1;
  return (
    <OverviewCard title="Symbols" aside={countOf(count, 'symbol')} isFlush>
      <div className={styles.search}>
        <FoundList label="Filter symbols" {...box} count={[rows.length, count]} />
      </div>
      <SelectionTable
        label="Symbols"
        rows={rows}
        columns={columns}
        most={16}
        selectedIndex={selected}
        selectionOf={(row) => ({ kind: 'symbol', symbol: symbolIndex(row) })}
        view="bytes"
        sort={order}
        onSort={(columnId) => setOrder(nextOrder(order, columnId))}
      />
    </OverviewCard>
  );
}

/** Returns the columns of the table. A row is the index of a symbol. Names are not escaped. */
function symbolColumns(model: ObjectModel, isNarrow: boolean): RowColumn<number>[] {
  const { symbols } = model;
  const facts = (row: number) => symbolText(model, symbolIndex(row));
  const sorted = { ...NUMBER, sortable: true };
  const name = column<number>(
    'name',
    'Name',
    isNarrow ? 120 : 200,
    (row) => <Name text={symbolLabel(model, symbolIndex(row))} otherwise="(no name)" />,
    { grow: 2, sortable: true },
  );
  const value = column<number>(
    'value',
    'Value',
    isNarrow ? 100 : 140,
    (row) => offsetCell(symbols.value[row] ?? 0n),
    sorted,
  );
  const size = column<number>('size', 'Size', 96, (row) => grouped(symbols.size[row] ?? 0n), {
    align: 'end',
    sortable: true,
  });
  const place = column<number>(
    'place',
    'Section',
    isNarrow ? 100 : 130,
    (row) => drawnName(facts(row).place),
    { grow: 1, mono: true },
  );
  const table = (row: number) =>
    drawnName(sectionName(model.sections, sectionIndex(symbols.table[row] ?? 0)));
  if (isNarrow) return [name, value, place];
  const isElf = model.format === 'elf';
  const words = { mono: true } as const;
  return [
    column('index', 'Nr', 64, (row) => symbols.indexInTable[row] ?? 0, { align: 'end' }),
    name,
    value,
    ...(isElf ? [size] : []),
    column('type', 'Type', isElf ? 92 : 120, (row) => facts(row).type, words),
    ...(isElf
      ? [
          column<number>('binding', 'Binding', 84, (row) => facts(row).binding, words),
          column<number>('visibility', 'Visibility', 96, (row) => facts(row).visibility, words),
        ]
      : []),
    place,
    ...(tableCount(model) > 1 ? [column('table', 'Table', 100, table)] : []),
  ];
}

/** Returns 1 if all symbols are in one symbol table, else 2. A table's symbols are contiguous. */
function tableCount({ symbols: { table, count } }: ObjectModel): number {
  return count === 0 || table[0] === table[count - 1] ? 1 : 2;
}

/** Computes the symbols whose name contains `query`, ignoring case, sorted by a column. */
export function* symbolRowSteps(
  model: ObjectModel,
  query: string,
  order: SortOrder | null,
): Steps<Uint32Array> {
  const { symbols } = model;
  const wanted = query.trim().toLowerCase();
  const matching = new Uint32Array(symbols.count);
  let length = 0;
  for (let row = 0; row < symbols.count; row++) {
    if (isRest(row)) yield;
    const isFound =
      wanted === '' || symbolLabel(model, symbolIndex(row)).toLowerCase().includes(wanted);
    if (isFound) matching[length++] = row;
  }
  const rows = matching.subarray(0, length);
  if (order === null) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  const key = sortKey(model, order.columnId);
  return yield* sortSteps(rows, (a, b) => {
    const [x, y] = [key(a), key(b)];
    return x === y ? 0 : x < y ? -sign : sign;
  });
}

function sortKey(model: ObjectModel, columnId: string): (row: number) => bigint | string {
  const { symbols } = model;
  if (columnId === 'name') return (row) => symbolLabel(model, symbolIndex(row));
  const values = columnId === 'size' ? symbols.size : symbols.value;
  return (row) => values[row] ?? 0n;
}
