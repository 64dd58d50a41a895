/** Own types in order of name or size. Whole tables at once: sorted once, then only filtered. */

/** Own indexes in ascending order; from `known` on those that have no name or size, in id order. */
export type Ordering = { readonly order: Uint32Array; readonly known: number };

/**
 * The order of `count` own types by name: name number `i` stands in `text` from
 * `starts[i]` to before `starts[i + 1]`, NUL included, and belongs to `owners[i]`.
 */
export function orderByName(
  count: number,
  text: string,
  starts: Uint32Array,
  owners: Uint32Array,
): Ordering {
  const names: string[] = Array.from({ length: count }, () => '');
  owners.forEach((owner, i) => {
    names[owner] = text.slice(starts[i], (starts[i + 1] ?? 1) - 1);
  });
  const named = owners.slice().sort((a, b) => compare(names[a] ?? '', names[b] ?? '') || a - b);
  return withRest(named, count);
}

/** The order of all own types by size in bytes, `NaN` = none. */
export function orderBySize(sizes: Float64Array): Ordering {
  const sized = Uint32Array.from(sizes.keys()).filter((i) => !Number.isNaN(sizes[i]));
  sized.sort((a, b) => compare(sizes[a] ?? 0, sizes[b] ?? 0) || a - b);
  return withRest(sized, sizes.length);
}

function withRest(known: Uint32Array, count: number): Ordering {
  const order = new Uint32Array(count);
  const isKnown = new Uint8Array(count);
  order.set(known);
  for (const i of known) isKnown[i] = 1;
  let n = known.length;
  for (let i = 0; i < count; i++) if (isKnown[i] === 0) order[n++] = i;
  return { order, known: known.length };
}

/** Code unit order: the same on every machine, unlike a locale's. */
function compare<T extends string | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
