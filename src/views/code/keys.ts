import type { KeyBinding } from '#ui/keys.ts';

export const CODE_KEYS: readonly KeyBinding<'go'>[] = [
  { action: 'go', on: ['g'], keys: ['g'], does: 'Go to an instruction by its number' },
];
