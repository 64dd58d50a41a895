/**
 * The most of `order`'s numbers that stand in ascending order as they are: when a
 * list was put into another order, those that did not have to be moved. Patience
 * sorting, n log n.
 */
export function longestIncreasingSubsequence(order: readonly number[]): ReadonlySet<number> {
  /** Of each length the place of the smallest number that a run of that length ends with. */
  const ends: number[] = [];
  const before: number[] = [];
  order.forEach((value, at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((order[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] ?? -1);
    ends[low] = at;
  });
  const found = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) found.add(order[at] ?? 0);
  return found;
}
