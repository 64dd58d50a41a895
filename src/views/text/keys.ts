/** Keys of the view Text. */
import { COMMAND_KEY, type KeyBinding } from '#ui/keys.tsx';

export const TEXT_KEYS: readonly KeyBinding<'find' | 'step'>[] = [
  {
    action: 'find',
    on: ['f'],
    withCommand: true,
    keys: [COMMAND_KEY, 'F'],
    does: 'Find in the text',
  },
  {
    action: 'step',
    on: ['g'],
    withCommand: true,
    keys: [COMMAND_KEY, 'G'],
    does: 'Next match; with Shift the previous',
  },
  {
    action: 'step',
    on: ['F3'],
    whileTyping: true,
    keys: ['F3'],
    does: 'Next match; with Shift the previous',
  },
];
