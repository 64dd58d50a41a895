import { drawnName } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sizeText } from '#views/parts/number-text.ts';
import styles from './RegionSelect.module.css';
import { sectionLine } from './region-words.ts';
import { type Region, regionCount, rowOfRegion } from './regions.ts';

/** A menu of the system holds no more than this with good grace; the sections behind it are reached from Overview. */
const MAX_OPTIONS = 2000;

type RegionSelectProps = {
  readonly model: ObjectModel;
  readonly region: Region;
  readonly onPick: (row: number) => void;
};

/** The regions as a menu, for narrow screens. */
export function RegionSelect({ model, region, onPick }: RegionSelectProps) {
  const chosen = rowOfRegion(region);
  const shown = Math.min(regionCount(model), MAX_OPTIONS);
  const rows = Array.from({ length: shown }, (_, row) => row);
  if (chosen >= shown) rows.push(chosen);
  return (
    <select
      className={styles.select}
      aria-label="Region"
      value={chosen}
      onChange={(event) => onPick(Number(event.target.value))}
    >
      {rows.map((row) => (
        <option key={row} value={row}>
          {row === 0
            ? `Whole file: ${sizeText(model.size)}`
            : drawnName(sectionLine(model, sectionIndex(row)))}
        </option>
      ))}
    </select>
  );
}
