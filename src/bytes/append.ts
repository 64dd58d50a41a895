/** Lists that grow by lists. */

/**
 * Puts `items` at the end of `list`. `push(...items)` puts each of them on the stack as an argument,
 * which overflows at some 120,000: as many types as a kernel has.
 */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
