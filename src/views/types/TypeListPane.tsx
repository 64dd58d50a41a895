import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { TypeQuery } from '#analysis/find/type-search.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { Callout } from '#ui/Callout.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { KindFilter } from './KindFilter.tsx';
import { keepQuery, keptQuery } from './kept-queries.ts';
import { OrderControls } from './OrderControls.tsx';
import { foundText } from './query.ts';
import styles from './TypeListPane.module.css';
import { TypeRow } from './TypeRow.tsx';
import { useFoundTypes } from './use-found-types.ts';

const ROW_HEIGHT = 24;

type TypeListPaneProps = {
  readonly fileId: FileId;
  readonly types: TypeTable;
  readonly selected: TypeId | null;
  /** A person chose a row and wants to read it. */
  readonly onOpen: () => void;
};

/** The types that pass the filter, in the order asked for. */
export function TypeListPane({ fileId, types, selected, onOpen }: TypeListPaneProps) {
  const [query, setQuery] = useState(() => keptQuery(types));
  // The row that was chosen here is in sight; one that another view chose has to be shown.
  const [chosenHere, setChosenHere] = useState<TypeId | null>(null);
  const pane = useRef<HTMLElement>(null);
  const answer = useFoundTypes(fileId, types, query);
  const ids = answer.value;
  const listKey = useChangeCount(ids);
  const isByHoles = query.order === 'holes';
  useOptionClick(pane, onOpen);

  const index = ids === null || selected === null ? -1 : ids.indexOf(selected);
  const selectedIndex = index < 0 ? null : index;
  const renderRow = useMemo(
    () => (row: number) => {
      const id = ids?.[row];
      return id === undefined ? null : (
        <TypeRow types={types} type={typeId(id)} withHoles={isByHoles} />
      );
    },
    [ids, types, isByHoles],
  );
  const ask = (next: TypeQuery) => {
    setQuery(next);
    keepQuery(types, next);
    setChosenHere(selected);
  };
  const choose = (row: number) => {
    const id = ids?.[row];
    if (id === undefined) return;
    setChosenHere(typeId(id));
    select(typeSelection(typeId(id)));
  };
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      pane.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus();
      event.preventDefault();
    } else if (event.key === 'Enter' && ids !== null && ids.length > 0) {
      if (selectedIndex === null) choose(0);
      onOpen();
    }
  };

  return (
    <section ref={pane} className={styles.pane} aria-labelledby="types-heading">
      <h2 id="types-heading" className="visually-hidden">
        Types
      </h2>
      <div className={styles.controls}>
        <SearchBox
          label="Filter types"
          placeholder="Filter types: name, struct foo, #123"
          hint="/"
          value={query.text}
          onChange={(text) => ask({ ...query, text })}
          onKeyDown={onSearchKey}
        />
        <KindFilter
          types={types}
          kinds={query.kinds}
          onChange={(kinds) => ask({ ...query, kinds })}
        />
        <OrderControls query={query} onChange={ask}>
          <p className={styles.found} aria-live="polite">
            {ids === null ? 'Counting…' : foundText(query, ids.length, types.count)}
          </p>
        </OrderControls>
      </div>
      <div className={styles.list}>
        {answer.step === 'failed' ? (
          <Callout severity="error" title={answer.issue.message}>
            {answer.issue.advice}
          </Callout>
        ) : null}
        {ids === null ? null : (
          <VirtualList
            // A new answer is read from its top.
            key={listKey}
            label="Types"
            count={ids.length}
            rowHeight={ROW_HEIGHT}
            selectedIndex={selectedIndex}
            onSelect={choose}
            onActivate={onOpen}
            renderRow={renderRow}
            scrollToIndex={selected === chosenHere ? null : selectedIndex}
            emptyText={emptyText(query)}
          />
        )}
      </div>
    </section>
  );
}

function emptyText({ kinds, order }: TypeQuery): string {
  if (order === 'holes') return 'No struct that passes the filter has a hole or padding.';
  return `No type ${kinds === 0 ? '' : 'of these kinds '}matches this filter.`;
}

/** How often the value has been another one. */
function useChangeCount(value: unknown): number {
  const [seen, setSeen] = useState({ value, count: 0 });
  if (seen.value === value) return seen.count;
  setSeen({ value, count: seen.count + 1 });
  return seen.count + 1;
}

/** Calls back when a row is pointed at and chosen: by key it is only passed. */
function useOptionClick(pane: RefObject<HTMLElement | null>, onClick: () => void): void {
  useEffect(() => {
    const element = pane.current;
    const listen = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('[role="option"]')) onClick();
    };
    element?.addEventListener('click', listen);
    return () => element?.removeEventListener('click', listen);
  }, [pane, onClick]);
}
