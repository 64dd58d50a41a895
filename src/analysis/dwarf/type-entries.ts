/** Relates types read from DWARF, and their members, to the bytes of their entries. */
import { lowerBound } from '#bytes/arrays.ts';
import { memoized } from '#bytes/cache.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { SHF } from '#formats/elf/constants.ts';
import { type SectionIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { type Selection, typeSelection } from '#model/selection.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf } from '#model/type-table.ts';

/**
 * Returns the file bytes of the entry of a type, or of its member `index`; null without one, or if
 * it is compressed.
 */
export function entrySpan(
  { dwarf, sections, types }: ObjectModel,
  type: TypeId,
  index: number | null = null,
): Span | null {
  if (dwarf?.dieOffset == null || dwarf.places === null || types === null) return null;
  const { dieSize, source } = dwarf.places;
  const row = type - types.firstId;
  const item = (source.firstItem[row] ?? 0) + (index ?? 0);
  if (index !== null && item >= (source.firstItem[row + 1] ?? 0)) return null;
  const offset = (index === null ? dwarf.dieOffset[row] : source.itemEntry[item]) ?? -1;
  const size = (index === null ? dieSize[row] : source.itemSize[item]) ?? 0;
  const { section } = dwarf;
  if (section === null) return null;
  const isPacked = ((sections.flags[section] ?? 0n) & SHF.compressed) !== 0n;
  // Entries after those of the section are in `.debug_types`, or in a later section of its name.
  const isInside = offset >= 0 && offset + size <= (sections.byteLength[section] ?? 0);
  if (isPacked || !isInside || size === 0) return null;
  return spanOf((sections.fileOffset[section] ?? 0) + offset, size);
}

/** Types by the offset of their entry. A function comes before its prototype. */
const typesByEntry = memoized(({ dwarf, types }: ObjectModel): ReadonlyMap<number, TypeId> => {
  const found = new Map<number, TypeId>();
  if (dwarf?.dieOffset == null || types === null) return found;
  for (const [row, offset] of dwarf.dieOffset.entries()) {
    if (offset < 0) continue;
    const type = typeId(types.firstId + row);
    const known = found.get(offset);
    if (known === undefined || kindOf(types, known) === BtfKind.FUNC_PROTO) {
      found.set(offset, type);
    }
  }
  return found;
});

/** Items of structs and unions in the order of their entries, which `entries` has. */
const membersByEntry = memoized(({ dwarf }: ObjectModel) => {
  const { itemEntry = new Float64Array() } = dwarf?.places?.source ?? {};
  const items = new Uint32Array(itemEntry.length);
  for (let item = 0; item < items.length; item++) items[item] = item;
  items.sort((a, b) => (itemEntry[a] ?? 0) - (itemEntry[b] ?? 0));
  return { items, entries: Float64Array.from(items, (item) => itemEntry[item] ?? -1) };
});

/** Returns the type or member that was read from the entry at `offset`; null if there is none. */
export function entrySelection(
  model: ObjectModel,
  section: SectionIndex,
  offset: number,
): Selection | null {
  const { dwarf, types } = model;
  const type = typeOfEntry(model, section, offset);
  if (type !== null) return typeSelection(type);
  if (dwarf?.section !== section || dwarf.places === null || types === null) return null;
  const { items, entries } = membersByEntry(model);
  const at = lowerBound(entries, offset);
  if (entries[at] !== offset) return null;
  const { firstItem } = dwarf.places.source;
  const item = items[at] ?? 0;
  // The last type that begins at or before the item; types without items begin there, too.
  const row = lowerBound(firstItem, item + 1) - 1;
  const owner = typeId(types.firstId + row);
  if (!isComposite(kindOf(types, owner))) return null;
  return typeSelection(owner, [item - (firstItem[row] ?? 0)]);
}

/** Returns the type that was read from the entry at `offset` of a section; null if there is none. */
export function typeOfEntry(
  model: ObjectModel,
  section: SectionIndex,
  offset: number,
): TypeId | null {
  if (model.dwarf?.section !== section) return null;
  return typesByEntry(model).get(offset) ?? null;
}
