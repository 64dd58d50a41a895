import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { setCoreMode } from '#store/core-view.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import type { TableColumn } from '#ui/table-columns.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './need-columns.module.css';
import { askersText, kindsText, type NeedRow } from './need-rows.ts';

/** What is needed, the string that leads there, what is asked of it, by whom and how often. */
export function needColumns(
  types: TypeTable,
  rowAt: (index: number) => NeedRow | undefined,
): TableColumn[] {
  const cell = (draw: (row: NeedRow) => ReturnType<TableColumn['cell']>) => (index: number) => {
    const row = rowAt(index);
    return row === undefined ? null : draw(row);
  };
  return [
    {
      id: 'need',
      header: 'Needed',
      width: 200,
      grow: 3,
      cell: cell((row) => <Need types={types} row={row} />),
    },
    {
      id: 'uses',
      header: 'Uses',
      width: 64,
      align: 'end',
      mono: true,
      cell: cell((row) => (
        <span className={row.row === 'type' ? styles.sum : undefined}>
          {grouped(row.row === 'type' ? row.type.count : row.path.records.length)}
        </span>
      )),
    },
    {
      id: 'asks',
      header: 'Asked',
      width: 150,
      grow: 2,
      mono: true,
      cell: cell((row) => (row.row === 'type' ? null : <Words text={kindsText(row.path)} />)),
    },
    {
      id: 'access',
      header: 'Access string',
      width: 110,
      mono: true,
      cell: cell((row) => (row.row === 'type' ? null : <Words text={row.path.accessStr} />)),
    },
    {
      id: 'programs',
      header: 'By',
      width: 140,
      grow: 2,
      mono: true,
      cell: cell((row) => (row.row === 'type' ? null : <Words text={askersText(row.path)} />)),
    },
  ];
}

function Words({ text }: { readonly text: string }) {
  const shown = drawnName(text);
  return <span title={shown}>{shown}</span>;
}

function Need({ types, row }: { readonly types: TypeTable; readonly row: NeedRow }) {
  if (row.row === 'type') return <TypeLink types={types} type={row.type.root} badge />;
  const { path } = row;
  const [core] = path.records;
  const text = path.text === '' ? 'the type itself' : path.text;
  if (core === undefined) return <span className={styles.path}>{drawnName(text)}</span>;
  return (
    <span className={styles.path}>
      <button
        type="button"
        className={styles.link}
        title="Inspect its first relocation"
        onClick={(event) => {
          // The row's own selection must not follow and win.
          event.stopPropagation();
          setCoreMode('records');
          select({ kind: 'core', core, step: null }, 'core');
        }}
      >
        <bdi>{drawnName(text)}</bdi>
      </button>
      {path.path.error === null ? null : (
        <span className={styles.broken} title={drawnName(path.path.error.message)}>
          leads nowhere
        </span>
      )}
    </span>
  );
}
