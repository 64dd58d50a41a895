/** Keys of the selected member. */
import type { KeyBinding } from '#ui/keys.tsx';

export const MEMBER_KEYS: readonly KeyBinding<'copy'>[] = [
  {
    action: 'copy',
    on: ['c'],
    keys: ['c'],
    does: 'Menu of the selected member: copy its path, BPF_CORE_READ, offset; also in Graph and CO-RE',
  },
];
