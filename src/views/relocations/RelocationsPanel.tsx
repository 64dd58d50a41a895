import { useDeferredValue, useMemo, useState } from 'react';
import { type Selection, sameSelection } from '#model/selection.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { usePins } from '#store/pins.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { grouped } from '#ui/grouped.ts';
import { SearchBox } from '#ui/SearchBox.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import { Toolbar } from '#ui/Toolbar.tsx';
import { useNarrow } from '#ui/ViewWidth.tsx';
import { VirtualTable } from '#ui/VirtualTable.tsx';
import { LayoutBar } from '#views/parts/LayoutBar.tsx';
import { relocTone } from '#views/parts/relocation-look.ts';
import { useStatedLayout } from '#views/parts/use-layout.ts';
import { RelocationCard } from './RelocationCard.tsx';
import styles from './RelocationsPanel.module.css';
import { relocationColumns, withPins } from './relocation-columns.tsx';
import { filterRelocations } from './relocation-filter.ts';
import {
  type FamilyGroup,
  relocationAtRow,
  relocationsOf,
  rowOfRelocation,
  ScopeRows,
  sectionsInScope,
} from './relocation-groups.ts';
import { ScopeAbout, ScopeList, ScopeSelect } from './ScopeList.tsx';
import { useScope } from './use-scope.ts';

/** Under this width the list of sections becomes a menu and the detail stands under the table. */
const NARROW = 899;

/** Under this width the table has no room for the numbers. */
const TIGHT = 719;

type RelocationsPanelProps = {
  readonly active: Active;
  readonly families: readonly FamilyGroup[];
};

/** The entries of one file: which to list, the list, and one of them in full. */
export function RelocationsPanel({ active, families }: RelocationsPanelProps) {
  const { id, model, selection } = active;
  const isNarrow = useNarrow(NARROW);
  const isTight = useNarrow(TIGHT);
  const { scope, setScope, reloc } = useScope(active, families);
  const stated = useStatedLayout(id, model, 'relocations');
  const { layout } = stated;
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  // What was clicked here is in sight already: only what comes from elsewhere scrolls.
  const [clicked, setClicked] = useState<Selection | null>(null);

  const sections = useMemo(() => sectionsInScope(families, scope), [families, scope]);
  const all = useMemo(() => relocationsOf(sections), [sections]);
  const rows = useMemo(() => filterRelocations(model, all, query), [model, all, query]);
  const showSection = sections.length > 1;
  const isLoaded = sections.every(({ belongsTo }) => relocTone(belongsTo) !== 'reloc-4');
  const pins = usePins(id);
  const columns = useMemo(() => {
    const own = relocationColumns(model, rows, { showSection, isLoaded, isTight, layout });
    return withPins(own, pins, (row) => relocationAtRow(rows, row));
  }, [model, rows, showSection, isLoaded, isTight, layout, pins]);
  const choices = useMemo(
    () => new ScopeRows(families, scope, isNarrow),
    [families, scope, isNarrow],
  );

  const selected = useMemo(() => rowOfRelocation(rows, reloc), [rows, reloc]);
  const selectRow = (row: number, view?: 'bytes') => {
    const picked = relocationAtRow(rows, row);
    if (picked === null) return;
    const next: Selection = { kind: 'relocation', reloc: picked };
    setClicked(next);
    select(next, view);
  };

  return (
    <div className={styles.panel}>
      {isNarrow ? null : (
        <nav className={styles.scopes} aria-label="Relocation sections">
          <ScopeList rows={choices} scope={scope} onScope={setScope} />
        </nav>
      )}
      <div className={styles.main}>
        <Toolbar label="Relocations">
          {isNarrow ? <ScopeSelect rows={choices} scope={scope} onScope={setScope} /> : null}
          <div className={styles.search}>
            <SearchBox
              label="Filter relocations"
              placeholder="Symbol, type or section"
              hint="/"
              value={text}
              onChange={setText}
              {...(query === ''
                ? {}
                : { found: `${grouped(rows.length)} of ${grouped(all.length)}` })}
            />
          </div>
        </Toolbar>
        <LayoutBar model={model} stated={stated} />
        <div className={styles.about}>
          <ScopeAbout sections={sections} />
        </div>
        <div className={styles.table}>
          <VirtualTable
            label="Relocations"
            columns={columns}
            count={rows.length}
            selectedIndex={selected}
            onSelect={(row) => selectRow(row)}
            onActivate={(row) => selectRow(row, 'bytes')}
            scrollToIndex={clicked !== null && sameSelection(clicked, selection) ? null : selected}
            emptyText={query === '' ? 'No entries' : 'No matching entries'}
          />
        </div>
      </div>
      <aside className={styles.detail} {...scrollRegion('Relocation details')}>
        {reloc === null ? (
          <EmptyState
            title="No relocation selected"
            text="Select an entry to see the bytes that it patches and how its value is computed. Enter shows the bytes."
          />
        ) : (
          <RelocationCard
            id={id}
            model={model}
            reloc={reloc}
            selection={selection}
            layout={layout}
          />
        )}
      </aside>
    </div>
  );
}
