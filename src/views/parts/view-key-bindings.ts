/** The keys of each view. The views bind these tables, the dialog of keys prints them. */
import { COMMAND_KEY, type KeyBinding } from '#ui/keys.ts';
import { PAGE_KEYS } from './key-bindings.ts';

/** Keys that are about what is selected, in every view of a file. */
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

export const TYPES_KEYS: readonly KeyBinding<'copy'>[] = [
  {
    action: 'copy',
    on: ['c'],
    keys: ['c'],
    does: 'Menu of the selected member: copy its path, BPF_CORE_READ, offset; also in Graph and CO-RE',
  },
];

export const BYTES_KEYS: readonly KeyBinding<'find' | 'next' | 'previous'>[] = [
  { action: 'find', on: ['f'], keys: ['f'], does: 'Find bytes' },
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next relocation' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous relocation' },
];

export const CODE_KEYS: readonly KeyBinding<'go'>[] = [
  { action: 'go', on: ['g'], keys: ['g'], does: 'Go to an instruction by its number' },
];

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

type StepKey = KeyBinding<'next' | 'previous'>;

export const GROUP_KEYS: readonly StepKey[] = [
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next entry of a group (Alpha objects)' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous entry of a group' },
];

export const COMPARE_KEYS: readonly StepKey[] = [
  { action: 'next', on: ['n'], keys: ['n'], does: 'Next difference' },
  { action: 'previous', on: ['p'], keys: ['p'], does: 'Previous difference' },
];

type KeyScope = {
  readonly title: string;
  readonly rows: readonly Pick<KeyBinding, 'keys' | 'does'>[];
};

/** The dialog of keys. Lists and tabs bind theirs themselves, as the ARIA patterns have it. */
export const KEY_SCOPES: readonly KeyScope[] = [
  { title: 'Everywhere', rows: PAGE_KEYS },
  {
    title: 'Lists, tables and tabs',
    rows: [
      { keys: ['↑', '↓'], does: 'Move; also PageUp, PageDown, Home, End' },
      { keys: ['←', '→'], does: 'Between tabs; along bytes and access strings' },
      { keys: ['Shift', '←', '→'], does: 'Resize the column of a table' },
      { keys: ['Enter'], does: 'Open what is selected' },
      { keys: ['Esc'], does: 'Clear a filter, close a dialog' },
    ],
  },
  { title: 'Selection', rows: SELECTION_KEYS },
  { title: 'Types', rows: TYPES_KEYS },
  { title: 'Bytes', rows: BYTES_KEYS },
  { title: 'Code', rows: CODE_KEYS },
  { title: 'Text', rows: TEXT_KEYS },
  { title: 'Query', rows: [{ keys: [COMMAND_KEY, 'Enter'], does: 'Run the query' }] },
  { title: 'Graph', rows: GRAPH_KEYS },
  { title: 'Relocations', rows: GROUP_KEYS },
  { title: 'Compare', rows: COMPARE_KEYS },
];
