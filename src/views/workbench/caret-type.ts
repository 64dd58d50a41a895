/** What a caret in the declarations selects, and the lines that declare what is selected. */
import { findTypeKey, typeKeyOf } from '#analysis/types/type-key.ts';
import type { DeclaredPlace } from '#analysis/workbench/declared-places.ts';
import type { TypeId } from '#model/ids.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { membersOf } from '#model/type-items.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type Range, wordAt } from './editor-lines.ts';

/** The type that is declared around `caret`, with the member whose name it is at; null outside of declarations. */
export function selectionAtCaret(
  types: TypeTable,
  places: readonly DeclaredPlace[],
  text: string,
  caret: number,
): Selection | null {
  const place = places.find(({ start, end }) => start <= caret && caret <= end);
  if (place === undefined) return null;
  const type = findTypeKey(types, { kind: place.kind, name: place.name, ordinal: 0 });
  if (type === null) return null;
  const word = wordAt(text, caret);
  const member = membersOf(types, type).find(({ name }) => name !== '' && name === word);
  return typeSelection(type, member === undefined ? [] : [member.index]);
}

/** Where the text declares `type`: of several places the longest, which has its members. */
export function placeOfType(
  types: TypeTable,
  places: readonly DeclaredPlace[],
  type: TypeId,
): Range | null {
  const key = typeKeyOf(types, type);
  if (key.name === '' || key.ordinal > 0) return null;
  return places
    .filter(({ kind, name }) => kind === key.kind && name === key.name)
    .reduce<Range | null>(
      (best, place) =>
        best === null || place.end - place.start > best.end - best.start ? place : best,
      null,
    );
}
