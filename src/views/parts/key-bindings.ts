/** Keys of the page and of all views; the dialog of keys lists them. */
import { COMMAND_KEY, type KeyBinding } from '#ui/keys.tsx';

/** Keys of the tabs of a file, in order: 0 is the tenth. */
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

/** Keys of the selection, in every view of a file. */
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

/** Keys of the selected member. */
export const MEMBER_KEYS: readonly KeyBinding<'copy'>[] = [
  {
    action: 'copy',
    on: ['c'],
    keys: ['c'],
    does: 'Menu of the selected member: copy its path, BPF_CORE_READ, offset; also in Graph and CO-RE',
  },
];

/** Keys of the view Bytes. */
export const BYTES_KEYS: readonly KeyBinding<'find' | 'next' | 'previous'>[] = [
  { action: 'find', on: ['f'], keys: ['f'], does: 'Find bytes' },
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next relocation' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous relocation' },
];

/** Keys of the view Code. */
export const CODE_KEYS: readonly KeyBinding<'go'>[] = [
  { action: 'go', on: ['g'], keys: ['g'], does: 'Go to an instruction by its number' },
];

/** Keys of the view Relocations. */
export const GROUP_KEYS: readonly KeyBinding<'next' | 'previous'>[] = [
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next entry of a group (Alpha objects)' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous entry of a group' },
];

/** Keys of the view Graph. */
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

/** Keys of the view Text. */
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

/** Keys of the view Compare. */
export const COMPARE_KEYS: readonly KeyBinding<'next' | 'previous'>[] = [
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next difference' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous difference' },
];
