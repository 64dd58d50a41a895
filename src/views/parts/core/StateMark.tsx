import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  Equal,
  OctagonX,
  ShieldX,
  Skull,
  Triangle,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type CoreKindGroup, coreKind, coreKindName } from '#analysis/core/core-kinds.ts';
import { type CoreState, coreState } from '#analysis/core/reason.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { OUTCOME_MEANINGS, OUTCOME_WORDS, type Outcome } from '#analysis/libbpf/outcome.ts';
import { Chip } from '#ui/Badge.tsx';
import { grouped } from '#ui/grouped.ts';
import type { StatusTone, Tone } from '#ui/tone.ts';
import styles from './StateMark.module.css';

/** States of a CO-RE record, from harmless to fatal. */
const CORE_STATES: readonly CoreState[] = ['same', 'changed', 'absent', 'poisoned', 'fails'];

export const STATE_TONES: Readonly<Record<CoreState, StatusTone>> = {
  same: 'ok',
  changed: 'info',
  absent: 'neutral',
  poisoned: 'warning',
  fails: 'danger',
};

const STATE_MEANINGS: Readonly<Record<CoreState, string>> = {
  same: 'The instruction is unchanged.',
  changed: 'libbpf writes another offset, size or value.',
  absent: 'No match: the value is 0.',
  poisoned: 'The instruction is made invalid: the verifier rejects a program that can reach it.',
  fails: 'libbpf fails to load the object.',
};

const STATE_ICONS = {
  same: Equal,
  changed: Triangle,
  absent: CircleDashed,
  poisoned: Skull,
  fails: OctagonX,
} as const;

type StateMarkProps = {
  readonly state: CoreState;
  /** Text in place of the state's name. It contains the name. */
  readonly text?: string;
  readonly title?: string;
  /** True if only screen readers get `text`, because `children` show more. */
  readonly isIconOnly?: boolean;
  readonly children?: ReactNode;
};

/** Shows the state of a CO-RE record as icon, colour and word. */
export function StateMark(props: StateMarkProps) {
  const { state, text = state, title = STATE_MEANINGS[state], isIconOnly, children } = props;
  const Icon = STATE_ICONS[state];
  return (
    <span className={styles.mark} data-tone={STATE_TONES[state]} title={title}>
      <Icon size={13} aria-hidden />
      {isIconOnly === true ? <span className="visually-hidden">{text} </span> : text}
      {children}
    </span>
  );
}

/** Returns a 64-bit value as a signed number, unlike libbpf's log, which prints it unsigned. */
export function signedText(value: bigint): string {
  return `${BigInt.asIntN(64, value)}`;
}

/** Returns the value and its change: `8`, `8 → 16`, `8 → invalid`. Empty without a result. */
export function changeText(
  result: Pick<CoreResult, 'record' | 'status' | 'decision' | 'matched'>,
): string {
  const { decision } = result;
  if (decision === null) return '';
  const { origVal, newVal, origSz, newSz } = decision;
  const from = signedText(origVal);
  switch (coreState(result)) {
    case 'same':
      return from;
    case 'poisoned':
      return `${from} → invalid`;
    case 'fails':
      return `${from} → refused`;
    default: {
      const value = origVal === newVal ? from : `${from} → ${signedText(newVal)}`;
      return origSz === newSz ? value : `${value}, ${origSz} → ${newSz} bytes`;
    }
  }
}

export const OUTCOME_TONES: Readonly<Record<Outcome, StatusTone>> = {
  loads: 'ok',
  'may-fail': 'warning',
  rejected: 'danger',
  fails: 'danger',
};

const OUTCOME_ICONS = {
  loads: CircleCheck,
  'may-fail': CircleHelp,
  rejected: ShieldX,
  fails: OctagonX,
} as const;

type OutcomeMarkProps = {
  readonly outcome: Outcome;
  /** Words in place of the outcome's name, such as `depends on a module`. */
  readonly words?: string;
};

/** Shows the outcome of loading a program on a kernel, as icon, colour and words. */
export function OutcomeMark({ outcome, words = OUTCOME_WORDS[outcome] }: OutcomeMarkProps) {
  const Icon = OUTCOME_ICONS[outcome];
  return (
    <span
      className={styles.mark}
      data-tone={OUTCOME_TONES[outcome]}
      title={`${words}. ${OUTCOME_MEANINGS[outcome]}`}
    >
      <Icon size={13} aria-hidden className="rigid" />
      <span className="ellipsis">{words}</span>
    </span>
  );
}

/** Shows the icon of an outcome in its colour, beside words that say the outcome. */
export function OutcomeIcon({
  outcome,
  size,
}: {
  readonly outcome: Outcome;
  readonly size: number;
}) {
  const Icon = OUTCOME_ICONS[outcome];
  return (
    <Icon size={size} aria-hidden className={styles.outcome} data-tone={OUTCOME_TONES[outcome]} />
  );
}

type ChipsProps<T> = {
  /** Accessible name of the chips. */
  readonly label: string;
  readonly items: readonly T[];
  readonly chosen: ReadonlySet<T>;
  readonly onChange: (chosen: ReadonlySet<T>) => void;
  readonly toneOf: (item: T) => Tone;
  readonly render: (item: T) => ReactNode;
};

/** Shows a chip per item. If no chip is chosen, all items are listed. */
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

/** Shows a chip for each state that records have. */
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

/** Shows a chip for each relocation kind that records have. */
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

/** Returns the colour of a group of CO-RE relocation kinds. */
export function groupTone(group: CoreKindGroup | undefined): Tone {
  return group === undefined ? 'danger' : TONES[group];
}
