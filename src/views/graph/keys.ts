/** Keys of the view Graph. */
import type { KeyBinding } from '#ui/keys.tsx';

export const GRAPH_KEYS: readonly KeyBinding<'move' | 'start' | 'fold' | 'larger' | 'smaller'>[] = [
  { action: 'move', on: ['ArrowLeft', 'ArrowRight'], keys: ['←', '→'], does: 'Along an edge' },
  {
    action: 'move',
    on: ['ArrowUp', 'ArrowDown', 'Home', 'End'],
    keys: ['↑', '↓'],
    does: 'To the box above or below; Home: the root, End: the last',
  },
  { action: 'start', on: ['Enter'], keys: ['Enter'], does: 'Start at this type' },
  { action: 'fold', on: [' '], keys: ['Space'], does: 'Expand or collapse a box' },
  { action: 'larger', on: ['+', '='], keys: ['+', '='], does: 'Zoom in' },
  { action: 'smaller', on: ['-'], keys: ['-'], does: 'Zoom out' },
];
