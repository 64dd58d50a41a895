import { CircleCheck, CircleHelp, OctagonX, ShieldX } from 'lucide-react';
import type { Outcome } from '#analysis/libbpf/program-code.ts';
import type { StatusTone } from '#ui/tone.ts';
import styles from './StateMark.module.css';

export const OUTCOME_TONES: Readonly<Record<Outcome, StatusTone>> = {
  loads: 'ok',
  'may-fail': 'warning',
  rejected: 'danger',
  fails: 'danger',
};

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  loads: 'loads',
  'may-fail': 'may fail',
  rejected: 'verifier rejects',
  fails: 'fails',
};

/** What each outcome means, as one sentence. */
export const OUTCOME_MEANINGS: Readonly<Record<Outcome, string>> = {
  loads:
    'libbpf hands the program to the kernel. The verifier, permissions and limits are not checked.',
  'may-fail': 'It depends on what is not known of the kernel, or on a branch that is not decided.',
  rejected: 'The verifier reaches an instruction that libbpf made invalid.',
  fails: 'libbpf gives up before the verifier.',
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
