import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import { NOTHING } from '#model/selection.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './DataListPane.module.css';
import { DataListRow } from './DataListRow.tsx';
import { type DataGroup, selectionOfEntry, selectionOfGroup } from './data-entries.ts';
import { type DataRow, dataRows, entryCount, rowOfFound } from './data-rows.ts';
import type { FoundData } from './found-data.ts';
import { useOptionClick } from './use-option-click.ts';

const ROW_HEIGHT = 24;

type DataListPaneProps = {
  readonly model: ObjectModel;
  readonly groups: readonly DataGroup[];
  readonly found: FoundData | null;
  /** A person chose a row and wants to read it. */
  readonly onOpen: () => void;
};

/** Sections with their variables, maps and externs, as far as they pass the filter. */
export function DataListPane({ model, groups, found, onOpen }: DataListPaneProps) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  // The row that was chosen here is in sight; one that another view chose has to be shown.
  const [chosenHere, setChosenHere] = useState<number | null>(null);
  const pane = useRef<HTMLElement>(null);
  const takeClick = useOptionClick(pane);

  const total = useMemo(() => entryCount(dataRows(model, groups, '')), [model, groups]);
  const rows = useMemo(() => dataRows(model, groups, query), [model, groups, query]);
  const selected = found === null && query === '' ? 0 : rowOfFound(rows, found);
  const renderRow = useMemo(
    () => (index: number) => {
      const row = rows[index];
      return row === undefined ? null : <DataListRow model={model} row={row} />;
    },
    [model, rows],
  );
  const choose = (index: number) => {
    const selection = selectionOfRow(rows[index]);
    if (selection === null) return;
    setChosenHere(index);
    select(selection);
    if (takeClick()) onOpen();
  };
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      pane.current?.querySelector<HTMLElement>('[role="listbox"]')?.focus();
      event.preventDefault();
    } else if (event.key === 'Enter') {
      const first = rows.findIndex(({ kind }) => kind === 'entry');
      if (first >= 0 && (selected === null || rows[selected]?.kind !== 'entry')) choose(first);
      onOpen();
    }
  };
  return (
    <section ref={pane} className={styles.pane} aria-labelledby="data-heading">
      <h2 id="data-heading" className="visually-hidden">
        Data by section
      </h2>
      <div className={styles.controls}>
        <SearchBox
          label="Filter data"
          placeholder="Name, type or section"
          hint="/"
          value={text}
          onChange={setText}
          onKeyDown={onSearchKey}
          found={
            query === ''
              ? countOf(total, 'entry', 'entries')
              : `${grouped(entryCount(rows))} of ${grouped(total)}`
          }
        />
      </div>
      <div className={styles.list}>
        <VirtualList
          label="Data"
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selected}
          onSelect={choose}
          onActivate={onOpen}
          renderRow={renderRow}
          scrollToIndex={selected === chosenHere ? null : selected}
          emptyText="Nothing has this in its name, type or section."
        />
      </div>
    </section>
  );
}

function selectionOfRow(row: DataRow | undefined) {
  switch (row?.kind) {
    case 'all':
      return NOTHING;
    case 'group':
      return selectionOfGroup(row.group);
    case 'entry':
      return selectionOfEntry(row.entry);
    default:
      return null;
  }
}
