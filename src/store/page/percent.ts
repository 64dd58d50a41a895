/** Percent-encoding of the parts of an address. */

/** Percent-encodes a key with its separators `~`, `@` and `/`, not `:`. Lone surrogates become U+FFFD. */
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

/** Returns the text before and after the first `separator`. */
export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
