import type { ReactNode } from 'react';
import { type CoreKindGroup, coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import type { CoreState } from '#analysis/core/reason.ts';
import { Chip } from '#ui/Badge.tsx';
import { grouped } from '#ui/grouped.ts';
import type { Tone } from '#ui/tone.ts';
import styles from './KindFilter.module.css';
import { CORE_STATES, STATE_TONES, StateMark } from './StateMark.tsx';

type ChipsProps<T> = {
  /** Accessible name. */
  readonly label: string;
  readonly items: readonly T[];
  readonly chosen: ReadonlySet<T>;
  readonly onChange: (chosen: ReadonlySet<T>) => void;
  readonly toneOf: (item: T) => Tone;
  readonly render: (item: T) => ReactNode;
};

/** A chip per item; no chosen chip means all items. */
function ChipFilter<T extends string | number>(props: ChipsProps<T>) {
  const { label, items, chosen, onChange, toneOf, render } = props;
  const toggle = (item: T) => {
    const next = new Set(chosen);
    if (!next.delete(item)) next.add(item);
    onChange(next);
  };
  return (
    <fieldset className={styles.kinds} aria-label={label}>
      {items.map((item) => (
        <Chip
          key={item}
          tone={chosen.has(item) ? toneOf(item) : 'muted'}
          isMono={typeof item === 'number'}
          isPressed={chosen.has(item)}
          onClick={() => toggle(item)}
        >
          {render(item)}
        </Chip>
      ))}
    </fieldset>
  );
}

type FilterProps<T> = Pick<ChipsProps<T>, 'chosen' | 'onChange'> & {
  readonly counts: ReadonlyMap<T, number>;
};

/** A chip per state of the records. */
export function StateFilter({ counts, ...rest }: FilterProps<CoreState>) {
  return (
    <ChipFilter
      {...rest}
      label="States on the target"
      items={CORE_STATES.filter((state) => counts.has(state))}
      toneOf={(state) => STATE_TONES[state]}
      render={(state) => (
        <span className={styles.state}>
          <StateMark state={state} />{' '}
          <span className={styles.count}>{grouped(counts.get(state) ?? 0)}</span>
        </span>
      )}
    />
  );
}

/** A chip per relocation kind of the records. */
export function KindFilter({ counts, ...rest }: FilterProps<number>) {
  return (
    <ChipFilter
      {...rest}
      label="Kinds"
      items={[...counts.keys()]}
      toneOf={(kind) => groupTone(coreKind(kind)?.group)}
      render={(kind) => (
        <>
          {coreKindName(kind)}{' '}
          <span className={styles.count}>{grouped(counts.get(kind) ?? 0)}</span>
        </>
      )}
    />
  );
}

const TONES: Readonly<Record<CoreKindGroup, Tone>> = {
  field: 'kind-composite',
  type: 'kind-ptr',
  enum: 'kind-enum',
};

/** Returns the colour of a group of CO-RE kinds. */
export function groupTone(group: CoreKindGroup | undefined): Tone {
  return group === undefined ? 'danger' : TONES[group];
}
