/** Percent-encoding of the parts of an address. */

/** Percent-encodes a key and its `~`, `@` and `/`, but not `:`. Replaces lone surrogates. */
export function encodeKey(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))
    .replaceAll('~', '%7E')
    .replaceAll('%3A', ':');
}

/** Percent-decodes a text; returns it unchanged if its encoding is invalid. */
export function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the text before and the text after the first `separator`. */
export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
