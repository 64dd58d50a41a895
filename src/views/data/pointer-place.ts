/** Going from a pointer to what it points at. */
import type { PointerTarget } from '#analysis/values/decode.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Place, placeOfTarget } from '#views/parts/relocation-target.ts';
import { type DataGroup, selectionOfEntry } from './data-entries.ts';
import { entryAtPlace, fileSpan, isExtern } from './found-data.ts';

/** Variables, maps and strings are looked at here, functions under Code. Null for what is nowhere in the file. */
export function placeOfPointer(
  model: ObjectModel,
  groups: readonly DataGroup[],
  target: Pick<PointerTarget, 'name' | 'what' | 'section' | 'offset' | 'delta' | 'text'>,
): Place | null {
  const { section } = target;
  if (section === null) {
    const extern = groups
      .flatMap(({ entries }) => entries)
      .find((entry) => entry.name === target.name && isExtern(entry));
    const selection = extern === undefined ? null : selectionOfEntry(extern);
    return selection === null ? null : { selection, view: 'data' };
  }
  if (!groups.some((group) => group.section === section)) return placeOfTarget(model, target);
  const offset = Number(target.offset);
  const entry = entryAtPlace(groups, section, offset);
  const whole = entry === null || target.delta !== 0n ? null : selectionOfEntry(entry);
  if (whole !== null) return { selection: whole, view: 'data' };
  // Into the middle: the byte tells which element or member it is.
  const length = target.text === null ? 1 : target.text.length + 1;
  const span = fileSpan(model, section, offset, length);
  if (span !== null) return { selection: { kind: 'bytes', ...span }, view: 'data' };
  const around = entry === null ? null : selectionOfEntry(entry);
  return { selection: around ?? { kind: 'section', section }, view: 'data' };
}
