import { drawnName } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { type Scope, type ScopeRow, scopeKey } from './relocation-groups.ts';
import styles from './ScopeSelect.module.css';

type ScopeSelectProps = {
  readonly rows: readonly ScopeRow[];
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
};

/** The list of scopes as a menu, for narrow screens. */
export function ScopeSelect({ rows, scope, onScope }: ScopeSelectProps) {
  return (
    <select
      className={styles.select}
      aria-label="Relocation sections"
      value={scopeKey(scope)}
      onChange={(event) => {
        const row = rows.find((each) => scopeKey(each.scope) === event.target.value);
        if (row !== undefined) onScope(row.scope);
      }}
    >
      {rows.map((row) => (
        <option key={scopeKey(row.scope)} value={scopeKey(row.scope)}>
          {row.section === null
            ? `${row.group?.word ?? 'All'} (${grouped(row.count)})`
            : `– ${drawnName(row.section.name)} (${grouped(row.count)})`}
        </option>
      ))}
    </select>
  );
}
