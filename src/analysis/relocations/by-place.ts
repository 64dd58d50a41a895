/** Relocation entries by the place that they patch. */
import { type FurtherPlace, partnerPlaces } from '#analysis/ecoff/rows.ts';
import {
  buildPlaceIndex,
  type PlaceIndex,
  placeIndexSteps,
  rowsBetween,
} from '#analysis/objects/place-index.ts';
import { sectionBase } from '#analysis/objects/symbol-places.ts';
import { Derived, type Run } from '#bytes/steps.ts';
import { R } from '#formats/ecoff/relocation-types.ts';
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

function relocationIndex(model: ObjectModel): PlaceIndex {
  return indices.of(model);
}

/** The work that the questions below wait for: it goes over all entries. */
export function relocationIndexRun(model: ObjectModel): Run<unknown> {
  return indices.runOf(model);
}

/** Entries of an expression whose `r_vaddr` is a number to compute with, and no place. */
const OPERANDS: readonly number[] = [R.opPush, R.opPsub, R.opPrshift];

function isOperand({ ecoff, relocations }: ObjectModel, row: number): boolean {
  return ecoff !== null && OPERANDS.includes(relocations.type[row] ?? R.abs);
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

/** Entries that patch a second place, by that place. */
type FurtherIndex = { readonly places: readonly FurtherPlace[]; readonly index: PlaceIndex };

const furtherIndices = new WeakMap<ObjectModel, FurtherIndex>();

function furtherIndex(model: ObjectModel): FurtherIndex {
  let further = furtherIndices.get(model);
  if (further === undefined) {
    const places = model.ecoff === null ? [] : partnerPlaces(model, model.ecoff);
    const index = buildPlaceIndex(
      places.length,
      model.sections.count,
      (i) => model.relocations.targetSection[places[i]?.reloc ?? -1] ?? -1,
      (i) => places[i]?.byteOffset ?? 0,
    );
    further = { places, index };
    furtherIndices.set(model, further);
  }
  return further;
}

/** As `relocationsInRange`, and behind them those that patch a second place there, as one half of a pair does. */
export function relocationsTouching(
  model: ObjectModel,
  section: SectionIndex,
  start: number,
  end: number,
): RelocIndex[] {
  const first = relocationsInRange(model, section, start, end);
  const { places, index } = furtherIndex(model);
  if (places.length === 0) return first;
  const all = new Set(first);
  for (const i of rowsBetween(index, section, start, end)) {
    const place = places[i];
    if (place !== undefined) all.add(place.reloc);
  }
  return [...all];
}

/** Entries that touch nothing may mark the place of one that does. */
function isFiller({ ecoff, relocations }: ObjectModel, reloc: RelocIndex): boolean {
  return ecoff !== null && relocations.type[reloc] === R.abs;
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
