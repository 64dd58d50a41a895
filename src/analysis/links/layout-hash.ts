/** A short hash of a type's layout (size, members, values). It lets a link detect changes. */
import { sizeOf } from '#analysis/types/sizes.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { fnv1a } from '#bytes/fnv1a.ts';
import type { TypeId } from '#model/ids.ts';
import { nameBytes } from '#model/names.ts';
import { enumeratorsOf, membersOf, paramsOf, varSecinfosOf } from '#model/type-items.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';

/** Returns the hash of a type's layout as seven letters or digits. Never throws. */
export function layoutHash(t: TypeTable, id: TypeId): string {
  const type = skipModifiers(t, id);
  let hash = fnv1a(wordsOf(kindOf(t, type), sizeOf(t, type) ?? -1n));
  const add = (nameOff: number, ...numbers: readonly (number | bigint)[]) => {
    hash = fnv1a(wordsOf(...numbers), fnv1a(nameBytes(t, nameOff), fnv1a([0], hash)));
  };
  for (const { nameOff, bitOffset, bitfieldSize, type: of } of membersOf(t, type)) {
    add(nameOff, bitOffset, bitfieldSize, bitfieldSize > 0 ? 0 : (sizeOf(t, of) ?? -1n));
  }
  for (const { nameOff, value } of enumeratorsOf(t, type)) add(nameOff, value);
  for (const { nameOff, type: of } of paramsOf(t, type)) add(nameOff, sizeOf(t, of) ?? -1n);
  for (const { offset, size } of varSecinfosOf(t, type)) add(0, offset, size);
  return hash.toString(36).padStart(7, '0');
}

/** Yields the characters of numbers as text, with separators. */
function* wordsOf(...numbers: readonly (number | bigint)[]): Generator<number, void, void> {
  for (const number of numbers) {
    for (const digit of `${number},`) yield digit.charCodeAt(0);
  }
}

/** Returns a notice if the hash of a type's layout differs from the link's; else null. */
export function layoutNews(t: TypeTable, type: TypeId, hash: string): string | null {
  if (layoutHash(t, type) === hash) return null;
  return `Same name, different layout: ${typeTitle(t, type)} differs from the type the link was made with`;
}
