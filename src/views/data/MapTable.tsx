import { useMemo } from 'react';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/navigation.ts';
import { tableHeight } from '#ui/table-columns.ts';
import { LinkTable } from '#views/parts/LinkTable.tsx';
import { type DataEntry, selectionOfEntry } from './data-entries.ts';
import styles from './detail.module.css';
import { mapColumns } from './map-columns.tsx';

/** All maps with what their definitions say; a row leads to its map. */
export function MapTable({
  model,
  entries,
}: {
  readonly model: ObjectModel;
  readonly entries: readonly DataEntry[];
}) {
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
