const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** Returns the FNV-1a hash of `bytes`, 0 to 2^32 - 1. `seed` is the hash of the bytes before. */
export function fnv1a(bytes: Iterable<number>, seed = OFFSET_BASIS): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME);
  return hash >>> 0;
}
