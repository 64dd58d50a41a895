/**
 * Parses a table of names by number, as documents list them. Numbers count up; `12:` continues at
 * 12. A first word that ends with `*` is a prefix of all names except those that begin with `=`.
 */
export function numberedNames(
  text: string,
  separator: string | RegExp = /\s+/,
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  let prefix = '';
  let next = 0;
  for (const word of text.trim().split(separator)) {
    const [, number, name = word] = /^(\d\w*):\s*(.*)$/.exec(word) ?? [];
    if (number !== undefined) next = Number(number);
    if (name.endsWith('*')) prefix = name.slice(0, -1);
    else if (name !== '') names.set(next++, name.startsWith('=') ? name.slice(1) : prefix + name);
  }
  return names;
}

/** As `numberedNames`, for names that contain spaces: `|` or a line end separates them. */
export function numberedPhrases(text: string): ReadonlyMap<number, string> {
  return numberedNames(text, /\s*[|\n]\s*/);
}

/** Returns the names of the bits that are set in `flags`, in the order of the table. */
export function namesOfBits(bits: ReadonlyMap<number, string>, flags: number): readonly string[] {
  return Array.from(bits).flatMap(([bit, name]) => ((flags & bit) === 0 ? [] : [name]));
}
