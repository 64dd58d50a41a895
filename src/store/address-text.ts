/** Percent-encoding of the keys in an address, and cutting them apart again. Pure text; total. */

// `~`, `@` and `/` separate; `:` may stand as it is, since it is easier to read.
/** Percent-encodes a key for the address. Halves of characters, which no address can hold, become U+FFFD. */
export function encodeKey(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
    .replaceAll('~', '%7E')
    .replaceAll('%3A', ':');
}

/** Percent-decodes; text that is no valid encoding stays as it is. */
export function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Text before and after the first `separator`. */
export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Text before and after the last `separator` that a number follows; else the whole text. */
export function splitOrdinal(text: string, separator: string): [string, string?] {
  const at = text.lastIndexOf(separator);
  return at < 0 || !/^\d+$/.test(text.slice(at + 1))
    ? [text]
    : [text.slice(0, at), text.slice(at + 1)];
}
