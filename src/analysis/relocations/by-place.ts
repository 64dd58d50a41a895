/** Relocation entries by the place that they patch. */
import { formatModule } from '#analysis/formats/registry.ts';
import { type PlaceIndex, placeIndexSteps, rowsBetween } from '#analysis/objects/place-index.ts';
import type { FurtherPlace } from '#analysis/objects/relocation-facts.ts';
import { sectionBase } from '#analysis/objects/symbol-places.ts';
import { Derived, type Run, type Steps } from '#bytes/steps.ts';
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

/** The work that the questions below wait for: it goes over all entries. */
export function relocationIndexRun(model: ObjectModel): Run<unknown> {
  return indices.runOf(model);
}

/** Is the offset of the entry a number to compute with, and no place? */
function isOperand(model: ObjectModel, row: number): boolean {
  return formatModule(model)?.relocations.isOperand(model.relocations.type[row] ?? 0) ?? false;
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
  return Array.from(rowsBetween(indices.of(model), section, start, end), relocIndex);
}

/** Entries that patch a second place, by that place. */
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

/** As `relocationsInRange`, and behind them those that patch a second place there, as one half of a pair does. */
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

/** Entries that touch nothing may mark the place of one that does. */
function isFiller(model: ObjectModel, reloc: RelocIndex): boolean {
  return formatModule(model)?.relocations.isFiller(model.relocations.type[reloc] ?? 0) ?? false;
}

/** The first entry on the instruction at `insnOff` of `section`, or on a word as wide; null where there is none. */
export function relocationAtInsn(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
): RelocIndex | null {
  const all = relocationsTouching(model, section, insnOff, insnOff + insnSlot(model));
  return all.find((reloc) => !isFiller(model, reloc)) ?? all[0] ?? null;
}
