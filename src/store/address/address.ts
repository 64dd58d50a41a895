/**
 * The address as a value, and the one codec of its text. It names a view, a file and a selection by
 * keys that outlast a build; docs/links.md has the grammar:
 *
 *   #/types?file=sample:kinds.bpf.o&type=struct:task_struct&member=mm/pgd
 *   #/bytes?file=<sha-256>&name=prog.o&bytes=.text@0x10-0x18
 *   #/relocations?file=…&reloc=.reltc@0x28      #/core?file=…&core=tc@0x10&step=2
 *   #/types?file=btf1:…&type=struct:list_head   #/types?src=objects/prog.o
 *   #/?lesson=btf-header&at=the-magic           #/bytes?lesson=…&at=…&file=…&bytes=…
 *   #/types?file=…&type=struct:foo&beside=bytes&beside.layout=0x1000
 *
 * Any text is an address: parts that cannot be read are left out.
 */
import { type KeptNote, MAX_NOTES, noteText } from '#store/kept/kept-notes.ts';
import type { NamedKey } from '#store/kernels/core-view.ts';
import { decodeKey, encodeKey, splitOnce } from '#store/page/percent.ts';
import type { Embed } from '#store/session/session.ts';
import { viewKeys } from '#store/session/view-state.ts';
import { type ViewName, viewNamed } from '#store/session/views.ts';
import { parseParams, type SelectionParams } from './selection-keys.ts';

/** Value of `target` for an object without a CO-RE target. */
export const NO_TARGET = 'none';

/** A view of a file with a selection, which is not yet resolved in a model. */
export type Place = {
  readonly view: ViewName;
  /** Key of the file: `sample:PATH`, a SHA-256 in hex, data in the link (`btf1:…`), or empty. */
  readonly file: string;
  /** Name of the file, to ask the person for it. */
  readonly name: string;
  /** Key of the base of split BTF, or empty. */
  readonly base: string;
  /** Key of the CO-RE target, `NO_TARGET`, or empty. */
  readonly target: string;
  readonly kernels: readonly NamedKey[];
  readonly notes: readonly KeptNote[];
  readonly params: SelectionParams;
  /** State of the view beside the selection, by its keys; decoded. */
  readonly viewParams: ReadonlyMap<string, string>;
};

export type Address = Place & {
  /** False for an address without a view: a lesson step alone, or the start page. */
  readonly hasView: boolean;
  /** URL of a file on the page's own server, or empty. */
  readonly src: string;
  /** Layout hash of the selected type when the link was made, or empty. */
  readonly layout: string;
  /** Whether the page shows the view alone, inside another page. */
  readonly embed: Embed;
  /** Key of the open lesson, or empty. */
  readonly lesson: string;
  /** Id of the step, or empty. */
  readonly at: string;
  /** Key of the lesson's file if its text leaves the file to the link, or empty. */
  readonly linked: string;
  /** Second pane, or null. Without a file it shows the first pane's file and selection. */
  readonly beside: Place | null;
};

/** The overview of no file. */
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

/** Reads the part of an address after `#`. Never fails. */
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

/** Values of `embed=`. */
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

/** Prefix of the keys of the second pane. */
const BESIDE = 'beside.';

function besideParams(params: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...params].flatMap(([key, value]) =>
      key.startsWith(BESIDE) ? [[key.slice(BESIDE.length), value] as const] : [],
    ),
  );
}

/** Place of a lesson: its key, the id of its step, the key of its file. */
export type LessonPlace = Pick<Address, 'lesson' | 'at' | 'linked'>;

/** Writes an address, `#` first. `parseAddress` reads it back. */
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

/** Returns the non-empty texts, percent-encoded. */
function textParams(texts: Readonly<Record<string, string>>): readonly Param[] {
  return encodedParams(texts).map(([key, value]) => [key, encodeKey(value)]);
}

function encodedParams(texts: Readonly<Record<string, string>>): readonly Param[] {
  return Object.entries(texts).filter(([, value]) => value !== '');
}

/** Formats `KEY~NAME,KEY~NAME`; encoded keys contain neither separator. */
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

/** Maximum length of the notes in a link, in characters; longer notes are ignored. */
export const NOTES_IN_LINK = 16_000;

/** Formats `PLACE~TEXT,PLACE~TEXT`, as many notes as fit. */
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

/** Maximum number of kernels in a link: each file has a worker. */
const MAX_KERNELS = 64;
