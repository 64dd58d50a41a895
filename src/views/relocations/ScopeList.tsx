import { useCallback } from 'react';
import { grouped } from '#ui/grouped.ts';
import { VirtualList } from '#ui/VirtualList.tsx';
import { Name } from '#views/parts/Name.tsx';
import type { Scope, ScopeRow, ScopeRows } from './relocation-groups.ts';
import styles from './ScopeList.module.css';

const ROW_HEIGHT = 30;

type ScopeListProps = {
  readonly rows: ScopeRows;
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
};

/** What can be listed: all, a family of sections, one relocation section. */
export function ScopeList({ rows, scope, onScope }: ScopeListProps) {
  const renderRow = useCallback(
    (index: number) => {
      const row = rows.at(index);
      return row === undefined ? null : <ScopeLine row={row} />;
    },
    [rows],
  );
  return (
    <VirtualList
      label="Relocation sections"
      count={rows.length}
      rowHeight={ROW_HEIGHT}
      selectedIndex={rows.rowOf(scope)}
      onSelect={(index) => {
        const row = rows.at(index);
        if (row !== undefined) onScope(row.scope);
      }}
      renderRow={renderRow}
    />
  );
}

function ScopeLine({ row: { group, section, count } }: { readonly row: ScopeRow }) {
  return (
    <div className={styles.row} data-depth={section === null ? 0 : 1}>
      {section === null && group !== null ? (
        <span aria-hidden className={styles.swatch} data-tone={group.tone} />
      ) : null}
      <span className={styles.name}>
        {section === null ? (
          (group?.word ?? 'All')
        ) : (
          <Name text={section.name} otherwise={`section ${section.index}`} />
        )}
      </span>
      <span className={styles.count}>{grouped(count)}</span>
    </div>
  );
}
