/** What a compared type is called: by its name, an anonymous enum by its first enumerator. */
import type { TypeId } from '#model/ids.ts';
import { enumeratorsOf } from '#model/type-items.ts';
import { nameOf, type TypeTable } from '#model/type-table.ts';

/** The name, or `(anon) FIRST` for an enum without one. Raw text. */
export function typeLabel(t: TypeTable, id: TypeId): string {
  const name = nameOf(t, id);
  if (name !== '') return name;
  const [first] = enumeratorsOf(t, id);
  return first === undefined ? '(anon)' : `(anon) ${first.name}`;
}
