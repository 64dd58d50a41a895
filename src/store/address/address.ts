/**
 * The address of a place as a value, and the only code that parses and formats it. It names a view,
 * a file and a selection by keys that stay valid in later builds. docs/links.md has the grammar.
 * Examples:
 *
 *   #/types?file=sample:kinds.bpf.o&type=struct:task_struct&member=mm/pgd
 *   #/bytes?file=<sha-256>&name=prog.o&bytes=.text@0x10-0x18
 *   #/relocations?file=…&reloc=.reltc@0x28      #/core?file=…&core=tc@0x10&step=2
 *   #/types?file=btf1:…&type=struct:list_head   #/types?src=objects/prog.o
 *   #/?lesson=btf-header&at=the-magic           #/bytes?lesson=…&at=…&file=…&bytes=…
 *   #/types?file=…&type=struct:foo&beside=bytes&beside.layout=0x1000
 *
 * Every text can be parsed: invalid parts are left out.
 */
import { type KeptNote, MAX_NOTES, noteText } from '#store/kept/kept-notes.ts';
import type { NamedKey } from '#store/kernels/core-view.ts';
import { decodeKey, encodeKey, splitOnce } from '#store/page/percent.ts';
import type { Embed } from '#store/session/session.ts';
import { viewKeys } from '#store/session/view-state.ts';
import { type ViewName, viewNamed } from '#store/session/views.ts';
import { parseParams, type SelectionParams } from './selection-keys.ts';

/** Value of `target=` for an object that the user shows without a CO-RE target. */
export const NO_TARGET = 'none';

/** A view of a file with a selection, as the address names them: not looked up in a file yet. */
export type Place = {
  readonly view: ViewName;
  /** Value of `file=`: `sample:PATH`, a SHA-256 in hex, data of the link (`btf1:…`), or empty. */
  readonly file: string;
  /** Value of `name=`: the file name, which the page shows when it asks the user for the file. */
  readonly name: string;
  /** Value of `base=`: key of the base of split BTF, or empty. */
  readonly base: string;
  /** Value of `target=`: key of the CO-RE target, `NO_TARGET`, or empty. */
  readonly target: string;
  readonly kernels: readonly NamedKey[];
  readonly notes: readonly KeptNote[];
  readonly params: SelectionParams;
  /** State of the view, by its keys in the address; values are not percent-encoded. */
  readonly viewParams: ReadonlyMap<string, string>;
};

export type Address = Place & {
  /** False if the address names no view: it names only a lesson step, or is the start page. */
  readonly hasView: boolean;
  /** Value of `src=`: URL of a file on the page's own server, or empty. */
  readonly src: string;
  /** Value of `h=`: hash of the selected type's layout when the link was made, or empty. */
  readonly layout: string;
  /** Value of `embed=`: true or a theme if the page shows only the view, inside another page. */
  readonly embed: Embed;
  /** Value of `lesson=`: key of the open lesson, or empty. */
  readonly lesson: string;
  /** Value of `at=`: id of the lesson's step, or empty. */
  readonly at: string;
  /** Value of `of=`: key of the lesson's file if the lesson's text names none, or empty. */
  readonly linked: string;
  /** Second pane, or null. With an empty `file` it shows the file of the first pane. */
  readonly beside: Place | null;
};

/** Place with the overview and without a file. */
export const NO_PLACE: Place = {
  view: 'overview',
  file: '',
  name: '',
  base: '',
  target: '',
  kernels: [],
  notes: [],
  params: new Map(),
  viewParams: new Map(),
};

export const START: Address = {
  ...NO_PLACE,
  hasView: false,
  src: '',
  layout: '',
  embed: false,
  lesson: '',
  at: '',
  linked: '',
  beside: null,
};

const SELECTION_PARAMS = [
  'type',
  'member',
  'bytes',
  'section',
  'symbol',
  'reloc',
  'core',
  'step',
  'insn',
];

/** Parses the hash of an address. Never fails: invalid parts are left out. */
export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#?\/?/, ''), '?');
  const params = parseParams(query);
  const decoded = (key: string) => decodeKey(params.get(key) ?? '');
  const second = besideParams(params);
  const beside = viewNamed(params.get('beside'), second);
  return {
    ...placeOf(viewNamed(path, params) ?? 'overview', params),
    hasView: path !== '',
    beside: beside === null ? null : placeOf(beside, second),
    src: decoded('src'),
    layout: decoded('h'),
    embed: EMBEDS.get(params.get('embed') ?? '') ?? false,
    lesson: decoded('lesson'),
    at: decoded('at'),
    linked: decoded('of'),
  };
}

/** What `embed` becomes for each text of `embed=` in an address. */
const EMBEDS: ReadonlyMap<string, Embed> = new Map<string, Embed>([
  ['1', true],
  ['light', 'light'],
  ['dark', 'dark'],
]);

function placeOf(view: ViewName, params: SelectionParams): Place {
  const keys = viewKeys(view);
  const decoded = (key: string) => decodeKey(params.get(key) ?? '');
  return {
    view,
    file: decoded('file'),
    name: decoded('name'),
    base: decoded('base'),
    target: decoded('target'),
    kernels: parsePairs(params.get('kernels') ?? '', MAX_KERNELS).map(([key, name]) => {
      return { key, name };
    }),
    notes: parseNotes(params.get('notes') ?? ''),
    params: new Map([...params].filter(([key]) => SELECTION_PARAMS.includes(key))),
    viewParams: new Map(
      [...params].flatMap(([key, value]) => (keys.includes(key) ? [[key, decodeKey(value)]] : [])),
    ),
  };
}

/** Prefix of the parameters that belong to the second pane. */
const BESIDE = 'beside.';

function besideParams(params: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...params].flatMap(([key, value]) =>
      key.startsWith(BESIDE) ? [[key.slice(BESIDE.length), value] as const] : [],
    ),
  );
}

/** Parts of an address that belong to a lesson: its key, its step and its file. */
export type LessonPlace = Pick<Address, 'lesson' | 'at' | 'linked'>;

/** Returns an address as text that begins with `#`. `parseAddress` reads the text. */
export function formatAddress(address: Address): string {
  const { view, hasView, embed, lesson, at, linked, src, beside } = address;
  const params: readonly Param[] = [
    ...(embed === false ? [] : [['embed', embed === true ? '1' : embed] as const]),
    ...textParams({ lesson, at, of: linked, src }),
    ...placeParams(address, address.layout),
    ...(beside === null ? [] : [['beside', beside.view] as const]),
    ...(beside === null ? [] : placeParams(beside)).map(
      ([key, value]): Param => [`${BESIDE}${key}`, value],
    ),
  ];
  const query = params.map(([key, value]) => `${key}=${value}`).join('&');
  return `#/${hasView ? view : ''}${query === '' ? '' : `?${query}`}`;
}

type Param = readonly [key: string, encoded: string];

function placeParams(
  { file, name, base, target, kernels, params, viewParams, notes }: Place,
  layout = '',
): readonly Param[] {
  return [
    ...textParams({ file, name, base, target }),
    ...encodedParams({ kernels: formatKernels(kernels) }),
    ...params,
    ...textParams({ h: layout }),
    ...[...viewParams].map(([key, value]): Param => [key, encodeKey(value)]),
    ...encodedParams({ notes: formatNotes(notes) }),
  ];
}

/** Returns `KEY=VALUE` for each non-empty text, percent-encoded. */
function textParams(texts: Readonly<Record<string, string>>): readonly Param[] {
  return encodedParams(texts).map(([key, value]) => [key, encodeKey(value)]);
}

function encodedParams(texts: Readonly<Record<string, string>>): readonly Param[] {
  return Object.entries(texts).filter(([, value]) => value !== '');
}

/** Returns kernels as `KEY~NAME,KEY~NAME`. Encoded keys contain neither `~` nor `,`. */
function formatKernels(kernels: readonly NamedKey[]): string {
  return kernels.map(({ key, name }) => formatPair(key, name)).join(',');
}

function formatPair(key: string, text: string): string {
  return `${encodeKey(key)}~${encodeKey(text)}`;
}

function parsePairs(text: string, most: number): [key: string, text: string][] {
  return text
    .split(',', most)
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [key, name = ''] = splitOnce(entry, '~');
      return [decodeKey(key), decodeKey(name)];
    });
}

/** Maximum length in characters of all notes in a link together. Notes beyond it are ignored. */
export const NOTES_IN_LINK = 16_000;

/** Returns notes as `PLACE~TEXT,PLACE~TEXT`, as many as fit into `NOTES_IN_LINK`. */
export function formatNotes(notes: readonly KeptNote[]): string {
  let text = '';
  for (const note of notes) {
    const next = `${text === '' ? '' : `${text},`}${formatPair(note.place, note.text)}`;
    if (next.length > NOTES_IN_LINK) break;
    text = next;
  }
  return text;
}

function parseNotes(text: string): KeptNote[] {
  if (text.length > NOTES_IN_LINK) return [];
  return parsePairs(text, MAX_NOTES).flatMap(([place, raw]) => {
    const line = noteText(raw);
    return place === '' || line === '' ? [] : [{ place, text: line }];
  });
}

/** Maximum number of kernels in a link: each kernel is a file with its own worker. */
const MAX_KERNELS = 64;
