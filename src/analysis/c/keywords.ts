/** Table of the words of C. */

/** Words by group. */
const WORDS = {
  declaration: 'struct union enum typedef const volatile restrict extern static',
  type: 'void char short int long signed unsigned float double _Bool',
  specifier: 'inline register typeof _Alignas _Atomic __int128',
  attribute: '__attribute__',
  code:
    'auto break case continue default do else for goto if return sizeof switch while asm ' +
    '_Alignof _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local',
  /** Macros of the kernel and libbpf for attributes. */
  macro: '__packed __aligned',
  /** Names that a header defines, or that are special only in `__attribute__`. */
  name: 'bool packed aligned preserve_access_index',
} as const;

export type CWordGroup = keyof typeof WORDS;

const GROUPS: ReadonlyMap<string, CWordGroup> = new Map(
  Object.entries(WORDS).flatMap(([group, words]) =>
    words.split(' ').map((word) => [word, group as CWordGroup] as const),
  ),
);

/** Returns the group of a word; null for a word without a meaning in C. */
export function cWordGroup(word: string): CWordGroup | null {
  return GROUPS.get(word) ?? null;
}

/** Returns whether the word is reserved by C and so no valid name. */
export function isReserved(word: string): boolean {
  const group = cWordGroup(word);
  return group !== null && group !== 'macro' && group !== 'name';
}

/** Returns whether the word can precede the name in a declaration. */
export function isDeclarationWord(word: string): boolean {
  const group = cWordGroup(word);
  return group !== null && group !== 'code' && group !== 'name';
}
