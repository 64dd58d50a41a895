/** Finds relocation entries by patched section and offset. */
import { formatModule } from '#analysis/formats/registry.ts';
import { type PlaceIndex, placeIndexSteps, rowsBetween } from '#analysis/objects/place-index.ts';
import type { FurtherPlace } from '#analysis/objects/relocation-facts.ts';
import { sectionBase } from '#analysis/objects/symbol-places.ts';
import { Derived, type Run, type Steps } from '#bytes/long-work.ts';
import { type RelocIndex, relocIndex, type SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';

const indices = new Derived((model: ObjectModel) => {
  const { relocations } = model;
  return placeIndexSteps(
    relocations.count,
    model.sections.count,
    (row) => (isOperand(model, row) ? -1 : (relocations.targetSection[row] ?? -1)),
    (row) => relocationOffset(model, relocIndex(row)),
  );
});

/** Returns the resumable computation of the index of relocation entries. It visits all entries. */
export function relocationIndexRun(model: ObjectModel): Run<unknown> {
  return indices.runOf(model);
}

/** Returns true if the entry uses its offset as an operand, not as an address. */
function isOperand(model: ObjectModel, row: number): boolean {
  return formatModule(model)?.relocations.isOperand(model.relocations.type[row] ?? 0) ?? false;
}

/** Returns the entry's byte offset from the start of the patched section, also in linked files. */
export function relocationOffset(model: ObjectModel, index: RelocIndex): number {
  const { offset, targetSection } = model.relocations;
  return Number((offset[index] ?? 0n) - sectionBase(model, targetSection[index] ?? -1));
}

/**
 * Returns the entries of `section` whose `r_offset` is from `start` to `end` (exclusive), by
 * offset. The bytes that an entry changes may begin four bytes after `r_offset`. The index is built
 * once per model.
 */
export function relocationsInRange(
  model: ObjectModel,
  section: SectionIndex,
  start: number,
  end: number,
): RelocIndex[] {
  return Array.from(rowsBetween(indices.of(model), section, start, end), relocIndex);
}

/** Entries with a second patched site, indexed by the offset of that site. */
type FurtherIndex = { readonly places: readonly FurtherPlace[]; readonly index: PlaceIndex };

const furtherIndices = new Derived(function* (model: ObjectModel): Steps<FurtherIndex> {
  const places = formatModule(model)?.relocations.furtherPlaces(model) ?? [];
  const index = yield* placeIndexSteps(
    places.length,
    model.sections.count,
    (i) => model.relocations.targetSection[places[i]?.reloc ?? -1] ?? -1,
    (i) => places[i]?.byteOffset ?? 0,
  );
  return { places, index };
});

/** Returns the entries of `relocationsInRange`, then entries whose second site is in the range. */
export function relocationsTouching(
  model: ObjectModel,
  section: SectionIndex,
  start: number,
  end: number,
): RelocIndex[] {
  const first = relocationsInRange(model, section, start, end);
  const { places, index } = furtherIndices.of(model);
  if (places.length === 0) return first;
  const all = new Set(first);
  for (const i of rowsBetween(index, section, start, end)) {
    const place = places[i];
    if (place !== undefined) all.add(place.reloc);
  }
  return [...all];
}

/** Returns true for an entry that only marks the second site of another entry. */
function isFiller(model: ObjectModel, reloc: RelocIndex): boolean {
  return formatModule(model)?.relocations.isFiller(model.relocations.type[reloc] ?? 0) ?? false;
}

/** Returns the first entry that patches the instruction or data word at `insnOff`, or null. */
export function relocationAtInsn(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): RelocIndex | null {
  const all = relocationsTouching(model, section, insnOff, insnOff + insnSlot(model));
  return all.find((reloc) => !isFiller(model, reloc)) ?? all[0] ?? null;
}
