/** Shortens values to a length as JSON, for programs with little memory. */

/** A part that was left out: its path, and the number of items or characters. */
export type LeftOut = { readonly at: string; readonly left_out: number; readonly of: number };

export type Shortened = { readonly value: unknown; readonly leftOut: readonly LeftOut[] };

const MAX_ITEMS = 200;
const LEAST_ITEMS = 1;
/** Limit for fields; no row of the commands has more, only lists by name. */
const FIELDS = 40;
const MAX_CHARACTERS = 8000;
const LEAST_CHARACTERS = 100;
/** Limit for depth; no answer of the commands is deeper. */
const MAX_DEPTH = 32;
const MAX_PLACES = 50;

/**
 * Shortens the lists and texts of `value` at their ends, so that its JSON has at most `most`
 * characters: all lists are cut at the same length. A value with very many fields may stay longer;
 * then it is null.
 */
export function shortened(value: unknown, most: number): Shortened {
  let items = MAX_ITEMS;
  let characters = MAX_CHARACTERS;
  for (;;) {
    const leftOut: LeftOut[] = [];
    const cut = cutValue(value, { items, characters, leftOut }, '', 0);
    if (JSON.stringify(cut).length <= most) {
      return { value: cut, leftOut: leftOut.slice(0, MAX_PLACES) };
    }
    if (items === LEAST_ITEMS && characters === LEAST_CHARACTERS) {
      return { value: null, leftOut: [{ at: '', left_out: 1, of: 1 }] };
    }
    items = Math.max(LEAST_ITEMS, Math.floor(items / 2));
    characters = Math.max(LEAST_CHARACTERS, Math.floor(characters / 2));
  }
}

type Limits = { readonly items: number; readonly characters: number; readonly leftOut: LeftOut[] };

function cutValue(value: unknown, limits: Limits, at: string, depth: number): unknown {
  const { items, characters, leftOut } = limits;
  if (typeof value === 'string' && value.length > characters) {
    leftOut.push({ at, left_out: value.length - characters, of: value.length });
    return `${value.slice(0, characters)}…`;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    if (value.length > items) {
      leftOut.push({ at, left_out: value.length - items, of: value.length });
    }
    return value.slice(0, items).map((item, i) => cutValue(item, limits, `${at}[${i}]`, depth + 1));
  }
  const fields = Object.entries(value);
  const kept = Math.max(items, FIELDS);
  if (fields.length > kept) leftOut.push({ at, left_out: fields.length - kept, of: fields.length });
  return Object.fromEntries(
    fields
      .slice(0, kept)
      .map(([key, item]) => [
        key,
        cutValue(item, limits, at === '' ? key : `${at}.${key}`, depth + 1),
      ]),
  );
}
