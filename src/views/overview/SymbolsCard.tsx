import { useMemo } from 'react';
import { symbolText } from '#analysis/formats/section-text.ts';
import { drawnName } from '#bytes/text.ts';
import { type SymbolIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { symbolName } from '#model/symbols.ts';
import { select } from '#store/navigation.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { Term } from '#views/parts/Term.tsx';
import { type RowColumn, rowColumns } from './FileMap.tsx';
import { OverviewCard } from './OverviewCard.tsx';

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

/** Rows of the table of symbols. */

type SymbolRow = {
  readonly index: number;
  /** Raw text. */
  readonly name: string;
  readonly value: bigint;
  readonly type: string;
  readonly place: string;
};

/** Symbols that lie in no section, so that no view of a section shows them. */
export function hasLooseSymbols({ symbols }: ObjectModel): boolean {
  return symbols.count > 0 && symbols.table.every((section) => section === 0);
}

/** One symbol, ready to be drawn. */
function symbolRow(model: ObjectModel, symbol: SymbolIndex): SymbolRow {
  const { symbols } = model;
  return {
    index: symbol,
    name: symbolName(symbols, symbol),
    value: symbols.value[symbol] ?? 0n,
    ...symbolText(model, symbol),
  };
}

/** The row with this number; undefined outside. */
function symbolRowAt(model: ObjectModel, index: number): SymbolRow | undefined {
  return index < model.symbols.count ? symbolRow(model, symbolIndex(index)) : undefined;
}
