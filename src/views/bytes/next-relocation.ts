/** Stepping from one relocation to the next through the bytes of a region. */
import { relocationOffset, relocationsInRange } from '#analysis/relocations/by-place.ts';
import type { RelocIndex, SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Region } from './regions.ts';
import { sectionsInRange } from './section-places.ts';

export type Step = 'next' | 'previous';

/**
 * The entry with the nearest `r_offset` behind (or before) the byte at
 * `fileOffset`; null when there is none in the region.
 */
export function stepRelocation(
  model: ObjectModel,
  region: Region,
  fileOffset: number,
  step: Step,
): RelocIndex | null {
  const sections =
    region.section === null
      ? sectionsInRange(model.sections, region.start, region.start + region.length)
      : [region.section];
  for (const section of step === 'next' ? sections : sections.toReversed()) {
    const found = nearest(model, section, fileOffset, step);
    if (found !== null) return found;
  }
  return null;
}

function nearest(
  model: ObjectModel,
  section: SectionIndex,
  fileOffset: number,
  step: Step,
): RelocIndex | null {
  const { sections } = model;
  const from = fileOffset - (sections.fileOffset[section] ?? 0);
  const length = sections.byteLength[section] ?? 0;
  if (step === 'previous')
    return relocationsInRange(model, section, 0, Math.min(from, length)).at(-1) ?? null;
  const [found] = relocationsInRange(model, section, Math.max(0, from + 1), length);
  return found ?? null;
}

/** The file offset that steps count from when this entry is where one is. */
export function stepOrigin(model: ObjectModel, reloc: RelocIndex): number {
  const target = model.relocations.targetSection[reloc] ?? -1;
  return (model.sections.fileOffset[target] ?? 0) + relocationOffset(model, reloc);
}
