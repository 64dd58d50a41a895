import { ArrowDownNarrowWide, ArrowDownWideNarrow, ListFilter } from 'lucide-react';
import { memo, type ReactNode, useId, useMemo, useState } from 'react';
import { allTypes, type TypeOrder, type TypeQuery } from '#analysis/find/type-search.ts';
import { kindHistogram } from '#analysis/types/type-census.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, nameOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { isUse, usePaneHighlight } from '#store/session/highlight.ts';
import { useAnswer } from '#store/session/hooks.ts';
import { activate } from '#store/session/panes.ts';
import { type FileId, typesOf, useSession } from '#store/session/session.ts';
import { Landmark } from '#ui/aria.tsx';
import { Chip } from '#ui/Badge.tsx';
import { IconButton } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { grouped } from '#ui/grouped.ts';
import { Checkbox, Segmented } from '#ui/inputs.tsx';
import { PopoverButton } from '#ui/PopoverButton.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { type SortOrder, setTable, useTableSettings } from '#ui/table-settings.ts';
import { VirtualList } from '#ui/VirtualList.tsx';
import { KindBadge, kindStyle } from '#views/parts/KindBadge.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { usePinsByType } from '#views/parts/PinMark.tsx';
import { typeListState } from './state.ts';
import styles from './TypeListPane.module.css';
import { AllFilesList, TypeRow } from './TypeRows.tsx';

const ROW_HEIGHT = 24;

type TypeListPaneProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  readonly selected: TypeId | null;
  readonly onOpen: () => void;
};

/** Shows the types in a list that can be filtered and sorted. */
export const TypeListPane = memo(function TypeListPane(props: TypeListPaneProps) {
  const { fileId, types, selected, onOpen } = props;
  const titleId = useId();
  const { text, kinds, scope } = typeListState.useOf(fileId);
  const stored = useTableSettings(ORDER_OF_TYPES).sort;
  const query = useMemo(() => ({ text, kinds, ...keptOrder(stored) }), [text, kinds, stored]);
  const withTypes = useSession(
    ({ files }) => files.filter((file) => typesOf(file) !== null).length,
  );
  const isAll = scope === 'all' && withTypes > 1;
  // Row that was chosen here. It is visible, so do not scroll to it.
  const [chosenHere, setChosenHere] = useState<TypeId | null>(null);
  const all = useMemo(() => allTypes(types, query), [types, query]);
  const answer = useAnswer(fileId, 'searchTypes', query, all);
  const ids = answer.value;
  const renderRow = useTypeRows(fileId, types, ids, query.order === 'holes');
  const index = ids === null || selected === null ? -1 : ids.indexOf(selected);
  const selectedIndex = index < 0 ? null : index;
  const ask = (next: TypeQuery) => {
    typeListState.set({ text: next.text, kinds: next.kinds }, fileId);
    if (next.order !== query.order || next.descending !== query.descending) keepOrder(next);
    setChosenHere(selected);
  };
  const goToFile = (id: FileId, type: TypeId) => {
    // Use the same query in the list of the other file.
    typeListState.set({ text: query.text, kinds: query.kinds, scope }, id);
    activate(id);
    select(typeSelection(type), 'types');
    onOpen();
  };
  const choose = (row: number) => {
    const id = ids?.[row];
    if (id === undefined) return;
    setChosenHere(typeId(id));
    select(typeSelection(typeId(id)));
  };
  const openFirst = () => {
    if (isAll || ids === null || ids.length === 0) return;
    const isFiltered = query.text.trim() !== '';
    if (selectedIndex === null || isFiltered) choose(bestRow(types, ids, query.text));
    onOpen();
  };

  return (
    <Landmark className={styles.pane} aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        Types
      </h2>
      <div className="grid gap-2 shrink line-below pad-row">
        <FoundList
          label="Filter types"
          placeholder="Filter types: name, struct foo, #123, member-type:foo, takes:foo"
          hint="/"
          value={query.text}
          onChange={(next) => ask({ ...query, text: next })}
          isWaiting={answer.step === 'waiting'}
          onEnter={openFirst}
        />
        {withTypes > 1 ? (
          <Checkbox
            isChecked={isAll}
            onChange={(is) => typeListState.set({ scope: is ? 'all' : 'file' }, fileId)}
          >
            In all {withTypes} open files
          </Checkbox>
        ) : null}
        <OrderControls query={query} onChange={ask}>
          <PopoverButton
            icon={ListFilter}
            text="Kinds"
            note={kindsNote(query.kinds)}
            title="Kinds of types"
          >
            <KindFilter
              fileId={fileId}
              types={types}
              query={query}
              onChange={(next) => ask({ ...query, kinds: next })}
            />
          </PopoverButton>
          <p className="at-end small muted nowrap" aria-live="polite">
            {isAll ? '' : ids === null ? 'Counting…' : foundText(query, ids.length, types.count)}
          </p>
        </OrderControls>
      </div>
      <div className="shrink-y">
        {answer.step === 'failed' ? (
          <Callout severity="error" title={answer.issue.message}>
            {answer.issue.advice}
          </Callout>
        ) : null}
        {isAll ? (
          <AllFilesList
            fileId={fileId}
            query={query}
            selected={selected}
            onChoose={(type) => select(typeSelection(type))}
            onOpen={goToFile}
            emptyText={emptyText(query)}
          />
        ) : ids === null ? null : (
          <VirtualList
            list={ids}
            label="Types"
            count={ids.length}
            rowHeight={ROW_HEIGHT}
            selectedIndex={selectedIndex}
            onSelect={choose}
            onActivate={onOpen}
            onRowClick={onOpen}
            renderRow={renderRow}
            scrollToIndex={selected === chosenHere ? null : selectedIndex}
            emptyText={emptyText(query)}
          />
        )}
      </div>
    </Landmark>
  );
});

/** Maximum number of rows in which a type with exactly the typed name is searched. */
const MAX_SEARCHED = 10_000;

/** Returns the first row whose name is the last word of the filter, or else the first row. */
export function bestRow(types: TypeTable, ids: Uint32Array, text: string): number {
  const wanted =
    text
      .trim()
      .toLowerCase()
      .split(/[\s:]+/)
      .at(-1) ?? '';
  const row = ids
    .subarray(0, MAX_SEARCHED)
    .findIndex((id) => nameOf(types, typeId(id), wanted.length + 1).toLowerCase() === wanted);
  return Math.max(0, row);
}

/** Returns a function that draws the rows of `ids`, with pins and highlighted uses. */
function useTypeRows(
  fileId: FileId,
  types: TypeTable,
  ids: Uint32Array | null,
  withHoles: boolean,
): (row: number) => ReactNode {
  const highlight = usePaneHighlight();
  const pins = usePinsByType(fileId, types);
  return useMemo(
    () => (row: number) => {
      const id = ids?.[row];
      return id === undefined ? null : (
        <TypeRow
          types={types}
          type={typeId(id)}
          withHoles={withHoles}
          isUse={highlight !== null && isUse(highlight, id)}
          pins={pins.get(typeId(id))}
        />
      );
    },
    [ids, types, withHoles, highlight, pins],
  );
}

function emptyText({ kinds, order }: TypeQuery): string {
  if (order === 'holes') return 'No struct that passes the filter has a hole or padding.';
  return `No type ${kinds === 0 ? '' : 'of these kinds '}matches this filter.`;
}

/** Returns how many kinds the list is limited to; empty if it has all. */
function kindsNote(kinds: number): string {
  let count = 0;
  for (let bits = kinds; bits !== 0; bits &= bits - 1) count++;
  return count === 0 ? '' : grouped(count);
}

type KindFilterProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  readonly query: TypeQuery;
  readonly onChange: (kinds: number) => void;
};

/** Shows a chip for each kind in the file, with the number of types that pass the filter. */
function KindFilter({ fileId, types, query, onChange }: KindFilterProps) {
  const every = useMemo(() => ({ ...query, kinds: 0 }), [query]);
  const all = useMemo(() => allTypes(types, every), [types, every]);
  const { value: passing } = useAnswer(fileId, 'searchTypes', every, all);
  const ofFile = useMemo(() => kindHistogram(types), [types]);
  const counts = useMemo(() => kindCounts(types, passing), [types, passing]);
  return (
    <fieldset className={styles.kinds} aria-label="Kinds">
      {ofFile.map(({ kind }) => {
        const isPressed = isKindChosen(query.kinds, kind);
        return (
          <Chip
            key={kind}
            tone={isPressed ? 'accent' : 'muted'}
            isPressed={isPressed}
            onClick={() => onChange(toggleKind(query.kinds, kind))}
          >
            <span className={styles.chip}>
              <KindBadge kind={kind} decorative />
              {kindStyle(kind).name}
              <span className="muted">
                {passing === null ? '' : grouped(counts.get(kind) ?? 0)}
              </span>
            </span>
          </Chip>
        );
      })}
    </fieldset>
  );
}

function kindCounts(types: TypeTable, ids: Uint32Array | null): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const id of ids ?? []) {
    const kind = kindOf(types, typeId(id));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

const ORDERS = {
  structs: 'Structs',
  id: 'Id',
  name: 'Name',
  size: 'Size',
  holes: 'Holes',
} as const;
const TYPE_ORDERS = Object.keys(ORDERS) as readonly TypeOrder[];

type OrderControlsProps = {
  readonly query: TypeQuery;
  readonly onChange: (query: TypeQuery) => void;
  /** Content at the end of the line. */
  readonly children: ReactNode;
};

function OrderControls({ query, onChange, children }: OrderControlsProps) {
  const Icon = query.descending ? ArrowDownWideNarrow : ArrowDownNarrowWide;
  return (
    <div className="row wrap gap-1 shrink">
      <Segmented
        label="Order"
        options={ORDERS}
        value={query.order}
        onChange={(order) => onChange(orderedBy(query, order))}
      />
      {query.order === 'structs' ? null : (
        <IconButton
          label={query.descending ? 'Sort ascending' : 'Sort descending'}
          icon={Icon}
          onClick={() => onChange({ ...query, descending: !query.descending })}
        />
      )}
      {children}
    </div>
  );
}

/** Query of a list that is not filtered, in its first order. */
export const FIRST_QUERY: TypeQuery = { text: '', kinds: 0, order: 'structs', descending: false };

/** Key under which the browser stores the order of all lists of types. */
const ORDER_OF_TYPES = 'Order of types';

type OrderOfTypes = Pick<TypeQuery, 'order' | 'descending'>;

/** Returns the stored order; the default order if none is stored. */
export function keptOrder(stored: SortOrder | null): OrderOfTypes {
  const order = TYPE_ORDERS.find((each) => each === stored?.columnId);
  return order === undefined
    ? { order: FIRST_QUERY.order, descending: FIRST_QUERY.descending }
    : { order, descending: stored?.direction === 'descending' };
}

function keepOrder({ order, descending }: OrderOfTypes): void {
  setTable(ORDER_OF_TYPES, {
    sort: { columnId: order, direction: descending ? 'descending' : 'ascending' },
  });
}

/** Returns the bit of a kind. All kinds from 31 on have the last bit, as in `TypeQuery`. */
const bitOf = (kind: number) => (1 << Math.min(kind, 31)) >>> 0;

/** Returns true if the mask has the bit of the kind. A mask of 0 has no bit but shows all. */
export function isKindChosen(kinds: number, kind: number): boolean {
  return (kinds & bitOf(kind)) !== 0;
}

/** Returns the mask with the bit of the kind changed. */
export function toggleKind(kinds: number, kind: number): number {
  return (kinds ^ bitOf(kind)) >>> 0;
}

/** Returns the query with another order. Sizes and holes are then sorted largest first. */
export function orderedBy(query: TypeQuery, order: TypeOrder): TypeQuery {
  return { ...query, order, descending: order === 'size' || order === 'holes' };
}

/** Returns the number of types: `126 572 types`, or `1 204 of 126 572` in a filtered list. */
export function foundText(query: TypeQuery, found: number, total: number): string {
  const asksAll = query.text.trim() === '' && query.kinds === 0 && query.order !== 'holes';
  return asksAll ? countOf(total, 'type') : `${grouped(found)} of ${grouped(total)}`;
}
