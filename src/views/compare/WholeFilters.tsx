import type { WholeComparison } from '#analysis/compare/compare-tables.ts';
import { STATES } from '#analysis/compare/compare-tables.ts';
import { type ComparedTables, stateCounts } from '#analysis/compare/comparison-rows.ts';
import { FACETS } from '#analysis/compare/facets.ts';
import { kindName } from '#formats/btf/kinds.ts';
import { type CompareSettings, compareState } from '#store/compare-results.ts';
import type { FileId } from '#store/session.ts';
import { Chip } from '#ui/Chip.tsx';
import { grouped } from '#ui/grouped.ts';
import { FACET_TITLES } from './facet-words.ts';
import { STATE_LOOKS } from './state-look.ts';
import styles from './WholeFilters.module.css';
import { listedKinds } from './whole-rows.ts';

/** How many types became what, each a filter; and which kinds of changes to list. */
export function WholeFilters({
  id,
  whole,
  tables,
  settings,
}: {
  readonly id: FileId;
  readonly whole: WholeComparison;
  readonly tables: ComparedTables;
  readonly settings: CompareSettings;
}) {
  const { states, facets, kind } = settings;
  const counts = stateCounts(whole);
  return (
    <div className={styles.filters}>
      <fieldset className={styles.group} aria-label="What became of the types">
        {STATES.map((state, i) => (
          <Chip
            key={state}
            tone={STATE_LOOKS[state].tone}
            isPressed={states.has(state)}
            onClick={() => compareState.set({ states: toggled(states, state) }, id)}
          >
            {`${grouped(counts[i] ?? 0)} ${STATE_LOOKS[state].word}`}
          </Chip>
        ))}
        <span className={styles.same}>{`${grouped(whole.same)} the same`}</span>
      </fieldset>
      <fieldset className={styles.group} aria-label="What is changed in them">
        <select
          className={styles.select}
          aria-label="Kind"
          value={kind ?? ''}
          onChange={({ target }) =>
            compareState.set({ kind: target.value === '' ? null : Number(target.value) }, id)
          }
        >
          <option value="">All kinds</option>
          {listedKinds(whole, tables).map((one) => (
            <option key={one} value={one}>
              {kindName(one)}
            </option>
          ))}
        </select>
        {FACETS.map((facet) => (
          <Chip
            key={facet}
            isPressed={facets.has(facet)}
            onClick={() => compareState.set({ facets: toggled(facets, facet) }, id)}
          >
            {FACET_TITLES[facet]}
          </Chip>
        ))}
      </fieldset>
    </div>
  );
}

function toggled<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
}
