/** How the state of a relocation on a target is told: by a word, a colour, and in StateMark a shape. */
import type { CoreState } from '#analysis/core/outcome.ts';
import type { StatusTone } from '#ui/tone.ts';

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
export const STATE_WORDS: Readonly<Record<CoreState, string>> = {
  same: 'The instruction stays as it is.',
  changed: 'libbpf writes another offset, size or value.',
  absent: 'Nothing matches, and the answer is 0.',
  poisoned: 'The instruction is made invalid: a program that reaches it is refused.',
  fails: 'libbpf refuses to load the object.',
};
