import { memo, useId, useMemo, useState } from 'react';
import { shortMapType } from '#analysis/kernel/map-types.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { drawnName } from '#bytes/text.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { NO_SELECTION } from '#model/selection.ts';
import { kindOf, skipModifiers } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { Landmark } from '#ui/aria.tsx';
import { Badge } from '#ui/Badge.tsx';
import { grouped } from '#ui/grouped.ts';
import { FoundList, useFilter } from '#ui/SearchBox.tsx';
import { rowRenderer, VirtualList } from '#ui/VirtualList.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, shortSize } from '#views/parts/number-text.ts';
import styles from './DataListPane.module.css';
import {
  type DataEntry,
  type DataGroup,
  selectionOfEntry,
  selectionOfGroup,
} from './data-entries.ts';
import { isExtern, type SelectedData } from './selected-data.ts';

const ROW_HEIGHT = 24;

type DataListPaneProps = {
  readonly model: ObjectModel;
  readonly groups: readonly DataGroup[];
  readonly match: SelectedData | null;
  readonly onOpen: () => void;
};

/** Shows the sections with their variables, maps and externs, and a filter. */
export function DataListPane({ model, groups, match, onOpen }: DataListPaneProps) {
  const titleId = useId();
  const { query, box } = useFilter();
  // A row chosen in this list is visible already. The list scrolls only to other rows.
  const [chosenHere, setChosenHere] = useState<number | null>(null);

  const total = useMemo(() => entryCount(dataRows(model, groups, '')), [model, groups]);
  const rows = useMemo(() => dataRows(model, groups, query), [model, groups, query]);
  const selected = match === null && query === '' ? 0 : rowOfData(rows, match);
  const renderRow = useMemo(
    () => rowRenderer(rows, (row) => <DataListRow model={model} row={row} />),
    [model, rows],
  );
  const choose = (index: number) => {
    const selection = selectionOfRow(rows[index]);
    if (selection === null) return;
    setChosenHere(index);
    select(selection);
  };
  const openFirst = () => {
    const first = rows.findIndex(({ kind }) => kind === 'entry');
    if (first >= 0 && (selected === null || rows[selected]?.kind !== 'entry')) choose(first);
    onOpen();
  };
  return (
    <Landmark className={styles.pane} aria-labelledby={titleId}>
      <h2 id={titleId} className="visually-hidden">
        Data by section
      </h2>
      <div className="line-below pad-row">
        <FoundList
          label="Filter data"
          placeholder="Name, type or section"
          hint="/"
          {...box}
          onEnter={openFirst}
          found={
            query === ''
              ? countOf(total, 'entry', 'entries')
              : `${grouped(entryCount(rows))} of ${grouped(total)}`
          }
        />
      </div>
      <div className="shrink-y">
        <VirtualList
          label="Data"
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selected}
          onSelect={choose}
          onActivate={onOpen}
          onRowClick={(index) => {
            if (selectionOfRow(rows[index]) !== null) onOpen();
          }}
          renderRow={renderRow}
          scrollToIndex={selected === chosenHere ? null : selected}
          emptyText="No matching name, type or section."
        />
      </div>
    </Landmark>
  );
}

function selectionOfRow(row: DataRow | undefined) {
  switch (row?.kind) {
    case 'all':
      return NO_SELECTION;
    case 'group':
      return selectionOfGroup(row.group);
    case 'entry':
      return selectionOfEntry(row.entry);
    default:
      return null;
  }
}

type DataListRowProps = { readonly model: ObjectModel; readonly row: DataRow };

/** Shows a row: a section with the number of its entries, or an entry with its type and size. */
const DataListRow = memo(function DataListRow({ model, row }: DataListRowProps) {
  if (row.kind === 'all') return <span className="small soft medium">All data</span>;
  if (row.kind === 'entry') return <EntryLine model={model} entry={row.entry} />;
  const { group, count } = row;
  return (
    <span className={styles.group}>
      <Name text={group.name} otherwise="(no name)" />
      <span className="at-end rigid muted regular">
        {count > 0 ? grouped(count) : sizeOfSection(model, group.section)}
      </span>
    </span>
  );
});

function sizeOfSection({ sections }: ObjectModel, section: number | null): string {
  const size = section === null ? 0n : (sections.declaredSize[section] ?? 0n);
  return `${shortSize(size)} ${size === 1n ? 'byte' : 'bytes'}`;
}

function EntryLine({ model, entry }: { readonly model: ObjectModel; readonly entry: DataEntry }) {
  return (
    <>
      <span className={styles.badge}>
        <EntryBadge model={model} entry={entry} />
      </span>
      <span className={styles.name} data-extern={isExtern(entry) ? '' : undefined}>
        <Name text={entry.name} otherwise="(no name)" />
      </span>
      <span className={styles.type}>{drawnName(typeWord(model, entry))}</span>
      <span className={styles.size}>{sizeText(entry)}</span>
    </>
  );
}

type EntryBadgeProps = {
  readonly model: ObjectModel;
  readonly entry: DataEntry;
};

/** Shows the kind of a variable, or that the entry is a map. */
export function EntryBadge({ model, entry }: EntryBadgeProps) {
  const { types } = model;
  if (entry.kind === 'map') return <Badge text="M" tone="kind-data" label="map" />;
  if (entry.kind === 'func') return <KindBadge kind={BtfKind.FUNC} />;
  const { type } = entry.variable;
  const isTyped = types !== null && type !== null;
  return <KindBadge kind={isTyped ? kindOf(types, skipModifiers(types, type)) : BtfKind.UNKN} />;
}

/** Returns the size of a variable in bytes, or the maximum number of entries of a map. */
function sizeText(entry: DataEntry): string {
  switch (entry.kind) {
    case 'func':
      return '';
    case 'map':
      return entry.map.maxEntries === null ? '' : `×${grouped(entry.map.maxEntries)}`;
    case 'variable':
      return shortSize(BigInt(Math.max(0, entry.variable.byteSize)));
  }
}

/** Row of the list: all data, a section, or an entry of a section. */
export type DataRow =
  | { readonly kind: 'all' }
  | { readonly kind: 'group'; readonly group: DataGroup; readonly count: number }
  | { readonly kind: 'entry'; readonly group: DataGroup; readonly entry: DataEntry };

/** Returns the rows that contain every word of `query` in their name, type or section. */
export function dataRows(
  model: ObjectModel,
  groups: readonly DataGroup[],
  query: string,
): DataRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: DataRow[] = words.length === 0 ? [{ kind: 'all' }] : [];
  for (const group of groups) {
    const section = group.name.toLowerCase();
    const rest = words.filter((word) => !section.includes(word));
    const entries = group.entries.filter((entry) => {
      const text = rest.length === 0 ? '' : `${entry.name} ${typeWord(model, entry)}`.toLowerCase();
      return rest.every((word) => text.includes(word));
    });
    if (entries.length === 0 && (rest.length > 0 || group.entries.length > 0)) continue;
    rows.push({ kind: 'group', group, count: entries.length });
    for (const entry of entries) rows.push({ kind: 'entry', group, entry });
  }
  return rows;
}

export function entryCount(rows: readonly DataRow[]): number {
  return rows.reduce((sum, { kind }) => sum + (kind === 'entry' ? 1 : 0), 0);
}

/** Returns the row of the selected entry or section; null if the filter hides it. */
export function rowOfData(rows: readonly DataRow[], match: SelectedData | null): number | null {
  if (match === null) return null;
  const index = rows.findIndex((row) =>
    match.entry === null
      ? row.kind === 'group' && row.group === match.group
      : row.kind === 'entry' && row.entry === match.entry,
  );
  return index < 0 ? null : index;
}

const words = new WeakMap<DataEntry, string>();

/** Returns the C type of a variable or the type of a map, not escaped; empty if unknown. */
export function typeWord(model: ObjectModel, entry: DataEntry): string {
  return getOrCreate(words, entry, () => findWord(model, entry));
}

function findWord({ types }: ObjectModel, entry: DataEntry): string {
  switch (entry.kind) {
    case 'map':
      return shortMapType(entry.map.mapTypeName);
    case 'func':
      return 'kernel function';
    case 'variable': {
      const { type } = entry.variable;
      return types === null || type === null ? '' : typeExpression(types, type);
    }
  }
}
