import { CircleCheck, CircleHelp, OctagonX, ShieldX } from 'lucide-react';
import { OUTCOME_MEANINGS, OUTCOME_WORDS, type Outcome } from '#analysis/libbpf/outcome.ts';
import type { StatusTone } from '#ui/tone.ts';
import styles from './StateMark.module.css';

export const OUTCOME_TONES: Readonly<Record<Outcome, StatusTone>> = {
  loads: 'ok',
  'may-fail': 'warning',
  rejected: 'danger',
  fails: 'danger',
};

const ICONS = {
  loads: CircleCheck,
  'may-fail': CircleHelp,
  rejected: ShieldX,
  fails: OctagonX,
} as const;

type OutcomeMarkProps = {
  readonly outcome: Outcome;
  /** Replaces the meaning of the outcome. */
  readonly title?: string;
};

/** What a program comes to on a kernel: a shape, a colour and words. */
export function OutcomeMark({ outcome, title = OUTCOME_MEANINGS[outcome] }: OutcomeMarkProps) {
  const Icon = ICONS[outcome];
  return (
    <span className={styles.mark} data-tone={OUTCOME_TONES[outcome]} title={title}>
      <Icon size={13} aria-hidden />
      {OUTCOME_WORDS[outcome]}
    </span>
  );
}
