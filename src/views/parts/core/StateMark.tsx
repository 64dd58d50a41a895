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
import { type CoreState, coreState } from '#analysis/core/reason.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import { OUTCOME_MEANINGS, OUTCOME_WORDS, type Outcome } from '#analysis/libbpf/outcome.ts';
import type { StatusTone } from '#ui/tone.ts';
import styles from './StateMark.module.css';

/** From harmless to fatal. */
export const CORE_STATES: readonly CoreState[] = ['same', 'changed', 'absent', 'poisoned', 'fails'];

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
  /** Replaces the name of the state, and contains it. */
  readonly text?: string;
  readonly title?: string;
  /** Only screen readers get `text`: `children` say more. */
  readonly isIconOnly?: boolean;
  readonly children?: ReactNode;
};

/** The state of a relocation as icon, colour and word. */
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

/** Writes a 64-bit value as signed; libbpf's log writes it unsigned. */
export function signedText(value: bigint): string {
  return `${BigInt.asIntN(64, value)}`;
}

/** `8 → 16`, `8` if unchanged, `8 → invalid`, sizes if they change; empty without a decision. */
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
  readonly title?: string;
};

/** The outcome of a program on a kernel as icon, colour and words. */
export function OutcomeMark({ outcome, title = OUTCOME_MEANINGS[outcome] }: OutcomeMarkProps) {
  const Icon = OUTCOME_ICONS[outcome];
  return (
    <span className={styles.mark} data-tone={OUTCOME_TONES[outcome]} title={title}>
      <Icon size={13} aria-hidden />
      {OUTCOME_WORDS[outcome]}
    </span>
  );
}
