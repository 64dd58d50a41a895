/** Values that the browser keeps, each as JSON under a key. docs/privacy.md lists all keys. */
import { isFramed } from '#store/page/host.ts';

export type Schema<T> = {
  /** Returns the value for any JSON; `undefined`: nothing is kept. Must not throw. */
  readonly parse: (json: unknown) => T;
  /** Returns the JSON of a value, by default the value itself; `undefined` removes the key. */
  readonly format?: (value: T) => unknown;
};

export type Kept<T> = {
  readonly read: () => T;
  /** Keeps `value`. Returns false if the storage is full or forbidden, or if the page is in a frame. */
  readonly write: (value: T) => boolean;
  /** Returns the value for the text of the storage or of an exported file. */
  readonly parse: (text: string | null) => T;
};

/** Returns access to the value under `key`. Each access calls `storage`: reading `localStorage` may throw. */
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

/** Parses JSON. Other text is returned as a string: earlier versions kept the theme as a bare word. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the fields of a JSON object; empty for anything else. */
export function fieldsOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? { ...json } : {};
}

/** Returns the items of a JSON array; empty for anything else. */
export function itemsOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}
