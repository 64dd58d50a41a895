import { memo } from 'react';
import { stripped } from '#analysis/types/strip.ts';
import { drawnName } from '#bytes/text.ts';
import { typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf } from '#model/type-table.ts';
import { Badge } from '#ui/Badge.tsx';
import { grouped } from '#ui/grouped.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { shortSize } from '#views/parts/type-size-text.ts';
import styles from './DataListRow.module.css';
import type { DataEntry } from './data-entries.ts';
import { badgeKind, type DataRow, typeWord } from './data-rows.ts';
import { isExtern } from './found-data.ts';

type DataListRowProps = { readonly model: ObjectModel; readonly row: DataRow };

/** One line of the list: a section with how much is in it, or a name with its type and size. */
export const DataListRow = memo(function DataListRow({ model, row }: DataListRowProps) {
  if (row.kind === 'all') return <span className={styles.all}>All data</span>;
  if (row.kind === 'entry') return <EntryLine model={model} entry={row.entry} />;
  const { group, count } = row;
  return (
    <span className={styles.group}>
      <Name text={group.name} otherwise="(no name)" />
      <span className={styles.count}>
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

/** The letter of what a variable is; maps have one of their own. */
export function EntryBadge({
  model,
  entry,
}: {
  readonly model: ObjectModel;
  readonly entry: DataEntry;
}) {
  const { types } = model;
  const kind = badgeKind(entry, (type) =>
    types === null ? 0 : kindOf(types, stripped(types, typeId(type))),
  );
  return kind === null ? (
    <Badge text="M" tone="kind-data" label="map" />
  ) : (
    <KindBadge kind={kind} />
  );
}

/** Bytes of a variable; of a map how many entries it may have. */
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
