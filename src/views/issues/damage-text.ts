/** The damage of a file in a few words. */
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCutShort, sectionCount, sectionName } from '#model/sections.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf } from '#views/parts/number-text.ts';

/** Returns `2 damaged sections`, or the number of errors if no section is damaged; no full stop. */
export function damageText({ issues, sections }: ObjectModel): string | null {
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return null;
  const regions = new Set(errors.map(({ region }) => region));
  let damaged = 0;
  for (let i = 1; i < sections.count; i++) {
    const index = sectionIndex(i);
    const label = sectionName(sections, index) || `section ${i}`;
    // One issue reports all sections that end after the file, but names only the first.
    if (regions.has(label) || isCutShort(sections, index)) damaged++;
  }
  const count = sectionCount(sections);
  return damaged === 0
    ? `${countOf(errors.length, 'error')}: parts of this file cannot be read`
    : `${grouped(damaged)} of ${countOf(count, 'section')} ${damaged === 1 ? 'is' : 'are'} damaged`;
}
