/** Values that the browser keeps, each as JSON under a key of its own. docs/privacy.md lists all keys. */
import { isFramed } from '#store/page/framed.ts';

export type Schema<T> = {
  /** Makes a value of any JSON; `undefined`: nothing is kept. Must not throw. */
  readonly parse: (json: unknown) => T;
  /** JSON of a value, the value itself by default; `undefined` removes the key. */
  readonly format?: (value: T) => unknown;
};

export type Kept<T> = {
  readonly read: () => T;
  /**
   * Keeps `value`. Returns false where the page alone has it: storage may be full or forbidden, and
   * a page in a frame keeps nothing, since the page around it may have led the person there.
   */
  readonly write: (value: T) => boolean;
  /** Makes a value of the text that the storage, or an exported file, has for it. */
  readonly parse: (text: string | null) => T;
};

/** Returns access to the value under `key`; `storage` is called at each access, which may be forbidden. */
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

/** The JSON of a text; text that is none, such as the bare word that earlier versions kept of the theme, is a string. */
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
