/** Keys of the view Code. */
import type { KeyBinding } from '#ui/keys.tsx';

export const CODE_KEYS: readonly KeyBinding<'go'>[] = [
  { action: 'go', on: ['g'], keys: ['g'], does: 'Go to an instruction by its number' },
];
