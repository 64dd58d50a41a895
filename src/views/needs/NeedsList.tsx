import { useId, useMemo } from 'react';
import { coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreNeeds, NeededPath, NeededType } from '#analysis/needs/core-needs.ts';
import { drawnName } from '#bytes/text.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select, showView } from '#store/address/navigation.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { CellLink, TypeLink } from '#views/parts/TypeLink.tsx';
import styles from './NeedsList.module.css';

type NeedsListProps = {
  readonly types: TypeTable;
  readonly needs: CoreNeeds;
  readonly selection: Selection;
};

/** Shows the types and fields that the object needs, with the relocations that need them. */
export function NeedsList({ types, needs, selection }: NeedsListProps) {
  const titleId = useId();
  const { query, box } = useFilter();
  const rows = useMemo(() => needRows(needs, query), [needs, query]);
  const columns = useMemo(
    () => rowColumns((index) => rows[index], needColumns(types)),
    [types, rows],
  );
  const lit = rowOfSelection(rows, selection);
  const paths = rows.filter((row) => row.row === 'path').length;
  const choose = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    const [core] = row.row === 'path' ? row.path.records : [];
    select(core === undefined ? typeSelection(row.type.root) : { kind: 'core', core, step: null });
  };
  const open = (index: number) => {
    const row = rows[index];
    if (row?.row === 'path') showView('core');
    else if (row !== undefined) select(typeSelection(row.type.root), 'types');
  };
  return (
    <Landmark className={styles.list} aria-labelledby={titleId}>
      <header className="grid gap-1 pad-row">
        <h2 id={titleId} className="size-13">
          Required fields and types
        </h2>
        <p className={styles.counts}>
          {countOf(pathCount(needs), 'field')} in {countOf(needs.types.length, 'type')},{' '}
          {countOf(needs.count, 'relocation')}
        </p>
        <FoundList
          label="Filter requirements"
          placeholder="Type, field, program or kind"
          hint="/"
          {...box}
          count={[paths, pathCount(needs)]}
        />
      </header>
      <VirtualTable
        label="Required fields and types"
        isInOrder
        columns={columns}
        count={rows.length}
        rowHeight={26}
        selectedIndex={lit}
        scrollToIndex={lit}
        onSelect={choose}
        onActivate={open}
        emptyText="No matching requirements"
      />
    </Landmark>
  );
}

function needColumns(types: TypeTable): RowColumn<NeedRow>[] {
  return [
    column('need', 'Required', 200, (row) => <Need types={types} row={row} />, { grow: 3 }),
    column('uses', 'Uses', 64, useCount, NUMBER),
    pathColumn('asks', 'Kinds', 150, 2, kindsText),
    pathColumn('access', 'Access string', 110, 0, ({ accessStr }) => accessStr),
    pathColumn('programs', 'Programs', 140, 2, askersText),
  ];
}

/** Returns a column that is empty in the row of a type. */
function pathColumn(
  id: string,
  header: string,
  width: number,
  grow: number,
  textOf: (path: NeededPath) => string,
): RowColumn<NeedRow> {
  const cell = (row: NeedRow) => (row.row === 'type' ? null : <Words text={textOf(row.path)} />);
  return column(id, header, width, cell, { grow, mono: true });
}

function useCount(row: NeedRow) {
  return row.row === 'path' ? (
    grouped(row.path.records.length)
  ) : (
    <span className="bold strong">{grouped(row.type.count)}</span>
  );
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
      <CellLink
        className={styles.link}
        title="Inspect its first relocation"
        onClick={() => select({ kind: 'core', core, step: null }, 'core')}
      >
        <bdi>{drawnName(text)}</bdi>
      </CellLink>
      {path.path.error === null ? null : (
        <span className={styles.broken} title={drawnName(path.path.error.message)}>
          leads nowhere
        </span>
      )}
    </span>
  );
}

/** Row of the list: a needed type, or a needed field of the type above. */
type NeedRow =
  | { readonly row: 'type'; readonly type: NeededType }
  | { readonly row: 'path'; readonly type: NeededType; readonly path: NeededPath };

/** Returns a row per type and path that contains `text`, ignoring case. Paths follow their type. */
export function needRows({ types }: CoreNeeds, text: string): NeedRow[] {
  const wanted = text.trim().toLowerCase();
  const rows: NeedRow[] = [];
  for (const type of types) {
    const isWhole = type.name.toLowerCase().includes(wanted);
    const paths = type.paths.filter((path) => isWhole || wordsOf(path).includes(wanted));
    if (paths.length === 0) continue;
    rows.push({ row: 'type', type });
    for (const path of paths) rows.push({ row: 'path', type, path });
  }
  return rows;
}

function wordsOf({ text, programs, sections, kinds }: NeededPath): string {
  const asks = kinds.map(({ kind }) => coreKindName(kind));
  return [text, ...programs, ...sections, ...asks].join(' ').toLowerCase();
}

/** Returns the relocation kinds with their numbers: `byte_off, field_exists ×3`. */
export function kindsText({ kinds }: Pick<NeededPath, 'kinds'>): string {
  return kinds
    .map(({ kind, count }) =>
      count === 1 ? coreKindName(kind) : `${coreKindName(kind)} ×${count}`,
    )
    .join(', ');
}

/** Names the programs that have the relocations; without symbols, their sections. Not escaped. */
export function askersText({
  programs,
  sections,
}: Pick<NeededPath, 'programs' | 'sections'>): string {
  return (programs.length > 0 ? programs : sections).join(', ');
}

/** Returns the number of needed fields, types and enumerators. */
export function pathCount({ types }: CoreNeeds): number {
  return types.reduce((sum, type) => sum + type.paths.length, 0);
}

/** Returns the index of the row for the selected type or record; null if it has no row. */
export function rowOfSelection(rows: readonly NeedRow[], selection: Selection): number | null {
  const index = rows.findIndex((row) => {
    if (selection.kind === 'core') {
      return row.row === 'path' && row.path.records.includes(selection.core);
    }
    return selection.kind === 'type' && row.row === 'type' && row.type.root === selection.type;
  });
  return index < 0 ? null : index;
}
