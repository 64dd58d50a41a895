/** The words for numbers in C, in any order that it allows, and the names that are there without a header. */
import type { Basic } from './c-types.ts';

const basic = (name: string, size: number, encoding: Basic['encoding']): Basic => ({
  kind: 'basic',
  name,
  size,
  encoding,
});

/** By their words in alphabetical order; the names are those of clang's debug information. */
const BASICS: ReadonlyMap<string, Basic> = new Map(
  (
    [
      ['char', basic('char', 1, 'signed')],
      ['char signed', basic('signed char', 1, 'signed')],
      ['char unsigned', basic('unsigned char', 1, 'unsigned')],
      ['short|int short|short signed|int short signed', basic('short', 2, 'signed')],
      ['short unsigned|int short unsigned', basic('unsigned short', 2, 'unsigned')],
      ['int|signed|int signed', basic('int', 4, 'signed')],
      ['unsigned|int unsigned', basic('unsigned int', 4, 'unsigned')],
      ['long|int long|long signed|int long signed', basic('long', 8, 'signed')],
      ['long unsigned|int long unsigned', basic('unsigned long', 8, 'unsigned')],
      [
        'long long|int long long|long long signed|int long long signed',
        basic('long long', 8, 'signed'),
      ],
      ['long long unsigned|int long long unsigned', basic('unsigned long long', 8, 'unsigned')],
      ['__int128|__int128 signed', basic('__int128', 16, 'signed')],
      ['__int128 unsigned', basic('unsigned __int128', 16, 'unsigned')],
      ['_Bool', basic('_Bool', 1, 'bool')],
      ['float', basic('float', 4, 'float')],
      ['double', basic('double', 8, 'float')],
    ] as const
  ).flatMap(([words, type]) => words.split('|').map((key) => [key, type] as const)),
);

const WORDS = new Set([...BASICS.keys()].flatMap((key) => key.split(' ')));

/** Is it one of the words that numbers are named by? */
export function isNumberWord(word: string): boolean {
  return WORDS.has(word);
}

/** The number type that these words name; null when they name none. */
export function basicOf(words: readonly string[]): Basic | null {
  return BASICS.get(words.toSorted().join(' ')) ?? null;
}

/** What `linux/types.h` would bring: name and words. */
export const PRELUDE: readonly (readonly [name: string, words: string])[] = [
  ['__u8', 'unsigned char'],
  ['__u16', 'unsigned short'],
  ['__u32', 'unsigned int'],
  ['__u64', 'unsigned long long'],
  ['__s8', 'signed char'],
  ['__s16', 'short'],
  ['__s32', 'int'],
  ['__s64', 'long long'],
  ['u8', '__u8'],
  ['u16', '__u16'],
  ['u32', '__u32'],
  ['u64', '__u64'],
  ['s8', '__s8'],
  ['s16', '__s16'],
  ['s32', '__s32'],
  ['s64', '__s64'],
  ['bool', '_Bool'],
  ['size_t', 'unsigned long'],
];
