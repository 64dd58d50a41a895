import { type ReactNode, useMemo, useState } from 'react';
import { sectionRole } from '#analysis/objects/section-role.ts';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { drawnName } from '#bytes/text.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { Landmark } from '#ui/aria.tsx';
import { grouped } from '#ui/grouped.ts';
import { Segmented } from '#ui/inputs.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { CutName } from '#views/parts/Name.tsx';
import { countOf, sizeText } from '#views/parts/number-text.ts';
import { offsetCell } from '#views/parts/Offset.tsx';
import { relocTone } from '#views/parts/relocation-look.ts';
import styles from './RegionList.module.css';
import { type Region, regionCount, sectionLine, sectionText } from './regions.ts';

const ROW_HEIGHT = 44;

type RegionListProps = {
  readonly model: ObjectModel;
  readonly region: Region;
  /** Called with the row that the user picks: 0 for the file, else the section of that index. */
  readonly onPick: (row: number) => void;
};

/** Shows a list of the file and its sections. */
export function RegionList({ model, region, onPick }: RegionListProps) {
  const counts = useMemo(() => relocationCounts(model), [model]);
  const renderRow = useMemo(
    () => (row: number) => <RegionRow model={model} row={row} relocations={counts[row] ?? 0} />,
    [model, counts],
  );
  const chosen = region.section ?? 0;
  // A row picked in this list is visible already: the list must not scroll.
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
      <div className="grid shrink wide tight">
        <span className="medium">Whole file</span>
        <span className={styles.facts}>{sizeText(model.size)}</span>
      </div>
    );
  }
  const { name, type, flags, offset, size } = sectionText(model, sectionIndex(row));
  return (
    <div className="grid shrink wide tight">
      <span className={styles.title}>
        <span className={styles.index}>{row}</span>
        <span className="grow small clip">
          <CutName text={name} />
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
        <span className="clip">{type}</span>
        <span className="mono soft">{flags}</span>
        <span className="gap-2 at-end rigid mono flex">
          {offsetCell(offset)}
          <span className={styles.size}>{sizeText(Number(size))}</span>
        </span>
      </span>
    </div>
  );
}

/** Maximum number of sections in the menu: native menus with more are slow. */
const MAX_OPTIONS = 2000;

/** Shows a menu of the file and its sections in a narrow view. */
export function RegionSelect({ model, region, onPick }: RegionListProps) {
  const chosen = region.section ?? 0;
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

type SidePaneProps = {
  /** Accessible name of the pane and of its switch. */
  readonly label: string;
  /** Content of each part by its title. The first part is shown initially. */
  readonly panes: Readonly<Record<string, ReactNode>>;
};

/** Shows a pane beside the bytes, with a switch between its parts. */
export function SidePane({ label, panes }: SidePaneProps) {
  const titles = Object.keys(panes);
  const [shown, setShown] = useState(titles[0] ?? '');
  const options = Object.fromEntries(titles.map((title) => [title, title]));
  return (
    <Landmark as="nav" className={styles.pane} aria-label={label}>
      <div className={styles.choice}>
        <Segmented label={label} options={options} value={shown} onChange={setShown} />
      </div>
      <div className="fill">{panes[shown]}</div>
    </Landmark>
  );
}
