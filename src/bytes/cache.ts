type Cache<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
};

/** Returns the value of `key` in `cache`. If there is none, stores the result of `make` first. */
export function getOrCreate<Key, Value>(
  cache: Cache<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const made = make();
  cache.set(key, made);
  return made;
}

/** Appends `value` to the list at `key`. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  getOrCreate(lists, key, () => []).push(value);
}

/** Returns `make` with a cached result per object. A result is freed together with its object. */
export function memoized<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const results = new WeakMap<Of, Value>();
  return (of) => getOrCreate(results, of, () => make(of));
}
