/** Relates types read from DWARF to the bytes of their entries. */
import { memoized } from '#bytes/cache.ts';
import { type Span, spanOf } from '#bytes/span.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { SHF } from '#formats/elf/constants.ts';
import { type SectionIndex, type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { kindOf } from '#model/type-table.ts';

/** Returns the file bytes of the entry of a type; null without one, or if it is compressed. */
export function entrySpan({ dwarf, sections, types }: ObjectModel, type: TypeId): Span | null {
  if (dwarf?.dieOffset == null || dwarf.places === null || types === null) return null;
  const row = type - types.firstId;
  const offset = dwarf.dieOffset[row] ?? -1;
  const size = dwarf.places.dieSize[row] ?? 0;
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

/** Returns the type that was read from the entry at `offset` of a section; null if there is none. */
export function typeOfEntry(
  model: ObjectModel,
  section: SectionIndex,
  offset: number,
): TypeId | null {
  if (model.dwarf?.section !== section) return null;
  return typesByEntry(model).get(offset) ?? null;
}
