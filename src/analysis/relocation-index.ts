/** ELF relocation entries by the place that they patch. */
import { type RelocIndex, relocIndex, type SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { buildPlaceIndex, type PlaceIndex, rowsBetween } from './place-index.ts';
import { sectionBase } from './symbol-places.ts';

const indices = new WeakMap<ObjectModel, PlaceIndex>();

function relocationIndex(model: ObjectModel): PlaceIndex {
  let index = indices.get(model);
  if (index === undefined) {
    const { relocations } = model;
    index = buildPlaceIndex(
      relocations.count,
      model.sections.count,
      (row) => relocations.targetSection[row] ?? -1,
      (row) => relocationOffset(model, relocIndex(row)),
    );
    indices.set(model, index);
  }
  return index;
}

/** `r_offset` in bytes from the start of the section that is patched, also in linked files. */
export function relocationOffset(model: ObjectModel, index: RelocIndex): number {
  const { offset, targetSection } = model.relocations;
  return Number((offset[index] ?? 0n) - sectionBase(model, targetSection[index] ?? -1));
}

/**
 * Entries on `section` whose `r_offset` is at least `start` and below `end` (bytes
 * of the section), by their place. The bytes that an entry changes may begin four
 * after its `r_offset`. Indexed once for a model.
 */
export function relocationsInRange(
  model: ObjectModel,
  section: SectionIndex,
  start: number,
  end: number,
): RelocIndex[] {
  return Array.from(rowsBetween(relocationIndex(model), section, start, end), relocIndex);
}

/** The first entry on the eight bytes at `insnOff` of `section`; null where there is none. */
export function relocationAtInsn(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): RelocIndex | null {
  const [row] = rowsBetween(relocationIndex(model), section, insnOff, insnOff + 8);
  return row === undefined ? null : relocIndex(row);
}
