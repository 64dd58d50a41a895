/** Keys of the view Compare. */
import type { KeyBinding } from '#ui/keys.tsx';

export const COMPARE_KEYS: readonly KeyBinding<'next' | 'previous'>[] = [
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next difference' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous difference' },
];
