import { useMemo, useState } from 'react';
import { sectionRole } from '#analysis/objects/section-role.ts';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { grouped } from '#ui/grouped.ts';
import { VirtualList } from '#ui/VirtualList.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf, hexText, sizeText } from '#views/parts/number-text.ts';
import { relocTone } from '#views/parts/relocation-look.ts';
import styles from './RegionList.module.css';
import { sectionWords } from './region-words.ts';
import { type Region, regionCount, rowOfRegion } from './regions.ts';

const ROW_HEIGHT = 44;

type RegionListProps = {
  readonly model: ObjectModel;
  readonly region: Region;
  /** 0 = the whole file, else the section of that index. */
  readonly onPick: (row: number) => void;
};

/** The file and its sections, with what one asks before looking into one. */
export function RegionList({ model, region, onPick }: RegionListProps) {
  const counts = useMemo(() => relocationCounts(model), [model]);
  const renderRow = useMemo(
    () => (row: number) => <RegionRow model={model} row={row} relocations={counts[row] ?? 0} />,
    [model, counts],
  );
  const chosen = rowOfRegion(region);
  // What was picked here is in sight: the list must not move under the pointer.
  const [picked, setPicked] = useState<number | null>(null);
  return (
    <VirtualList
      label="Regions"
      count={regionCount(model)}
      rowHeight={ROW_HEIGHT}
      selectedIndex={chosen}
      scrollToIndex={picked === chosen ? null : chosen}
      onSelect={(row) => {
        setPicked(row);
        onPick(row);
      }}
      renderRow={renderRow}
    />
  );
}

type RegionRowProps = {
  readonly model: ObjectModel;
  readonly row: number;
  readonly relocations: number;
};

function RegionRow({ model, row, relocations }: RegionRowProps) {
  if (row === 0) {
    return (
      <div className={styles.row}>
        <span className={styles.file}>Whole file</span>
        <span className={styles.facts}>{sizeText(model.size)}</span>
      </div>
    );
  }
  const { name, type, flags, offset, size } = sectionWords(model, sectionIndex(row));
  return (
    <div className={styles.row}>
      <span className={styles.title}>
        <span className={styles.index}>{row}</span>
        <span className={styles.name}>
          <Name text={name} otherwise="(no name)" />
        </span>
        {relocations === 0 ? null : (
          <span
            className={styles.count}
            data-tone={relocTone(sectionRole(model, row))}
            title={countOf(relocations, 'relocation')}
          >
            {grouped(relocations)} <abbr title="relocations">rel</abbr>
          </span>
        )}
      </span>
      <span className={styles.facts}>
        <span className={styles.type}>{type}</span>
        <span className={styles.flags}>{flags}</span>
        <span className={styles.place}>
          {hexText(offset)}
          <span className={styles.size}>{sizeText(Number(size))}</span>
        </span>
      </span>
    </div>
  );
}
