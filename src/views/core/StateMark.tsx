import { CircleDashed, Equal, OctagonX, Skull, Triangle } from 'lucide-react';
import type { CoreState } from '#analysis/core/outcome.ts';
import styles from './StateMark.module.css';
import { STATE_TONES, STATE_WORDS } from './state-look.ts';

const ICONS = {
  same: Equal,
  changed: Triangle,
  absent: CircleDashed,
  poisoned: Skull,
  fails: OctagonX,
} as const;

type StateMarkProps = {
  readonly state: CoreState;
  /** In place of the state's own word, which must be in it. */
  readonly text?: string;
  /** In place of what the state means. */
  readonly title?: string;
};

/** What a relocation comes to: a shape, a colour and a word. */
export function StateMark({ state, text = state, title = STATE_WORDS[state] }: StateMarkProps) {
  const Icon = ICONS[state];
  return (
    <span className={styles.mark} data-tone={STATE_TONES[state]} title={title}>
      <Icon size={13} aria-hidden />
      {text}
    </span>
  );
}
