import { CircleDashed, Equal, OctagonX, Skull, Triangle } from 'lucide-react';
import type { CoreState } from '#analysis/core/outcome.ts';
import type { StatusTone } from '#ui/tone.ts';
import styles from './StateMark.module.css';

/** How the state of a relocation on a target is told: by a word, a colour, and in StateMark a shape. */

/** From what needs no look to what keeps a program from loading. */
export const CORE_STATES: readonly CoreState[] = ['same', 'changed', 'absent', 'poisoned', 'fails'];

export const STATE_TONES: Readonly<Record<CoreState, StatusTone>> = {
  same: 'ok',
  changed: 'info',
  absent: 'neutral',
  poisoned: 'warning',
  fails: 'danger',
};

/** What each state means, as one sentence. */
const STATE_WORDS: Readonly<Record<CoreState, string>> = {
  same: 'The instruction stays as it is.',
  changed: 'libbpf writes another offset, size or value.',
  absent: 'Nothing matches, and the answer is 0.',
  poisoned: 'The instruction is made invalid: a program that reaches it is refused.',
  fails: 'libbpf refuses to load the object.',
};

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
