import { type CoreKindGroup, coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreState } from '#analysis/core/outcome.ts';
import { Chip } from '#ui/Chip.tsx';
import { grouped } from '#ui/grouped.ts';
import type { Tone } from '#ui/tone.ts';
import styles from './KindFilter.module.css';
import { CORE_STATES, STATE_TONES, StateMark } from './StateMark.tsx';

type StateFilterProps = {
  readonly counts: ReadonlyMap<CoreState, number>;
  readonly chosen: ReadonlySet<CoreState>;
  readonly onChange: (chosen: ReadonlySet<CoreState>) => void;
};

/** One chip for each state that a record is in; those that are on are shown, none means all. */
export function StateFilter({ counts, chosen, onChange }: StateFilterProps) {
  const toggle = (state: CoreState) => {
    const next = new Set(chosen);
    if (!next.delete(state)) next.add(state);
    onChange(next);
  };
  return (
    <fieldset className={styles.kinds} aria-label="States on the target">
      {CORE_STATES.filter((state) => counts.has(state)).map((state) => (
        <Chip
          key={state}
          tone={chosen.has(state) ? STATE_TONES[state] : 'muted'}
          isPressed={chosen.has(state)}
          onClick={() => toggle(state)}
        >
          <span className={styles.state}>
            <StateMark state={state} />{' '}
            <span className={styles.count}>{grouped(counts.get(state) ?? 0)}</span>
          </span>
        </Chip>
      ))}
    </fieldset>
  );
}

type KindFilterProps = {
  readonly counts: readonly { readonly kind: number; readonly count: number }[];
  readonly chosen: ReadonlySet<number>;
  readonly onChange: (chosen: ReadonlySet<number>) => void;
};

/** One chip for each kind that the file has; those that are on are shown, none means all. */
export function KindFilter({ counts, chosen, onChange }: KindFilterProps) {
  const toggle = (kind: number) => {
    const next = new Set(chosen);
    if (!next.delete(kind)) next.add(kind);
    onChange(next);
  };
  return (
    <fieldset className={styles.kinds} aria-label="Kinds">
      {counts.map(({ kind, count }) => (
        <Chip
          key={kind}
          tone={chosen.has(kind) ? groupTone(coreKind(kind)?.group) : 'muted'}
          isMono
          isPressed={chosen.has(kind)}
          onClick={() => toggle(kind)}
        >
          {coreKindName(kind)} <span className={styles.count}>{grouped(count)}</span>
        </Chip>
      ))}
    </fieldset>
  );
}

const TONES: Readonly<Record<CoreKindGroup, Tone>> = {
  field: 'kind-composite',
  type: 'kind-ptr',
  enum: 'kind-enum',
};

/** The colour of a group of CO-RE kinds; its word always stands beside it. */
export function groupTone(group: CoreKindGroup | undefined): Tone {
  return group === undefined ? 'danger' : TONES[group];
}
