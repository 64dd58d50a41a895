import { CircleDashed, Equal, OctagonX, Skull, Triangle } from 'lucide-react';
import type { ReactNode } from 'react';
import { type CoreState, coreState } from '#analysis/core/reason.ts';
import type { CoreResult } from '#analysis/core/resolve.ts';
import type { StatusTone } from '#ui/tone.ts';
import styles from './StateMark.module.css';

/** From the harmless to what keeps a program from loading. */
export const CORE_STATES: readonly CoreState[] = ['same', 'changed', 'absent', 'poisoned', 'fails'];

export const STATE_TONES: Readonly<Record<CoreState, StatusTone>> = {
  same: 'ok',
  changed: 'info',
  absent: 'neutral',
  poisoned: 'warning',
  fails: 'danger',
};

/** What each state means, as one sentence. */
const STATE_MEANINGS: Readonly<Record<CoreState, string>> = {
  same: 'The instruction is unchanged.',
  changed: 'libbpf writes another offset, size or value.',
  absent: 'No match: the value is 0.',
  poisoned: 'The instruction is made invalid: the verifier rejects a program that can reach it.',
  fails: 'libbpf fails to load the object.',
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
  /** Replaces the word of the state, and contains it. */
  readonly text?: string;
  /** Replaces the meaning of the state. */
  readonly title?: string;
  /** The word is there only for those who hear it: `children` say more. */
  readonly isIconOnly?: boolean;
  readonly children?: ReactNode;
};

/** The state of a relocation: a shape, a colour and a word. */
export function StateMark(props: StateMarkProps) {
  const { state, text = state, title = STATE_MEANINGS[state], isIconOnly, children } = props;
  const Icon = ICONS[state];
  return (
    <span className={styles.mark} data-tone={STATE_TONES[state]} title={title}>
      <Icon size={13} aria-hidden />
      {isIconOnly === true ? <span className="visually-hidden">{text} </span> : text}
      {children}
    </span>
  );
}

/** Without sign in the log; a value that is negative as 64 bits reads better with it. */
export function signedText(value: bigint): string {
  return `${BigInt.asIntN(64, value)}`;
}

/** `8 → 16`, `8` where it stays, `8 → invalid`, and sizes where they change; empty where there is no number. */
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
