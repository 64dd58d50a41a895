/** Keys of the page and of the selection. The keys of a view are in the `keys.ts` of its folder. */
import { COMMAND_KEY, type KeyBinding } from '#ui/keys.tsx';

/** Keys that show the tabs of a file, in order. `0` shows the tenth tab. */
export const DIGITS: readonly string[] = [...'1234567890'];

type PageKey =
  | 'find'
  | 'view'
  | 'beside'
  | 'pane'
  | 'filter'
  | 'open'
  | 'back'
  | 'forward'
  | 'help';

export const PAGE_KEYS: readonly KeyBinding<PageKey>[] = [
  {
    action: 'find',
    on: ['k'],
    withCommand: true,
    keys: [COMMAND_KEY, 'K'],
    does: 'Find types, members, functions, files, commands',
  },
  { action: 'view', on: DIGITS, keys: ['1', '…', '0'], does: 'Go to tab 1–10; 0 is the tenth' },
  {
    action: 'beside',
    on: DIGITS.map((digit) => `Digit${digit}`),
    withShift: true,
    keys: ['Shift', '1', '…', '0'],
    does: 'Open the view of that tab beside the one in sight; again: close it',
  },
  {
    action: 'pane',
    on: ['F6'],
    whileTyping: true,
    keys: ['F6'],
    does: 'Go to the other pane',
  },
  {
    action: 'filter',
    on: ['/'],
    keys: ['/'],
    does: 'Focus the filter of the view; in Bytes find bytes, without a filter find anything',
  },
  { action: 'open', on: ['o'], keys: ['o'], does: 'Open a file' },
  { action: 'back', on: ['['], keys: ['['], does: 'Back; in a lesson the previous step' },
  { action: 'forward', on: [']'], keys: [']'], does: 'Forward; in a lesson the next step' },
  { action: 'help', on: ['?'], keys: ['?'], does: 'Show these keys' },
];

/** Keys for the selection, which work in every view of a file. */
export const SELECTION_KEYS: readonly KeyBinding<'highlight' | 'plain' | 'notes'>[] = [
  {
    action: 'highlight',
    on: ['h'],
    keys: ['h'],
    does: 'Highlight all uses of the selected type; again: remove the highlight',
  },
  { action: 'notes', on: ['m'], keys: ['m'], does: 'Notes: add one to the selection, list all' },
  { action: 'plain', on: ['Escape'], keys: ['Esc'], does: 'Remove the highlight' },
];
