/**
 * Appends `items` to `list`. `push(...items)` passes each item as an argument on the stack,
 * which overflows at about 120,000 items; a kernel's BTF has more types.
 */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
