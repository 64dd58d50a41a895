/** Places in sorted numbers. */

/** Index of the first number that is at least `value`, between `low` and `high`; `high` where none is. `rising` never falls there. */
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

/** Index of the first number above `value`; the length where none is. `rising` never falls. */
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
