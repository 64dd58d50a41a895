import { ListFilter } from 'lucide-react';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { sourceExpression } from '#analysis/code/source-expression.ts';
import { coreKind } from '#analysis/core/core-kinds.ts';
import { type CoreState, coreState } from '#analysis/core/reason.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { drawnName, hexText } from '#bytes/text.ts';
import { type CoreIndex, coreIndex, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { usePaneHighlight } from '#store/session/highlight.ts';
import { type Pin, usePins } from '#store/session/pins.ts';
import { Landmark } from '#ui/aria.tsx';
import { classNames } from '#ui/class-names.ts';
import { useNarrow } from '#ui/element-size.tsx';
import { grouped } from '#ui/grouped.ts';
import { PopoverButton } from '#ui/PopoverButton.tsx';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { column, NUMBER, type RowColumn, rowColumns } from '#ui/table-columns.ts';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { memberPathOf } from '#views/parts/core/access-indices.ts';
import { OutcomeNote, type ResolvedObject } from '#views/parts/core/OutcomeNote.tsx';
import {
  changeText,
  groupTone,
  KindFilter,
  StateFilter,
  StateMark,
} from '#views/parts/core/StateMark.tsx';
import { MemberContextMenu } from '#views/parts/MemberMenu.tsx';
import { CutName } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { Pinned } from '#views/parts/PinMark.tsx';
import { Term } from '#views/parts/Term.tsx';
import styles from './RecordList.module.css';
import {
  type CoreRow,
  type CoreRowReader,
  filterRecords,
  insnNumber,
  kindCounts,
  recordPins,
  rootPins,
  stateCounts,
  valueText,
} from './record-rows.ts';

/** CSS pixels: on a narrower page only the most important columns fit. */
const NARROW = 759;
const FIRST_IF_NARROW: readonly string[] = ['expression', 'state', 'change', 'value'];

function narrowPlace({ id }: Column): number {
  const place = FIRST_IF_NARROW.indexOf(id);
  return place < 0 ? FIRST_IF_NARROW.length : place;
}

const NO_RESULTS: readonly CoreResult[] = [];

type RecordListProps = ResolvedObject & {
  readonly read: CoreRowReader;
  readonly core: CoreIndex | null;
};

/** Shows all records with their results on the target, and filters. */
export function RecordList({ id, model, read, core, chosen, outcome }: RecordListProps) {
  const titleId = useId();
  const { query, box } = useFilter();
  const [kinds, setKinds] = useState<ReadonlySet<number>>(new Set());
  const [states, setStates] = useState<ReadonlySet<CoreState>>(new Set());
  const total = model.ext.core.count;
  const hasTarget = chosen !== null;
  const results = outcome?.step === 'ready' ? outcome.value : null;
  const counts = useMemo(() => kindCounts(model), [model]);
  const ofStates = useMemo(() => stateCounts(results ?? NO_RESULTS), [results]);
  const passing = useMemo(
    () => filterRecords(model, read, { text: query, kinds, states, results }),
    [model, read, query, kinds, states, results],
  );
  const uses = usePaneHighlight()?.cores ?? null;
  const pins = usePins(id);
  const isNarrow = useNarrow(NARROW);
  const columns = useMemo(() => {
    const expression = expressionColumns(model, uses, pins);
    const root = rootColumns(pins);
    const inOrder = (unordered: readonly Column[]) =>
      isNarrow ? unordered.toSorted((a, b) => narrowPlace(a) - narrowPlace(b)) : unordered;
    return rowColumns(
      (index) => read(coreIndex(passing[index] ?? 0)),
      hasTarget
        ? inOrder([FUNCTION, INSN, ...resultColumns(results), ...expression, ...root, SECTION])
        : inOrder([FUNCTION, INSN, ...expression, LOCAL_VALUE, ...root, SECTION]),
    );
  }, [model, read, passing, hasTarget, results, uses, pins, isNarrow]);
  const lit = core === null ? -1 : passing.indexOf(core);
  const isFiltered = query !== '' || kinds.size > 0 || (results !== null && states.size > 0);
  const go = (index: number, view?: 'code') => {
    const picked = passing[index];
    if (picked === undefined) return;
    select({ kind: 'core', core: coreIndex(picked), step: null }, view);
  };
  return (
    <Landmark className="column shrink-y tall surface" aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        CO-RE relocations
      </h2>
      <div className={styles.filters}>
        <div className={styles.search}>
          <FoundList
            label="Filter CO-RE relocations"
            hint="/"
            {...box}
            found={
              isFiltered
                ? `${grouped(passing.length)} of ${grouped(total)}`
                : countOf(total, 'record')
            }
          />
          {counts.size < 2 ? null : (
            <PopoverButton
              icon={ListFilter}
              text="Kinds"
              note={kinds.size === 0 ? '' : `${kinds.size} of ${counts.size}`}
              title="Kinds of records"
            >
              <div className="pad-3">
                <KindFilter counts={counts} chosen={kinds} onChange={setKinds} />
              </div>
            </PopoverButton>
          )}
        </div>
        {results === null ? null : (
          <StateFilter counts={ofStates} chosen={states} onChange={setStates} />
        )}
        {chosen === null ? null : <OutcomeNote object={id} chosen={chosen} outcome={outcome} />}
      </div>
      <RecordMenu types={model.types} row={core === null ? null : read(core)}>
        <VirtualTable
          label="CO-RE relocations"
          columns={columns}
          count={passing.length}
          selectedIndex={lit < 0 ? null : lit}
          scrollToIndex={lit < 0 ? null : lit}
          onSelect={(index) => go(index)}
          onActivate={(index) => go(index, 'code')}
          emptyText="No matching records"
        />
      </RecordMenu>
    </Landmark>
  );
}

type RecordMenuProps = {
  readonly types: TypeTable | null;
  readonly row: CoreRow | null;
  readonly children: ReactNode;
};

/** Adds a context menu to a row, about the member that the record accesses. */
function RecordMenu({ types, row, children }: RecordMenuProps) {
  if (types === null) return <div className={styles.table}>{children}</div>;
  return (
    <MemberContextMenu
      className={styles.table}
      types={types}
      type={row?.record.root ?? typeId(0)}
      memberPath={row?.path == null ? [] : memberPathOf(row.path)}
    >
      {children}
    </MemberContextMenu>
  );
}

type Column = RowColumn<CoreRow>;

/** Returns the columns of results. `results` is null until they are known. */
function resultColumns(results: readonly CoreResult[] | null): Column[] {
  const cell = (draw: (result: CoreResult) => ReactNode) => {
    return ({ record }: CoreRow) => {
      const result = results?.[record.index];
      return result === undefined ? <span className="muted">…</span> : draw(result);
    };
  };
  const state = cell((result) => <StateMark state={coreState(result)} />);
  const change = cell((result) => (
    <span title={drawnName(result.reason)}>{changeText(result)}</span>
  ));
  return [
    column('state', 'State', 104, state, {
      by: ({ record }) => {
        const result = results?.[record.index];
        return result === undefined ? null : coreState(result);
      },
    }),
    column('change', 'Value', 116, change, {
      grow: 1,
      mono: true,
      by: ({ record }) => results?.[record.index]?.decision?.newVal ?? null,
    }),
  ];
}

const INSN: Column = column(
  'insn',
  'Insn',
  88,
  ({ record }) => (
    <span
      className="small soft"
      title={`${drawnName(record.sectionName)}, byte ${hexText(record.insnOff)}; relo #${record.relocIndexInSection}`}
    >
      insn #{insnNumber(record)}
    </span>
  ),
  { by: ({ record }) => insnNumber(record) },
);

/** Returns the columns of expression and kind. `uses`: records that use the highlighted type. */
function expressionColumns(
  model: ObjectModel,
  uses: ReadonlySet<number> | null,
  pins: readonly Pin[],
): readonly Column[] {
  const expression = ({ path, record }: CoreRow) => {
    if (path === null) return null;
    const isUse = uses?.has(record.index) === true;
    return (
      <span
        data-broken={path.error !== null}
        className={classNames(styles.expression, isUse && 'in-use')}
      >
        {drawnName(sourceExpression(model, record, path.expression))}
      </span>
    );
  };
  const pinned = (row: CoreRow) => (
    <Pinned pins={recordPins(model, row, pins)}>{expression(row)}</Pinned>
  );
  return [
    column('expression', 'C expression', 150, pinned, { grow: 3, mono: true }),
    column('kind', 'Kind', 132, kindCell, { by: ({ record }) => record.kind }),
  ];
}

/** Returns the columns of root type and access string. `pins` on a root type are shown at it. */
function rootColumns(pins: readonly Pin[]): readonly Column[] {
  const root = ({ rootText, record }: CoreRow) => (
    <Pinned pins={rootPins(record, pins)}>
      <CutName text={rootText} />
    </Pinned>
  );
  return [
    column('root', 'Root type', 154, root, {
      heading: <Term id="root-type">Root type</Term>,
      grow: 2,
      mono: true,
    }),
    column('access', 'Access', 80, accessCell, { mono: true }),
  ];
}

/** Shows the kind of a record in the colour of its group. */
function kindCell({ record }: CoreRow) {
  const group = coreKind(record.kind)?.group;
  return (
    <span className={styles.kind} data-tone={groupTone(group)} title={group ?? 'unknown kind'}>
      {record.kindName}
    </span>
  );
}

const LOCAL_VALUE: Column = column('value', 'Local value', 128, localValueCell, {
  heading: <Term id="local-value">Local value</Term>,
  ...NUMBER,
  by: ({ local }) => local?.value ?? null,
});

function localValueCell({ local }: CoreRow) {
  return local === null || local.value === null ? (
    <span className={styles.broken}>none</span>
  ) : (
    <span title={valueText(local.value)}>{`${local.value}`}</span>
  );
}

const FUNCTION: Column = column(
  'function',
  'Function',
  112,
  ({ record }) => record.func && <CutName text={record.func.name} />,
  { grow: 1 },
);

const SECTION: Column = column(
  'section',
  'Section',
  130,
  ({ record }) => <CutName text={record.sectionName} />,
  { grow: 1 },
);

function accessCell({ record }: CoreRow) {
  return <CutName text={record.accessStr} otherwise="(empty)" />;
}
