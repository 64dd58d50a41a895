/**
 * Names that nearly every link holds, as one byte each: the base types as gcc and
 * clang spell them, and what the kernel builds all else from. The list is frozen
 * with version 1 of the format: its order is the code, and nothing may be added.
 */
import { concatBytes } from '#bytes/concat.ts';

const WORDS = [
  'int',
  'unsigned int',
  'long int',
  'long unsigned int',
  'long long int',
  'long long unsigned int',
  'short int',
  'short unsigned int',
  'char',
  'unsigned char',
  'signed char',
  '_Bool',
  'long',
  'unsigned long',
  'long long',
  'unsigned long long',
  'short',
  'unsigned short',
  '__ARRAY_SIZE_TYPE__',
  'list_head',
  'hlist_node',
  'callback_head',
  'raw_spinlock',
  'raw_spinlock_t',
  'spinlock_t',
  'spinlock',
  'atomic64_t',
  'atomic_t',
  'counter',
  'refcount_t',
] as const;

/** Codes 1 to 30 are words; this one says that the name itself follows, which begins with such a byte. */
const ESCAPE = 0x1f;

const utf8 = new TextEncoder();
const BYTES = WORDS.map((word) => utf8.encode(word));
const latin1 = new TextDecoder('latin1');
const CODES: ReadonlyMap<string, number> = new Map(WORDS.map((word, i) => [word, i + 1]));

/** The name as it stands in a link, without NUL. */
export function shortened(name: Uint8Array): Uint8Array {
  const code = name.length < 24 ? CODES.get(latin1.decode(name)) : undefined;
  if (code !== undefined) return Uint8Array.of(code);
  const [first = ESCAPE + 1] = name;
  return first <= ESCAPE ? concatBytes([Uint8Array.of(ESCAPE), name]) : name;
}

/** Reverse of `shortened`; null for what it never gives. */
export function lengthened(stored: Uint8Array): Uint8Array | null {
  const [first = ESCAPE + 1] = stored;
  if (first > ESCAPE) return stored;
  if (first === ESCAPE) return stored.subarray(1);
  return stored.length === 1 ? (BYTES[first - 1] ?? null) : null;
}
