/** Single words of a header of needs: tags, numbers as C has them, types without a tag. */
import type { TextOut } from '#analysis/types/text-out.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import {
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  type TypeTable,
} from '#model/type-table.ts';

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'auto break case char const continue default do double else enum extern float for goto if ' +
    'inline int long register restrict return short signed sizeof static struct switch typedef ' +
    'typeof union unsigned void volatile while asm _Bool _Alignas _Alignof _Atomic _Complex ' +
    '_Generic _Imaginary _Noreturn _Static_assert _Thread_local __int128 __attribute__'
  ).split(' '),
);

/** Can C use the name? */
export function isSpellable(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !KEYWORDS.has(name);
}

/** `struct foo`, `union foo`, `enum foo`; a FWD by its sort. */
export function tagOf(t: TypeTable, id: TypeId): string {
  return `${keywordOf(t, id)} ${nameOf(t, id)}`;
}

/** `struct`, `union` or `enum`. */
export function keywordOf(t: TypeTable, id: TypeId): string {
  switch (kindOf(t, id)) {
    case BtfKind.UNION:
      return 'union';
    case BtfKind.ENUM:
    case BtfKind.ENUM64:
      return 'enum';
    case BtfKind.FWD:
      return kindFlagOf(t, id) ? 'union' : 'struct';
    default:
      return 'struct';
  }
}

const SIGNED = 1;
const BOOL = 4;

/** Spellings of compilers that mean the same in C for BPF, with their size in bytes. */
const INT_NAMES = new Map<string, number>([
  ['char', 1],
  ['signed char', 1],
  ['unsigned char', 1],
  ['short', 2],
  ['short int', 2],
  ['unsigned short', 2],
  ['short unsigned int', 2],
  ['int', 4],
  ['unsigned int', 4],
  ['long', 8],
  ['long int', 8],
  ['unsigned long', 8],
  ['long unsigned int', 8],
  ['long long', 8],
  ['long long int', 8],
  ['unsigned long long', 8],
  ['long long unsigned int', 8],
]);

const INT_WORDS = new Map<number, string>([
  [1, 'char'],
  [2, 'short'],
  [4, 'int'],
  [8, 'long long'],
  [16, '__int128'],
]);

/** An INT by its own name where that is C, else by size and sign; null for a size that C has not. */
export function intWord(t: TypeTable, id: TypeId): string | null {
  const size = sizeOrTypeOf(t, id);
  const { encoding } = intData(t, id);
  if (size === 1 && (encoding & BOOL) !== 0) return '_Bool';
  const name = nameOf(t, id);
  if (INT_NAMES.get(name) === size) return name;
  const word = INT_WORDS.get(size);
  if (word === undefined) return null;
  if ((encoding & SIGNED) === 0) return `unsigned ${word}`;
  return size === 1 ? 'signed char' : word;
}

const FLOAT_WORDS = new Map<number, string>([
  [2, '_Float16'],
  [4, 'float'],
  [8, 'double'],
  [16, 'long double'],
]);

/** A FLOAT by its size; null for a size that C has not. */
export function floatWord(t: TypeTable, id: TypeId): string | null {
  return FLOAT_WORDS.get(sizeOrTypeOf(t, id)) ?? null;
}

/** A number with the suffix that its size asks for. */
export function valueWord(value: bigint): string {
  if (value === -(1n << 63n)) return '(-9223372036854775807LL - 1)';
  if (value < -(1n << 31n)) return `${value}LL`;
  if (value < 1n << 31n) return `${value}`;
  if (value < 1n << 32n) return `${value}U`;
  return value < 1n << 63n ? `${value}LL` : `${value}ULL`;
}

/** Tabs for a level of nesting, of which no more are drawn than fit a screen. */
export function indent(out: TextOut, level: number): void {
  out.writeRepeated('\t', Math.min(level, 32));
}
