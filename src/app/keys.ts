/**
 * All keys, as the list of keys shows them. What works everywhere is bound by
 * this very table (`use-keys`); what a view binds itself is told here by its
 * name, and a test looks into the views for keys that the table does not have.
 */

export type KeyAction = 'find' | 'view' | 'filter' | 'open' | 'back' | 'forward' | 'help';

export type KeyBinding = {
  readonly action: KeyAction;
  /** Values of `KeyboardEvent.key`. */
  readonly on: readonly string[];
  /** With Ctrl or Command, also while something is typed. */
  readonly withCommand: boolean;
  /** As printed. */
  readonly keys: readonly string[];
  readonly does: string;
};

/** Each for a tab of the file, from the first; as on a keyboard, 0 comes after 9. */
export const DIGITS: readonly string[] = [...'1234567890'];

/** What Ctrl is called on this machine. */
export const COMMAND_KEY = isApple() ? '⌘' : 'Ctrl';

function isApple(): boolean {
  return typeof navigator === 'object' && /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** What works everywhere; the first that fits an event is meant. */
export const BINDINGS: readonly KeyBinding[] = [
  {
    action: 'find',
    on: ['k'],
    withCommand: true,
    keys: [COMMAND_KEY, 'K'],
    does: 'Find anything: types, members, functions, files, commands',
  },
  {
    action: 'view',
    on: DIGITS,
    withCommand: false,
    keys: ['1', '…', '0'],
    does: 'Go to the tab of that number; 0 is the tenth',
  },
  {
    action: 'filter',
    on: ['/'],
    withCommand: false,
    keys: ['/'],
    does: 'Go to the filter of the view',
  },
  { action: 'open', on: ['o'], withCommand: false, keys: ['o'], does: 'Open a file' },
  {
    action: 'back',
    on: ['['],
    withCommand: false,
    keys: ['['],
    does: 'Back to where you were; in a lesson the previous step',
  },
  {
    action: 'forward',
    on: [']'],
    withCommand: false,
    keys: [']'],
    does: 'Forward again; in a lesson the next step',
  },
  { action: 'help', on: ['?'], withCommand: false, keys: ['?'], does: 'Show these keys' },
];

export type KeyGroup = {
  readonly title: string;
  /** Folder under `views/` that binds them; null for widgets. */
  readonly folder: string | null;
  readonly rows: readonly { readonly keys: readonly string[]; readonly does: string }[];
};

/** What lists and single views bind themselves. */
export const VIEW_KEYS: readonly KeyGroup[] = [
  {
    title: 'Lists, tables and tabs',
    folder: null,
    rows: [
      { keys: ['↑', '↓'], does: 'Move; PageUp, PageDown, Home and End too' },
      { keys: ['←', '→'], does: 'Between tabs; along bytes and access strings' },
      { keys: ['Enter'], does: 'Follow what is selected' },
      { keys: ['Esc'], does: 'Empty a filter, close a dialog' },
    ],
  },
  {
    title: 'Bytes',
    folder: 'bytes',
    rows: [
      { keys: ['f'], does: 'Find bytes' },
      { keys: ['n'], does: 'Next relocation' },
      { keys: ['p'], does: 'Previous relocation' },
    ],
  },
  {
    title: 'Text',
    folder: 'text',
    rows: [
      { keys: [COMMAND_KEY, 'F'], does: 'Find in the text' },
      { keys: [COMMAND_KEY, 'G'], does: 'Go on to the next; F3 too' },
    ],
  },
  {
    title: 'Graph',
    folder: 'graph',
    rows: [
      { keys: ['←', '→'], does: 'Along an edge' },
      { keys: ['↑', '↓'], does: 'To the box above or below' },
      { keys: ['Enter'], does: 'Begin at this type' },
      { keys: ['Space'], does: 'Unfold or fold a box' },
      { keys: ['+', '=', '-'], does: 'Larger and smaller' },
    ],
  },
  {
    title: 'Relocations',
    folder: 'relocations',
    rows: [
      { keys: ['n'], does: 'Next entry of a group, in Alpha objects' },
      { keys: ['p'], does: 'Previous entry of it' },
    ],
  },
  {
    title: 'Compare',
    folder: 'compare',
    rows: [
      { keys: ['n'], does: 'Next difference' },
      { keys: ['p'], does: 'Previous difference' },
    ],
  },
];
