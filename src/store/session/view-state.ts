/** State of views per open file, in slices. Fields can be part of the address (docs/links.md). */
import type { ObjectModel } from '#model/object-model.ts';
import { useOfPaneFile } from './panes.ts';
import {
  activeId,
  type FileId,
  fileById,
  fileNow,
  modelOf,
  type OpenFile,
  patchFile,
  session,
  useSession,
} from './session.ts';
import { type ViewName, viewOf } from './views.ts';

/** Conversion of a field to and from its address parameter. */
type AddressField<V> = {
  readonly key: string;
  /** Returns the parameter's value; null leaves the parameter out. */
  readonly format: (value: V) => string | null;
  /** Returns the field for any value of the parameter; `text` is null without the parameter. */
  readonly parse: (text: string | null) => V;
};

type AddressFields<T> = { readonly [K in keyof T]?: AddressField<T[K]> };

type Options<T> = {
  /** Fields of the slice that are address parameters. */
  readonly address?: AddressFields<T>;
  /** True if a new file begins with the slice that was set most recently in any file. */
  readonly inherits?: boolean;
  /** True if the slice contains type ids: it is reset when the file gets a new model. */
  readonly ofModel?: boolean;
};

/** Parts of `ViewState` that the address code uses. */
export type AddressState = Pick<ViewState<object>, 'keys' | 'format' | 'parse' | 'holds'>;

/** A slice: one state object per open file. */
export class ViewState<T extends object> {
  readonly #name: string;
  readonly #first: T;
  readonly #fields: readonly (readonly [keyof T, AddressField<T[keyof T]>])[];
  readonly #inherits: boolean;
  /** Model to which the type ids of a slice belong; null if the slices contain no type ids. */
  readonly #models: WeakMap<T, ObjectModel> | null;

  /** `name` must be unique; `first` is the state of a new file. */
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

  get keys(): readonly string[] {
    return this.#fields.map(([, { key }]) => key);
  }

  of(file: OpenFile | null): T {
    const kept = file?.viewState?.[this.#name] as T | undefined;
    const isOld =
      kept !== undefined && this.#models !== null && this.#models.get(kept) !== modelOf(file);
    const own = isOld ? undefined : kept;
    const last = this.#inherits ? session.getState().lastViewState[this.#name] : undefined;
    return (own ?? last ?? this.#first) as T;
  }

  /** Returns the slice of file `id`. React hook. */
  useOf(id: FileId): T {
    return useSession((state) => this.of(fileById(state, id)));
  }

  /** Returns the slice of the pane's file. React hook. */
  useActive(): T {
    return useOfPaneFile((file) => this.of(file));
  }

  /** Changes fields of the slice of file `id`, by default of the active file. */
  set(patch: Partial<T>, id: FileId | null = activeId(session.getState())): void {
    const file = fileNow(id);
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

  /** Returns the slice of `file` as address parameters. */
  format(file: OpenFile): readonly (readonly [key: string, text: string])[] {
    const slice = this.of(file);
    return this.#fields.flatMap(([name, { key, format }]) => {
      const text = format(slice[name]);
      return text === null ? [] : [[key, text] as const];
    });
  }

  /** Sets the slice from address parameters; a field without a parameter gets its default. */
  parse(file: OpenFile, params: ReadonlyMap<string, string>): void {
    const fields = this.#fields.map(([name, { key, parse }]) => [
      name,
      parse(params.get(key) ?? null),
    ]);
    this.set(Object.fromEntries(fields) as Partial<T>, file.id);
  }

  /** Returns true if the slice of `file` has the values of all its parameters in an address. */
  holds(file: OpenFile, params: ReadonlyMap<string, string>): boolean {
    const slice = this.of(file);
    return this.#fields.every(([name, { key, parse }]) => {
      const text = params.get(key);
      return text === undefined || Object.is(parse(text), slice[name]);
    });
  }
}

/** Returns an address field for a text or null. */
export function textField(key: string): AddressField<string | null> {
  return { key, format: (value) => value, parse: (value) => value };
}

/** Returns an address field for one of `values`; the first is the default and is left out. */
export function choiceField<V extends string>(
  key: string,
  values: readonly [V, ...V[]],
): AddressField<V> {
  const [first] = values;
  return {
    key,
    format: (value) => (value === first ? null : value),
    parse: (value) => values.find((other) => other === value) ?? first,
  };
}

/** Returns a slice of texts; each field has its name as the key in the address. */
export function textsState<const K extends string>(
  name: string,
  keys: readonly K[],
): ViewState<Record<K, string | null>> {
  const first = Object.fromEntries(keys.map((key) => [key, null]));
  const address = Object.fromEntries(keys.map((key) => [key, textField(key)]));
  return new ViewState(name, first as Record<K, string | null>, {
    address: address as AddressFields<Record<K, string | null>>,
  });
}

function statesOf(view: ViewName): readonly AddressState[] {
  return viewOf(view)?.state ?? [];
}

/** Returns the address parameters of the state of `view`, without those of the selection. */
export function viewKeys(view: ViewName): readonly string[] {
  return statesOf(view).flatMap(({ keys }) => keys);
}

/** Returns the state of `view` in `file` as address parameters. */
export function formatViewState(file: OpenFile, view: ViewName): ReadonlyMap<string, string> {
  return new Map(statesOf(view).flatMap((state) => state.format(file)));
}

/** Sets the state of `view` in file `id` from address parameters. */
export function applyViewState(
  id: FileId,
  view: ViewName,
  params: ReadonlyMap<string, string>,
): void {
  for (const state of statesOf(view)) {
    const file = fileNow(id);
    if (file !== null) state.parse(file, params);
  }
}

/** Returns true if the state of `view` has the values of all its parameters in an address. */
export function holdsViewState(
  file: OpenFile,
  view: ViewName,
  params: ReadonlyMap<string, string>,
): boolean {
  return statesOf(view).every((state) => state.holds(file, params));
}
