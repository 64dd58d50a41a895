/**
 * What views keep for each open file beside its selection: slices in the file's entry of the
 * session, which go when the file is closed. A field with a key stands in the address of its
 * view; `docs/links.md` lists the keys.
 */
import type { ObjectModel } from '#model/object-model.ts';
import { useOfPaneFile } from './panes.ts';
import {
  type FileId,
  fileById,
  modelOf,
  type OpenFile,
  patchFile,
  session,
  useSession,
} from './session.ts';
import {
  DECLARATION_FORMS,
  type DeclarationForm,
  TEXT_FORMATS,
  TEXT_ORDERS,
  type TextChoice,
  TOOL_VERSIONS,
} from './texts.ts';
import type { ViewName } from './views.ts';

/** How a field stands in the address. */
type AddressField<V> = {
  readonly key: string;
  /** null: left out of the address. */
  readonly format: (value: V) => string | null;
  /** Takes any text; null where the address does not have the key. */
  readonly parse: (text: string | null) => V;
};

type AddressFields<T> = { readonly [K in keyof T]?: AddressField<T[K]> };

type Options<T> = {
  /** Which fields stand in the address of `view`. */
  readonly address?: AddressFields<T>;
  /** A file without a slice begins with the one that was set last in any file. */
  readonly inherits?: boolean;
  /**
   * It holds ids of types, which are others once the file is read again, on another base or
   * after an edit: then it begins anew.
   */
  readonly ofModel?: boolean;
};

/** A slice as far as the address needs it. */
type AddressState = Pick<ViewState<object>, 'keys' | 'format' | 'parse' | 'holds'>;

/** One slice of each open file. */
export class ViewState<T extends object> {
  readonly #name: string;
  readonly #first: T;
  readonly #fields: readonly (readonly [keyof T, AddressField<T[keyof T]>])[];
  readonly #inherits: boolean;
  /** The model that the ids of a slice belong to; null where slices hold none. */
  readonly #models: WeakMap<T, ObjectModel> | null;

  /** `name` is the slice's own; `first` is what a file begins with. */
  constructor(
    name: string,
    first: T,
    { address = {}, inherits = false, ofModel = false }: Options<T> = {},
  ) {
    this.#name = name;
    this.#first = first;
    this.#fields = Object.entries(address) as never;
    this.#inherits = inherits;
    this.#models = ofModel ? new WeakMap() : null;
  }

  /** The keys of the address. */
  get keys(): readonly string[] {
    return this.#fields.map(([, { key }]) => key);
  }

  /** The slice of a file. */
  of(file: OpenFile | null): T {
    const kept = file?.viewState?.[this.#name] as T | undefined;
    const isOld =
      kept !== undefined && this.#models !== null && this.#models.get(kept) !== modelOf(file);
    const own = isOld ? undefined : kept;
    const last = this.#inherits ? session.getState().lastViewState[this.#name] : undefined;
    return (own ?? last ?? this.#first) as T;
  }

  /** The slice of an open file; draws again when it changes. */
  useOf(id: FileId): T {
    return useSession((state) => this.of(fileById(state, id)));
  }

  /** The slice of the file of the pane; draws again when it changes. */
  useActive(): T {
    return useOfPaneFile((file) => this.of(file));
  }

  /** Changes fields of the slice of a file; without `id`, of the file that is looked at. */
  set(patch: Partial<T>, id: FileId | null = session.getState().activeId): void {
    const file = fileById(session.getState(), id);
    const before = this.of(file);
    const changed = (Object.keys(patch) as (keyof T)[]).some(
      (k) => !Object.is(patch[k], before[k]),
    );
    if (!changed) return;
    const slice = { ...before, ...patch };
    const model = modelOf(file);
    if (model !== null) this.#models?.set(slice, model);
    if (this.#inherits) {
      session.setState(({ lastViewState }) => ({
        lastViewState: { ...lastViewState, [this.#name]: slice },
      }));
    }
    if (file !== null)
      patchFile(file.id, { viewState: { ...file.viewState, [this.#name]: slice } });
  }

  /** What the address says of the slice of `file`, by key. */
  format(file: OpenFile): readonly (readonly [key: string, text: string])[] {
    const slice = this.of(file);
    return this.#fields.flatMap(([name, { key, format }]) => {
      const text = format(slice[name]);
      return text === null ? [] : [[key, text] as const];
    });
  }

  /** Takes what an address says; fields whose key it does not have get their first value. */
  parse(file: OpenFile, params: ReadonlyMap<string, string>): void {
    const fields = this.#fields.map(([name, { key, parse }]) => [
      name,
      parse(params.get(key) ?? null),
    ]);
    this.set(Object.fromEntries(fields) as Partial<T>, file.id);
  }

  /** Is the slice of `file` as an address says, in what it does say? */
  holds(file: OpenFile, params: ReadonlyMap<string, string>): boolean {
    const slice = this.of(file);
    return this.#fields.every(([name, { key, parse }]) => {
      const text = params.get(key);
      return text === undefined || Object.is(parse(text), slice[name]);
    });
  }
}

/** Any text, or null. */
function text(key: string): AddressField<string | null> {
  return { key, format: (value) => value, parse: (value) => value };
}

/**
 * One of `values`; the first is left out of the address, and stands for any other text. `former`
 * are values by the names that addresses had for them before.
 */
function choice<V extends string>(
  key: string,
  values: readonly [V, ...V[]],
  former: ReadonlyMap<string, V> = new Map(),
): AddressField<V> {
  const [first] = values;
  return {
    key,
    format: (value) => (value === first ? null : value),
    parse: (value) => values.find((other) => other === value) ?? former.get(value ?? '') ?? first,
  };
}

/** A slice of texts that stand in the address under their own names. */
function texts<const K extends string>(view: ViewName, keys: readonly K[]) {
  const first = Object.fromEntries(keys.map((key) => [key, null]));
  const address = Object.fromEntries(keys.map((key) => [key, text(key)]));
  return new ViewState(view, first as Record<K, string | null>, {
    address: address as AddressFields<Record<K, string | null>>,
  });
}

/** The slices of texts by view: see `useViewParam`. */
const TEXTS = {
  types: texts('types', ['as']),
  bytes: texts('bytes', ['layout']),
  relocations: texts('relocations', ['layout']),
  graph: texts('graph', ['depth', 'open', 'hide', 'path']),
  data: texts('data', ['mode']),
  compare: texts('compare', ['with', 'show', 'filter', 'a', 'b']),
  history: texts('history', ['entry', 'item', 'kernel', 'order', 'each']),
};

/** The form of the declaration of one type. */
export const declarationState = new ViewState(
  'declaration',
  { form: 'c' as DeclarationForm },
  { address: { form: choice('form', DECLARATION_FORMS) }, inherits: true },
);

/** The format of the whole file as text, the versions of the tools, and the order of C. */
export const textState = new ViewState<TextChoice>(
  'text',
  { format: 'c', bpftool: '7.8', pahole: '1.31', order: 'sorted' },
  {
    address: {
      format: choice('as', TEXT_FORMATS),
      bpftool: choice('bpftool', TOOL_VERSIONS.bpftool),
      pahole: choice('pahole', TOOL_VERSIONS.pahole),
      order: choice('order', TEXT_ORDERS),
    },
    inherits: true,
  },
);

/**
 * The query that was run last, over all open files, and what is being written. `draft` counts while
 * `of` is the query that was run: a link to another one takes its place.
 */
export const queryState = new ViewState(
  'query',
  { sql: null as string | null, draft: { of: null as string | null, text: '' } },
  { address: { sql: text('sql') }, inherits: true },
);

export const CORE_MODES = ['records', 'load', 'log', 'playground', 'needs'] as const;
export type CoreMode = (typeof CORE_MODES)[number];

/** Which part of the CO-RE view is shown, and whether the candidates are reset for each record. */
export const coreState = new ViewState(
  'core',
  { mode: 'records' as CoreMode, candidates: 'kept' as 'kept' | 'fresh' },
  {
    address: {
      mode: choice('mode', CORE_MODES, new Map([['matrix', 'load']])),
      candidates: choice('candidates', ['kept', 'fresh']),
    },
    inherits: true,
  },
);

/** The slices that stand in the address of each view. No key may be one of the selection (`type`, `bytes`, …). */
const IN_ADDRESS: Readonly<Partial<Record<ViewName, readonly AddressState[]>>> = {
  ...Object.fromEntries(Object.entries(TEXTS).map(([view, state]) => [view, [state]])),
  types: [declarationState, TEXTS.types],
  text: [textState],
  query: [queryState],
  core: [coreState],
};

function statesOf(view: ViewName): readonly AddressState[] {
  return IN_ADDRESS[view] ?? [];
}

/** The keys that the address of `view` may have beside the selection. */
export function viewKeys(view: ViewName): readonly string[] {
  return statesOf(view).flatMap(({ keys }) => keys);
}

/** What the address of `view` says of `file` beside the selection. */
export function formatViewState(file: OpenFile, view: ViewName): ReadonlyMap<string, string> {
  return new Map(statesOf(view).flatMap((state) => state.format(file)));
}

/** Puts the slices of `view` in the state that an address tells. */
export function applyViewState(
  id: FileId,
  view: ViewName,
  params: ReadonlyMap<string, string>,
): void {
  for (const state of statesOf(view)) {
    const file = fileById(session.getState(), id);
    if (file !== null) state.parse(file, params);
  }
}

/** Are the slices of `view` of `file` as an address tells, in what it does tell? */
export function holdsViewState(
  file: OpenFile,
  view: ViewName,
  params: ReadonlyMap<string, string>,
): boolean {
  return statesOf(view).every((state) => state.holds(file, params));
}

type TextView = keyof typeof TEXTS;

/** What the file's `view` keeps under `key`, or null. */
export function useViewParam(id: FileId, view: TextView, key: string): string | null {
  return textsOf(view).useOf(id)[key] ?? null;
}

/** Keeps `value` for the `view` of a file, the one that is looked at unless told; null removes it. */
export function setViewParam(
  view: TextView,
  key: string,
  value: string | null,
  id: FileId | null = session.getState().activeId,
): void {
  textsOf(view).set({ [key]: value }, id);
}

/** What `view` keeps under `key` for a file. */
export function viewParam(file: OpenFile | null, view: TextView, key: string): string | null {
  return textsOf(view).of(file)[key] ?? null;
}

function textsOf(view: TextView): ViewState<Record<string, string | null>> {
  return TEXTS[view] as ViewState<Record<string, string | null>>;
}
