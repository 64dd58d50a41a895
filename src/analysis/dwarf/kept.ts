/** Keeps what was decoded last of a file, as the pointer stays in one unit. */
import { memoized } from '#bytes/cache.ts';
import type { ObjectModel } from '#model/object-model.ts';

/** Most values that are kept of a file. */
const MAX_KEPT = 16;

/** Returns a cache by model and file offset. Null, for bytes that are not loaded, is not kept. */
export function kept<V>(): (model: ObjectModel, offset: number, make: () => V | null) => V | null {
  const valuesOf = memoized((_: ObjectModel) => new Map<number, V>());
  return (model, offset, make) => {
    const values = valuesOf(model);
    const known = values.get(offset);
    if (known !== undefined) return known;
    const made = make();
    if (made === null) return null;
    if (values.size >= MAX_KEPT)
      for (const oldest of values.keys()) if (values.delete(oldest)) break;
    values.set(offset, made);
    return made;
  };
}
