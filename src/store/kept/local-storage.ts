/** Values in the browser's storage, each as JSON under a key. docs/privacy.md lists the keys. */
import { isFramed } from '#store/page/host.ts';

export type Schema<T> = {
  /** Returns the value for stored JSON, undefined if nothing is stored. Must not throw. */
  readonly parse: (json: unknown) => T;
  /** Returns the value as JSON, by default unchanged; `undefined` deletes the stored value. */
  readonly format?: (value: T) => unknown;
};

export type Kept<T> = {
  readonly read: () => T;
  /** Stores `value`. Returns false in a frame, or if the storage is full or forbidden. */
  readonly write: (value: T) => boolean;
  /** Parses the stored text, or the text of an exported file. */
  readonly parse: (text: string | null) => T;
};

/** Returns access to the value under `key`. `storage` may throw: reading `localStorage` can. */
export function kept<T>(
  key: string,
  { parse, format = (value) => value }: Schema<T>,
  storage: () => Storage = () => localStorage,
): Kept<T> {
  const parseText = (text: string | null) => parse(text === null ? undefined : parseJson(text));
  return {
    parse: parseText,
    read: () => {
      try {
        return parseText(storage().getItem(key));
      } catch {
        return parse(undefined);
      }
    },
    write: (value) => {
      if (isFramed()) return false;
      try {
        const json = format(value);
        if (json === undefined) storage().removeItem(key);
        else storage().setItem(key, JSON.stringify(json));
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Parses JSON; returns other text unchanged: older versions stored the theme unquoted. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the fields of a JSON object; an empty record if the JSON is not an object. */
export function fieldsOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

/** Returns the items of a JSON array; an empty list if the JSON is not an array. */
export function itemsOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}
