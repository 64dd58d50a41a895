/** Values that are made once for a key and then kept. */

type Keeper<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
};

/** The value that `kept` has of `key`, made where there is none yet. */
export function keptIn<Key, Value>(kept: Keeper<Key, Value>, key: Key, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}

/** Puts `value` at the end of the list that `lists` has of `key`. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  keptIn(lists, key, () => []).push(value);
}

/** What `make` gives for an object: made once, and forgotten with the object. */
export function oncePer<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const made = new WeakMap<Of, Value>();
  return (of) => keptIn(made, of, () => make(of));
}
