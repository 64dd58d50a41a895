/** Short names for columns: what the names of the files do not share. */

const ENDING = /\.(?:btf|ko|elf|o)(?:\.[a-z0-9]{1,4})?$/i;
const BREAK = /[-_.\s]/;

/**
 * Each name without its ending and without the words that all begin with. A name
 * that would be empty stays whole, and so do names that would become alike.
 */
export function columnNames(names: readonly string[]): string[] {
  const bare = names.map((name) => name.replace(ENDING, '') || name);
  const start = sharedWords(bare);
  const short = bare.map((name) => name.slice(start));
  return new Set(short).size === new Set(names).size ? short : [...names];
}

/** How many characters all names share: whole words before the first digit, with something left of each name. */
function sharedWords(names: readonly string[]): number {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0) return 0;
  // With it a version begins, which is what people look for: it is not torn.
  const version = first.search(/\d/);
  const most = Math.min(version < 0 ? Infinity : version, ...names.map(({ length }) => length - 1));
  let shared = 0;
  while (shared < most && others.every((name) => name[shared] === first[shared])) shared++;
  while (shared > 0 && !BREAK.test(first[shared - 1] ?? '')) shared -= 1;
  return shared;
}
