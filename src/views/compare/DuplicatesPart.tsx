import { useMemo, useState } from 'react';
import { typeLabel } from '#analysis/compare/comparison-text.ts';
import type { Duplicate, DuplicateGroup } from '#analysis/compare/duplicates.ts';
import { drawnName } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { clientOf } from '#store/session/files.ts';
import { revisionOf, type TaskKey, Tasks } from '#store/session/tasks.ts';
import { Landmark } from '#ui/aria.tsx';
import { NARROW, useNarrow, WIDE } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { EmptyState, Toolbar } from '#ui/Panel.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { Split } from '#ui/Split.tsx';
import { column, NUMBER, type RowColumn, rowColumns, type TableColumn } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { ComparedPair, CompareSide } from './compared-pair.ts';
import { LockStep } from './LockStep.tsx';
import whole from './WholePart.module.css';
import { WorkState } from './WorkState.tsx';
import { TypeCell } from './whole-columns.tsx';

const searches = new Tasks<TaskKey, readonly DuplicateGroup[]>();

/** Shows types of one file that have the same name, and how they differ. */
export function DuplicatesPart({ side }: { readonly side: CompareSide }) {
  return (
    <WorkState
      label="Looking for types that share a name"
      tasks={searches}
      keyNow={() => ({ files: [revisionOf(side.id)] })}
      request={async (options) => clientOf(side.id)?.call('duplicates', null, options)}
    >
      {(groups) => <Groups side={side} groups={groups} />}
    </WorkState>
  );
}

type GroupsProps = {
  readonly side: CompareSide;
  readonly groups: readonly DuplicateGroup[];
};

function Groups({ side, groups }: GroupsProps) {
  const isNarrow = useNarrow(NARROW);
  const isTight = useNarrow(WIDE);
  const { query, box } = useFilter();
  const rows = useMemo(() => duplicateRows(side.types, groups, query), [side.types, groups, query]);
  const columns = useMemo(() => columnsOf(side.types, rows, isTight), [side.types, rows, isTight]);
  const [picked, setPicked] = useState<DuplicateRow | null>(null);
  const shown = picked ?? rows[0] ?? null;
  const at = shown === null ? -1 : rows.indexOf(shown);
  if (groups.length === 0) {
    return (
      <EmptyState
        title="No two types share kind and name"
        text="If several source files define different types with one name, BTF keeps them all. They are listed here, with the difference."
      />
    );
  }
  return (
    <Split
      label="Resize the list of duplicates"
      firstSize={48}
      minFirst={isNarrow ? 200 : 360}
      minSecond={isNarrow ? 160 : 320}
      first={
        <Landmark className="column shrink shrink-y tall" aria-label="Duplicates">
          <Toolbar label="List of duplicates">
            <div className={whole.search}>
              <FoundList
                label="Filter duplicates"
                placeholder="Name or reason"
                hint="/"
                {...box}
                onChange={(value) => {
                  box.onChange(value);
                  setPicked(null);
                }}
                found={
                  query === ''
                    ? countOf(groups.length, 'name')
                    : countOf(rows.length, 'copy', 'copies')
                }
              />
            </div>
          </Toolbar>
          <div className="fill">
            <VirtualTable
              label="Types that share a name"
              columns={columns}
              count={rows.length}
              selectedIndex={at < 0 ? null : at}
              onSelect={(row) => setPicked(rows[row] ?? null)}
              emptyText="No matching name or reason"
            />
          </div>
        </Landmark>
      }
      second={
        shown === null ? (
          <EmptyState title="Nothing is chosen" text="Choose a copy to see how it differs." />
        ) : (
          <LockStep before={side} after={side} pair={pairOf(shown)} isNarrow={isTight} />
        )
      }
    />
  );
}

/** Returns the pair to show: both types of a row, or the referenced types if only those differ. */
function pairOf({ first, copy }: DuplicateRow): ComparedPair {
  return copy.path.length === 0 || copy.at === null ? { a: first, b: copy.id } : copy.at;
}

function columnsOf(
  types: TypeTable,
  rows: readonly DuplicateRow[],
  isTight: boolean,
): TableColumn[] {
  const name = ({ first }: DuplicateRow) => (
    <TypeCell kind={kindOf(types, first)} label={typeLabel(types, first)} />
  );
  const wide: RowColumn<DuplicateRow>[] = [
    column('ids', 'First and copy', 140, (row) => `[${row.first}] [${row.copy.id}]`, {
      mono: true,
    }),
    column('count', 'Copies', 76, ({ count }) => grouped(count), NUMBER),
  ];
  return rowColumns<DuplicateRow>(
    (index) => rows[index],
    [
      column('name', 'Type', 150, name, { grow: 2 }),
      ...(isTight ? [] : wide),
      column('why', 'Why not merged', 180, ({ copy }) => <Why copy={copy} />, { grow: 4 }),
    ],
  );
}

function Why({ copy }: { readonly copy: Duplicate }) {
  const text = drawnName(copy.why);
  const path = drawnName(copy.path.length === 0 ? '' : `through ${copy.path.join(' → ')}`);
  return (
    <span title={[text, path].join(' ')}>
      {text} <span className="muted">{path}</span>
    </span>
  );
}

/** Row of the list: a type, and the first type of the file that has the same name. */
type DuplicateRow = {
  readonly first: TypeId;
  /** Number of types that have the name. */
  readonly count: number;
  readonly copy: Duplicate;
};

/** Returns the rows whose name or reason contains `text`, ignoring case. */
function duplicateRows(
  types: TypeTable,
  groups: readonly DuplicateGroup[],
  text: string,
): readonly DuplicateRow[] {
  const wanted = text.trim().toLowerCase();
  const isFunc = (id: TypeId) => kindOf(types, id) === BtfKind.FUNC;
  // Functions come last: many share a name, and most people look for structs.
  const inOrder = [...groups].sort(
    (x, y) => Number(isFunc(x.first)) - Number(isFunc(y.first)) || x.first - y.first,
  );
  return inOrder.flatMap(({ first, others }) => {
    const label = wanted === '' ? '' : typeLabel(types, first).toLowerCase();
    return others
      .filter(({ why }) => label.includes(wanted) || why.toLowerCase().includes(wanted))
      .map((copy) => ({ first, count: others.length + 1, copy }));
  });
}
