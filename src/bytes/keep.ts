/** Caches: a value is computed once per key. */

type Keeper<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
};

/** Returns the value of `key` in `cache`; calls `make` and stores its result if there is none. */
export function keptIn<Key, Value>(cache: Keeper<Key, Value>, key: Key, make: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

/** Appends `value` to the list at `key`. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  keptIn(lists, key, () => []).push(value);
}

/** Returns `make` with its results cached per object. A result is freed with its object. */
export function oncePer<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const made = new WeakMap<Of, Value>();
  return (of) => keptIn(made, of, () => make(of));
}
