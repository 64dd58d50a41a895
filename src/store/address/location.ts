/**
 * The address bar is the state. What stands behind `#` names a view, a file
 * and a selection by keys that outlast a build; docs/links.md has the grammar:
 *
 *   #/types?file=sample:kinds.bpf.o&type=struct:task_struct&member=mm/pgd
 *   #/bytes?file=<sha-256>&name=prog.o&bytes=.text@0x10-0x18
 *   #/relocations?file=…&reloc=.reltc@0x28      #/core?file=…&core=tc@0x10&step=2
 *   #/types?file=btf1:…&type=struct:list_head   #/types?src=objects/prog.o
 *   #/?lesson=btf-header&at=the-magic           #/bytes?lesson=…&at=…&file=…&bytes=…
 *   #/types?file=…&type=struct:foo&beside=bytes&beside.layout=0x1000
 *
 * Any text is a legal input: what cannot be read is left out and told.
 */
import { append } from '#bytes/append.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import { type KeptNote, MAX_NOTES, noteText } from '#store/kept/kept-notes.ts';
import type { NamedKey } from '#store/kernels/core-view.ts';
import { decodeKey, encodeKey, formatSelection, splitOnce } from '#store/session/selection-keys.ts';
import type { Embed } from '#store/session/session.ts';
import { viewKeys } from '#store/session/view-state.ts';
import { type ViewName, viewNamed } from '#store/session/views.ts';

/** Stands for the key of the CO-RE target where somebody has chosen none. */
export const NO_TARGET = 'none';

/** A view of a file with a selection, read but not yet looked up in a model. */
export type Place = {
  readonly view: ViewName;
  /** `sample:PATH`, a SHA-256 in hex, what the link carries (`btf1:…`), or empty. */
  readonly file: string;
  /** Name of the file, for the sentence that asks for it. */
  readonly name: string;
  /** Key of the base of split BTF, or empty. */
  readonly base: string;
  /** Key of the CO-RE target, `NO_TARGET`, or empty. */
  readonly target: string;
  /** The kernels that the object is tried on. */
  readonly kernels: readonly NamedKey[];
  /** Notes on the file that the link carries. */
  readonly notes: readonly KeptNote[];
  /** The selection's parameters as they stand, still percent-encoded. */
  readonly params: ReadonlyMap<string, string>;
  /** What the view keeps beside the selection, by its keys; decoded. */
  readonly viewParams: ReadonlyMap<string, string>;
};

export type Address = Place & {
  /** Address of a file on the page's own server, or empty. */
  readonly src: string;
  /** How the selected type was laid out where the link was made; empty where it does not say. */
  readonly layout: string;
  /** Shown inside another page. */
  readonly embed: Embed;
  /** Key of the lesson that is open beside it, or empty. */
  readonly lesson: string;
  /** Id of the lesson's step, or empty. */
  readonly at: string;
  /** Key of the file that the lesson is about where its text leaves that to the link, or empty. */
  readonly linked: string;
  /** The second pane; without a file it is of the first pane's, with its selection. null: there is none. */
  readonly beside: Place | null;
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

/** Reads what stands behind `#`. Total: anything gives an address. */
export function parseAddress(hash: string): Address {
  const text = hash.replace(/^#\/?/, '');
  const [path = '', query = ''] = splitOnce(text, '?');
  const params = new Map<string, string>();
  for (const part of query.split('&')) {
    const [key, value = ''] = splitOnce(part, '=');
    if (key !== undefined && key !== '') params.set(key, value);
  }
  const decoded = (key: string) => decodeKey(params.get(key) ?? '');
  const second = besideParams(params);
  const beside = viewNamed(params.get('beside'), second);
  return {
    ...placeOf(viewNamed(path, params) ?? 'overview', params),
    beside: beside === null ? null : placeOf(beside, second),
    src: decoded('src'),
    layout: decoded('h'),
    embed: EMBEDS.get(params.get('embed') ?? '') ?? false,
    lesson: decoded('lesson'),
    at: decoded('at'),
    linked: decoded('of'),
  };
}

/** `embed=` by its values. */
const EMBEDS: ReadonlyMap<string, Embed> = new Map<string, Embed>([
  ['1', true],
  ['light', 'light'],
  ['dark', 'dark'],
]);

function placeOf(view: ViewName, params: ReadonlyMap<string, string>): Place {
  const kept = viewKeys(view);
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
      [...params].flatMap(([key, value]) => (kept.includes(key) ? [[key, decodeKey(value)]] : [])),
    ),
  };
}

/** In front of each key of the second pane. */
const BESIDE = 'beside.';

function besideParams(params: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...params].flatMap(([key, value]) =>
      key.startsWith(BESIDE) ? [[key.slice(BESIDE.length), value] as const] : [],
    ),
  );
}

/** The lesson that is open, by its key, and its step. */
export type LessonPlace = Pick<Address, 'at' | 'linked'> & { readonly key: string };

/** How an address names a file. */
type FileName = { readonly id: string; readonly name: string };

/** What an address says of a pane besides its view, file and selection. */
export type PlaceContext = {
  /** Key of the base of split BTF. */
  readonly base?: string | null;
  /** Key of the CO-RE target. */
  readonly target?: string | null;
  readonly kernels?: readonly NamedKey[];
  readonly notes?: readonly KeptNote[];
  /** As `layoutHash` gives it. */
  readonly layout?: string;
  /** What the view keeps, by the keys of the address. */
  readonly viewParams?: ReadonlyMap<string, string>;
};

export type AddressContext = PlaceContext & {
  readonly embed?: Embed;
  readonly lesson?: LessonPlace;
  /** The second pane, as `formatBeside` gives it. */
  readonly beside?: readonly string[];
};

/** The address of a view of a file with a selection, `#` first. */
export function formatAddress(
  view: ViewName,
  file: FileName | null,
  model: ObjectModel | null,
  selection: Selection,
  context: AddressContext = {},
): string {
  const { embed = false, lesson, beside = [] } = context;
  const params: string[] = embed === false ? [] : [`embed=${embed === true ? 1 : embed}`];
  if (lesson !== undefined) append(params, formatLesson(lesson));
  append(params, formatPlace(file, model, selection, context));
  append(params, beside);
  return `#/${view}${params.length > 0 ? `?${params.join('&')}` : ''}`;
}

/** The second pane in an address; `file` is null where it is the first pane's. */
export function formatBeside(
  view: ViewName,
  file: FileName | null,
  model: ObjectModel | null,
  selection: Selection,
  context: PlaceContext,
): readonly string[] {
  const params = formatPlace(file, model, selection, context);
  return [`beside=${view}`, ...params.map((param) => `${BESIDE}${param}`)];
}

function formatPlace(
  file: FileName | null,
  model: ObjectModel | null,
  selection: Selection,
  { base, target, kernels = [], notes = [], layout, viewParams = NONE }: PlaceContext,
): readonly string[] {
  const params: string[] = [];
  if (file !== null) {
    params.push(`file=${encodeKey(file.id)}`);
    if (!/^(sample|c1):/.test(file.id) && file.name !== '') {
      params.push(`name=${encodeKey(file.name)}`);
    }
  }
  if (base) params.push(`base=${encodeKey(base)}`);
  if (target) params.push(`target=${encodeKey(target)}`);
  if (kernels.length > 0) params.push(`kernels=${formatKernels(kernels)}`);
  if (model !== null) append(params, formatSelection(model, selection));
  if (layout !== undefined) params.push(`h=${layout}`);
  for (const [key, value] of viewParams) params.push(`${key}=${encodeKey(value)}`);
  const written = formatNotes(notes);
  if (written !== '') params.push(`notes=${written}`);
  return params;
}

/** The address that goes to a step of a lesson and shows its place. */
export function lessonAddress(lesson: LessonPlace): string {
  return `#/?${formatLesson(lesson).join('&')}`;
}

function formatLesson({ key, at, linked }: LessonPlace): string[] {
  const parts = [['lesson', key] as const, ['at', at] as const, ['of', linked] as const];
  return parts.flatMap(([name, value]) => (value === '' ? [] : [`${name}=${encodeKey(value)}`]));
}

/** `KEY~NAME,KEY~NAME`; neither sign is in an encoded key. */
export function formatKernels(kernels: readonly NamedKey[]): string {
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

/** Characters that the notes of a link may have; with more it has no notes. */
export const NOTES_IN_LINK = 16_000;

/** `PLACE~TEXT,PLACE~TEXT`: the first of them that there is room for. */
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
    const said = noteText(raw);
    return place === '' || said === '' ? [] : [{ place, text: said }];
  });
}

/** Each is a worker of its own. */
const MAX_KERNELS = 64;

const NONE: ReadonlyMap<string, string> = new Map();
