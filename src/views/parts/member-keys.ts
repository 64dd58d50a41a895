/** Keys of the selected member. */
import type { KeyBinding } from '#ui/keys.tsx';

export const MEMBER_KEYS: readonly KeyBinding<'copy' | 'read'>[] = [
  {
    action: 'copy',
    on: ['c'],
    keys: ['c'],
    does: 'Menu of the selected member: copy its path, BPF_CORE_READ, offset; also in Graph and CO-RE',
  },
  {
    action: 'read',
    on: ['C'],
    keys: ['Shift', 'c'],
    does: 'Copy BPF_CORE_READ of the selected member',
  },
];
