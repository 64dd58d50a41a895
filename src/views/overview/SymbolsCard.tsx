import { useMemo } from 'react';
import { drawnName } from '#bytes/text.ts';
import { symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import { OverviewCard } from './OverviewCard.tsx';
import { type RowColumn, rowColumns } from './row-columns.ts';
import { type SymbolRow, symbolRowAt } from './symbol-rows.ts';

/** The symbols of a file that keeps them in no section. */
export function SymbolsCard({
  model,
  selection,
}: {
  readonly model: ObjectModel;
  readonly selection: Selection;
}) {
  const { count } = model.symbols;
  const columns = useMemo(() => rowColumns((index) => symbolRowAt(model, index), COLUMNS), [model]);
  return (
    <OverviewCard title="Symbols" aside={countOf(count, 'external symbol')} isFlush>
      <div style={{ height: tableHeight(count, 16) }}>
        <LinkTable
          label="Symbols"
          columns={columns}
          count={count}
          selectedIndex={selection.kind === 'symbol' ? selection.symbol : null}
          onSelect={(index) => select({ kind: 'symbol', symbol: symbolIndex(index) })}
          onActivate={(index) => select({ kind: 'symbol', symbol: symbolIndex(index) }, 'bytes')}
        />
      </div>
    </OverviewCard>
  );
}

const COLUMNS: readonly RowColumn<SymbolRow>[] = [
  { id: 'index', header: 'Nr', width: 56, align: 'end', cell: (row) => row.index },
  {
    id: 'name',
    header: 'Name',
    width: 200,
    grow: 2,
    cell: (row) => <Name text={row.name} otherwise="(no name)" />,
  },
  {
    id: 'value',
    header: 'Value',
    heading: <Term id="st-value">Value</Term>,
    width: 140,
    align: 'end',
    mono: true,
    cell: (row) => hexText(row.value),
  },
  { id: 'type', header: 'Type', width: 120, grow: 1, mono: true, cell: (row) => row.type },
  {
    id: 'place',
    header: 'Where',
    width: 150,
    grow: 1,
    mono: true,
    cell: (row) => drawnName(row.place),
  },
];
