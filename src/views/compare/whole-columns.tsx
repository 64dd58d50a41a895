import type { WholeComparison } from '#analysis/compare/compare-tables.ts';
import {
  type ComparedTables,
  type ComparisonRow,
  comparisonRow,
} from '#analysis/compare/comparison-rows.ts';
import { typeLabel } from '#analysis/compare/comparison-text.ts';
import { drawnName } from '#bytes/text.ts';
import { Badge } from '#ui/Badge.tsx';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { facetParts, facetSigns, STATE_LOOKS } from './facet-text.ts';
import styles from './whole-columns.module.css';

/** The columns of the list of all differences; `rows` are those listed. */
export function wholeColumns(
  whole: WholeComparison,
  tables: ComparedTables,
  rows: Uint32Array,
  isTight: boolean,
): TableColumn[] {
  const cell = (draw: (row: ComparisonRow) => React.ReactNode) => (index: number) => {
    const row = comparisonRow(whole, tables, rows[index] ?? -1);
    return row === null ? null : draw(row);
  };
  const state: TableColumn = {
    id: 'state',
    header: 'State',
    width: 88,
    sortable: true,
    cell: cell((row) => {
      const { word, tone } = STATE_LOOKS[row.state];
      return <Badge text={word} tone={tone} />;
    }),
  };
  const name: TableColumn = {
    id: 'name',
    header: 'Type',
    width: 150,
    grow: 3,
    sortable: true,
    cell: cell((row) => (
      <span className="row gap-2 shrink small">
        <KindBadge kind={row.kind} />
        <span className="shrink clip" title={drawnName(row.label)}>
          <Name text={row.label} />
        </span>
      </span>
    )),
  };
  const changes: TableColumn = {
    id: 'weight',
    header: 'Changes',
    width: 100,
    align: 'end',
    mono: true,
    sortable: true,
    cell: cell((row) => (row.weight === 0 ? null : grouped(row.weight))),
  };
  if (isTight) return [state, name, changes];
  const size: TableColumn = {
    id: 'size',
    header: 'Size',
    width: 136,
    align: 'end',
    mono: true,
    sortable: true,
    cell: cell((row) => <Sizes row={row} />),
  };
  const what: TableColumn = {
    id: 'what',
    header: 'What',
    width: 164,
    grow: 2,
    cell: cell((row) => <What row={row} tables={tables} />),
  };
  return [state, name, size, what, changes];
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
  // The size has a column of its own.
  const [, ...counts] = row.facets;
  const words = facetParts([0, ...counts]).join(', ');
  return (
    <span className={styles.stat} title={words}>
      <span className="visually-hidden">{words}</span>
      {facetSigns(row.facets).map(({ sign, count, tone }) => (
        <span key={sign} className={styles.sign} data-tone={tone} aria-hidden>
          {`${sign}${grouped(count)}`}
        </span>
      ))}
    </span>
  );
}
