import { drawnName } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import type { Scope, ScopeRow, ScopeRows } from './relocation-groups.ts';
import styles from './ScopeSelect.module.css';

/** A menu of the system holds no more than this with good grace; the filter finds what is behind it. */
const MAX_OPTIONS = 2000;

type ScopeSelectProps = {
  readonly rows: ScopeRows;
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
};

/** The list of scopes as a menu, for narrow screens. */
export function ScopeSelect({ rows, scope, onScope }: ScopeSelectProps) {
  const shown = Math.min(rows.length, MAX_OPTIONS);
  const numbers = Array.from({ length: shown }, (_, number) => number);
  const chosen = rows.rowOf(scope);
  if (chosen !== null && chosen >= shown) numbers.push(chosen);
  return (
    <select
      className={styles.select}
      aria-label="Relocation sections"
      value={chosen ?? ''}
      onChange={(event) => {
        const row = rows.at(Number(event.target.value));
        if (row !== undefined) onScope(row.scope);
      }}
    >
      {numbers.map((number) => (
        <option key={number} value={number}>
          {optionText(rows.at(number))}
        </option>
      ))}
      {shown < rows.length ? (
        <option disabled>{`${grouped(rows.length - shown)} more: filter them by name`}</option>
      ) : null}
    </select>
  );
}

function optionText(row: ScopeRow | undefined): string {
  if (row === undefined) return '';
  const { section, group, count } = row;
  const word = section === null ? (group?.word ?? 'All') : `– ${drawnName(section.name)}`;
  return `${word} (${grouped(count)})`;
}
