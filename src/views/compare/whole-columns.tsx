import {
  type ComparedTables,
  type ComparisonRow,
  comparisonRow,
  type WholeComparison,
} from '#analysis/compare/compare-tables.ts';
import { typeLabel } from '#analysis/compare/comparison-text.ts';
import { drawnName } from '#bytes/text.ts';
import { Badge } from '#ui/Badge.tsx';
import { grouped } from '#ui/grouped.ts';
import { column, NUMBER, type RowColumn, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { facetParts, facetSigns, holeBytes, holesText, STATE_BADGES } from './facet-text.ts';
import styles from './whole-columns.module.css';

/** Returns the columns of the list of all differences. `rows` has the differences to list. */
export function wholeColumns(
  whole: WholeComparison,
  tables: ComparedTables,
  rows: Uint32Array,
  isTight: boolean,
): TableColumn[] {
  const sizes = (row: ComparisonRow) => <Sizes row={row} />;
  const what = (row: ComparisonRow) => <What row={row} tables={tables} />;
  const wide: RowColumn<ComparisonRow>[] = [
    column('size', 'Size', 136, sizes, { ...NUMBER, sortable: true }),
    column(
      'holes',
      'Holes, bytes',
      124,
      ({ a, b }) => holesText(holeBytes(tables.a, a), holeBytes(tables.b, b)),
      NUMBER,
    ),
    column('what', 'What', 164, what, { grow: 2 }),
  ];
  return rowColumns<ComparisonRow>(
    (index) => comparisonRow(whole, tables, rows[index] ?? -1),
    [
      column('state', 'State', 88, ({ state }) => <Badge {...STATE_BADGES[state]} />, {
        sortable: true,
      }),
      column('name', 'Type', 150, TypeCell, { grow: 3, sortable: true }),
      ...(isTight ? [] : wide),
      column('weight', 'Changes', 100, ({ weight }) => (weight === 0 ? null : grouped(weight)), {
        ...NUMBER,
        sortable: true,
      }),
    ],
  );
}

/** Shows the kind and the name of a type. */
export function TypeCell({ kind, label }: { readonly kind: number; readonly label: string }) {
  return (
    <span className="row gap-2 shrink small">
      <KindBadge kind={kind} />
      <span className="shrink clip" title={drawnName(label)}>
        <Name text={label} />
      </span>
    </span>
  );
}

function Sizes({ row }: { readonly row: ComparisonRow }) {
  const { sizeBefore, sizeAfter } = row;
  if (sizeBefore === null || sizeAfter === null || sizeBefore === sizeAfter) {
    const only = sizeBefore ?? sizeAfter;
    return only === null ? null : <span className="muted">{grouped(only)}</span>;
  }
  return <span>{`${grouped(sizeBefore)} → ${grouped(sizeAfter)}`}</span>;
}

function What({ row, tables }: { readonly row: ComparisonRow; readonly tables: ComparedTables }) {
  if (row.cause !== null) {
    return (
      <span className="muted">
        because of <Name text={typeLabel(tables.a, row.cause)} />
      </span>
    );
  }
  // The size has a column of its own, so it is left out here.
  const [, ...counts] = row.facets;
  const words = facetParts([0, ...counts]).join(', ');
  return (
    <span className="gap-3 small mono flex" title={words}>
      <span className="visually-hidden">{words}</span>
      {facetSigns(row.facets).map(({ sign, count, tone }) => (
        <span key={sign} className={styles.sign} data-tone={tone} aria-hidden>
          {`${sign}${grouped(count)}`}
        </span>
      ))}
    </span>
  );
}
