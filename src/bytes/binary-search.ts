/** Binary search in sorted numbers. */

/** Returns the first index from `low` on with at least `value`, or `high`. `rising` is ascending from `low` to `high`. */
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

/** Returns the index of the first number above `value`; the length if there is none. `rising` is ascending. */
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
