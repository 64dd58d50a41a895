/**
 * The names in `text` by their numbers, as documents list them: words one after another,
 * `12:` begins again at 12. The first word may be a prefix with a `*` behind it, which is put in
 * front of all names but those that begin with `=`.
 */
export function numberedNames(text: string): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  let prefix = '';
  let next = 0;
  for (const word of text.trim().split(/\s+/)) {
    if (word.endsWith('*')) prefix = word.slice(0, -1);
    else if (word.endsWith(':')) next = Number(word.slice(0, -1));
    else names.set(next++, word.startsWith('=') ? word.slice(1) : prefix + word);
  }
  return names;
}
