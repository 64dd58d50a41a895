/**
 * The names in `text` by their numbers, as documents list them: one after another, and `12:`
 * begins again at 12. The first word may be a prefix with a `*` behind it, which is put in front
 * of all names but those that begin with `=`.
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

/** As `numberedNames`, for names with blanks in them: a `|` or a new line parts them. */
export function numberedPhrases(text: string): ReadonlyMap<number, string> {
  return numberedNames(text, /\s*[|\n]\s*/);
}

/** The names of the bits that are set in `flags`, in the order of the table. */
export function namesOfBits(bits: ReadonlyMap<number, string>, flags: number): readonly string[] {
  return Array.from(bits).flatMap(([bit, name]) => ((flags & bit) === 0 ? [] : [name]));
}
