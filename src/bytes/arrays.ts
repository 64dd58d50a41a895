/** Appends `items` to `list`. Avoids `push(...items)`: 120,000 arguments overflow the stack. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** Returns a new array that contains all `parts` in order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns the first index, from `low` on, of a number that is not below `value`; else `high`. */
export function lowerBound(
  rising: ArrayLike<number>,
  value: number,
  low = 0,
  high = rising.length,
): number {
  let first = low;
  let end = high;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((rising[middle] ?? 0) < value) first = middle + 1;
    else end = middle;
  }
  return first;
}

/** Returns the first index whose number is above `value`, or the length. `rising` is ascending. */
export function upperBound<T extends number | bigint>(rising: ArrayLike<T>, value: T): number {
  let first = 0;
  let end = rising.length;
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((rising[middle] ?? 0) <= value) first = middle + 1;
    else end = middle;
  }
  return first;
}

/** Returns true if `bytes` contains `magic` (numbers or ASCII text) at `byteOffset`. */
export function startsWith(
  bytes: Uint8Array,
  magic: string | readonly number[],
  byteOffset = 0,
): boolean {
  for (let i = 0; i < magic.length; i++) {
    const wanted = typeof magic === 'string' ? magic.charCodeAt(i) : magic[i];
    if (bytes[byteOffset + i] !== wanted) return false;
  }
  return true;
}
