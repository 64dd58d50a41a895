/** Keys of the view Bytes. */
import type { KeyBinding } from '#ui/keys.tsx';

export const BYTES_KEYS: readonly KeyBinding<'find' | 'next' | 'previous'>[] = [
  { action: 'find', on: ['f'], keys: ['f'], does: 'Find bytes' },
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next relocation' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous relocation' },
];
