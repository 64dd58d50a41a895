import { useMemo } from 'react';
import type { MapDefinition, MapPart } from '#analysis/values/map-definitions.ts';
import { shortMapType } from '#analysis/values/map-types.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/navigation.ts';
import { grouped } from '#ui/grouped.ts';
import { type TableColumn, tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { mapFlagsText } from '#views/parts/map-flags.ts';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { type DataEntry, selectionOfEntry } from './data-entries.ts';
import styles from './detail.module.css';

type MapTableProps = {
  readonly model: ObjectModel;
  readonly entries: readonly DataEntry[];
};

/** All maps with what their definitions say; a row leads to its map. */
export function MapTable({ model, entries }: MapTableProps) {
  const maps = useMemo(
    () => entries.flatMap((entry) => (entry.kind === 'map' ? [entry.map] : [])),
    [entries],
  );
  const columns = useMemo(() => mapColumns(model, maps), [model, maps]);
  const go = (index: number) => {
    const map = maps[index];
    const selection =
      map === undefined ? null : selectionOfEntry({ kind: 'map', name: map.name, map });
    if (selection !== null) select(selection);
  };
  return (
    <div className={styles.frame} style={{ height: tableHeight(maps.length, 18) }}>
      <LinkTable
        label="Maps"
        columns={columns}
        count={maps.length}
        selectedIndex={null}
        onSelect={() => undefined}
        onActivate={go}
      />
    </div>
  );
}

/** The columns of a table of maps. */
function mapColumns(model: ObjectModel, maps: readonly MapDefinition[]): TableColumn[] {
  const column = (
    id: string,
    header: string,
    width: number,
    draw: (map: MapDefinition) => React.ReactNode,
    more: Pick<TableColumn, 'grow' | 'align' | 'mono'> = {},
  ): TableColumn => ({
    id,
    header,
    width,
    ...more,
    cell: (index) => {
      const map = maps[index];
      return map === undefined ? null : draw(map);
    },
  });
  return [
    column('name', 'Map', 130, (map) => <Name text={map.name} />, { grow: 2 }),
    column('type', 'Type', 130, (map) => shortMapType(map.mapTypeName), { grow: 1, mono: true }),
    column('key', 'Key', 160, (map) => <Part model={model} part={map.key} />, { grow: 2 }),
    column('value', 'Value', 150, (map) => <Part model={model} part={map.value} />, { grow: 2 }),
    column(
      'max',
      'Max entries',
      92,
      (map) => (map.maxEntries === null ? '' : grouped(map.maxEntries)),
      { align: 'end', mono: true },
    ),
    column('more', 'More', 110, moreText, { grow: 1 }),
  ];
}

/** A key or value: its type as a link, and its bytes. */
export function Part({ model, part }: { readonly model: ObjectModel; readonly part: MapPart }) {
  const { type, byteSize } = part;
  const size = byteSize === null ? '' : countOf(byteSize, 'byte');
  if (model.types === null || type === null)
    return <span className="rigid small muted">{size}</span>;
  return (
    <span className={styles.part}>
      <TypeLink types={model.types} type={type} />
      <span className="rigid small muted">{size}</span>
    </span>
  );
}

function moreText({ mapFlags, pinning, slots, inner, faults }: MapDefinition): string {
  const words: string[] = [];
  if (faults.length > 0) words.push(countOf(faults.length, 'fault'));
  if (slots.length > 0) words.push(countOf(slots.length, 'slot'));
  else if (inner !== null) words.push(inner === 'program' ? 'programs' : 'maps');
  if (pinning !== null && pinning !== 0n) words.push('pinned');
  if (mapFlags !== null && mapFlags !== 0n) words.push(mapFlagsText(mapFlags));
  return words.join(', ');
}
