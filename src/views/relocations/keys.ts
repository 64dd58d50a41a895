/** Keys of the view Relocations. */
import type { KeyBinding } from '#ui/keys.tsx';

export const GROUP_KEYS: readonly KeyBinding<'next' | 'previous'>[] = [
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next entry of a group (Alpha objects)' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous entry of a group' },
];
