import { Fragment, useMemo } from 'react';
import type { RelocationSection } from '#analysis/relocations/sections.ts';
import type { Issue } from '#bytes/issue.ts';
import { drawnName, visible } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { rowRenderer, VirtualList } from '#ui/VirtualList.tsx';
import { CutName, Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import type { Scope, ScopeRow, ScopeRows } from './relocation-groups.ts';
import styles from './ScopeList.module.css';

const ROW_HEIGHT = 30;

type ScopeListProps = {
  readonly rows: ScopeRows;
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
};

/** Shows the scopes: all entries, each family, each relocation section. */
export function ScopeList({ rows, scope, onScope }: ScopeListProps) {
  const renderRow = useMemo(() => rowRenderer(rows, (row) => <ScopeLine row={row} />), [rows]);
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
      <span className="grow clip">
        {section === null ? (
          (group?.word ?? 'All')
        ) : (
          <CutName text={section.name} otherwise={`section ${section.index}`} />
        )}
      </span>
      <span className="rigid small muted">{grouped(count)}</span>
    </div>
  );
}

/** Maximum number of options: native menus are slow with more. The filter finds other entries. */
const MAX_OPTIONS = 2000;

/** Shows the scopes as a menu, in a narrow view. */
export function ScopeSelect({ rows, scope, onScope }: ScopeListProps) {
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

type ScopeAboutProps = {
  readonly sections: readonly RelocationSection[];
  /** Note about sections whose entries are left in the file. */
  readonly unlisted: Issue | undefined;
};

/** Shows a note on the listed sections: their targets, their purpose, their addends. */
export function ScopeAbout({ sections, unlisted }: ScopeAboutProps) {
  const [only] = sections;
  if (only === undefined) return null;
  if (sections.length === 1) {
    return (
      <p className={styles.about}>
        <Name text={only.name} otherwise={`section ${only.index}`} />
        <Targets of={only} />
        {`: ${countOf(only.count, 'entry', 'entries')}. ${only.about}${addendText(sections)}`}
      </p>
    );
  }
  const isOnePurpose = sections.every(({ belongsTo }) => belongsTo === only.belongsTo);
  // The purpose is shown only if one section is chosen.
  return (
    <p className={styles.about}>
      {`${countOf(sections.length, 'relocation section')}. `}
      {isOnePurpose ? only.about : 'Select one to see its purpose.'}
      {addendText(sections)}
      {unlisted === undefined ? '' : ` ${visible(unlisted.message)}. ${unlisted.advice}`}
    </p>
  );
}

/** Maximum number of patched sections that are named. */
const MAX_TARGETS = 4;

/** Shows which sections the entries of a table patch; nothing if it is the section itself. */
function Targets({ of }: { readonly of: RelocationSection }) {
  const { targets, name } = of;
  if (targets.length === 0 || (targets.length === 1 && targets[0]?.name === name)) return null;
  const left = targets.length - MAX_TARGETS;
  return (
    <>
      {' patches '}
      {targets.slice(0, MAX_TARGETS).map((target, i) => (
        <Fragment key={target.name}>
          {i === 0 ? '' : ', '}
          <Name text={target.name} />
          {targets.length === 1 ? '' : ` (${grouped(target.count)})`}
        </Fragment>
      ))}
      {left > 0 ? ` and ${countOf(left, 'more section')}` : ''}
    </>
  );
}

const ADDENDS = {
  implicit: ' A is implicit: it is at the place that is patched.',
  explicit: ' A is explicit: it is in the entry (RELA).',
} as const;

/** Returns where the addends are stored; empty if sections differ or the format has none. */
function addendText(sections: readonly RelocationSection[]): string {
  const place = sections[0]?.addends ?? null;
  const isOne = place !== null && sections.every(({ addends }) => addends === place);
  return isOne ? ADDENDS[place] : '';
}
