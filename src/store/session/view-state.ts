/** State of views per open file, as slices. A field with a key is part of the address (`docs/links.md`). */
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

/** Codec of a field in the address. */
type AddressField<V> = {
  readonly key: string;
  /** Null leaves the field out of the address. */
  readonly format: (value: V) => string | null;
  /** Parses any text; null if the address does not have the key. */
  readonly parse: (text: string | null) => V;
};

type AddressFields<T> = { readonly [K in keyof T]?: AddressField<T[K]> };

type Options<T> = {
  /** Fields in the address of the view. */
  readonly address?: AddressFields<T>;
  /** Whether a new file begins with the slice that was set last in any file. */
  readonly inherits?: boolean;
  /** Whether the slice holds type ids: it is reset when the file is read again, on another base or after an edit. */
  readonly ofModel?: boolean;
};

/** The part of a slice that the address uses. */
export type AddressState = Pick<ViewState<object>, 'keys' | 'format' | 'parse' | 'holds'>;

/** A slice of each open file. */
export class ViewState<T extends object> {
  readonly #name: string;
  readonly #first: T;
  readonly #fields: readonly (readonly [keyof T, AddressField<T[keyof T]>])[];
  readonly #inherits: boolean;
  /** Model of the type ids in a slice; null for slices without ids. */
  readonly #models: WeakMap<T, ObjectModel> | null;

  /** `name` is unique; `first` is the slice of a new file. */
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

  /** A hook. */
  useOf(id: FileId): T {
    return useSession((state) => this.of(fileById(state, id)));
  }

  /** A hook. */
  useActive(): T {
    return useOfPaneFile((file) => this.of(file));
  }

  /** Changes fields of the slice of a file, by default the active one. */
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

  /** Returns the parameters of the slice of `file` for the address. */
  format(file: OpenFile): readonly (readonly [key: string, text: string])[] {
    const slice = this.of(file);
    return this.#fields.flatMap(([name, { key, format }]) => {
      const text = format(slice[name]);
      return text === null ? [] : [[key, text] as const];
    });
  }

  /** Sets the slice from an address; fields without a parameter get their first value. */
  parse(file: OpenFile, params: ReadonlyMap<string, string>): void {
    const fields = this.#fields.map(([name, { key, parse }]) => [
      name,
      parse(params.get(key) ?? null),
    ]);
    this.set(Object.fromEntries(fields) as Partial<T>, file.id);
  }

  /** Returns whether the slice of `file` agrees with all parameters that an address has. */
  holds(file: OpenFile, params: ReadonlyMap<string, string>): boolean {
    const slice = this.of(file);
    return this.#fields.every(([name, { key, parse }]) => {
      const text = params.get(key);
      return text === undefined || Object.is(parse(text), slice[name]);
    });
  }
}

/** Returns the field of any text, or null. */
export function textField(key: string): AddressField<string | null> {
  return { key, format: (value) => value, parse: (value) => value };
}

/** Returns a field with one of `values`; the first is the default, which the address omits. */
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

/** Returns a slice of texts whose names are their keys in the address. */
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

/** Returns the keys that the address of `view` may have beside the selection. */
export function viewKeys(view: ViewName): readonly string[] {
  return statesOf(view).flatMap(({ keys }) => keys);
}

/** Returns the state of `view` of `file` as parameters of the address. */
export function formatViewState(file: OpenFile, view: ViewName): ReadonlyMap<string, string> {
  return new Map(statesOf(view).flatMap((state) => state.format(file)));
}

/** Sets the slices of `view` from the parameters of an address. */
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

/** Returns whether the slices of `view` of `file` agree with all parameters that an address has. */
export function holdsViewState(
  file: OpenFile,
  view: ViewName,
  params: ReadonlyMap<string, string>,
): boolean {
  return statesOf(view).every((state) => state.holds(file, params));
}
