/** What the colours of the hex view stand for in a region, and how many of each there are. */
import { coreRecordsBetween } from '#analysis/core/core-records.ts';
import type { SectionRole } from '#analysis/objects/section-role.ts';
import { otherWord } from '#analysis/relocations/list.ts';
import { entriesByRole, relocationRuns, runRole } from '#analysis/relocations/sections.ts';
import type { SectionIndex } from '#model/ids.ts';
import { formatName, type ObjectModel } from '#model/object-model.ts';
import type { RelocTone } from '#ui/tone.ts';
import { relocTone } from '#views/parts/relocation-look.ts';
import { isPacked } from './byte-marks.ts';
import type { Region } from './regions.ts';

export type LegendEntry = {
  readonly tone: RelocTone | 'muted';
  readonly word: string;
  readonly count: number;
};

function wordsOf(model: ObjectModel): readonly (readonly [LegendEntry['tone'], string])[] {
  const format = formatName(model);
  return [
    ['muted', 'BTF types'],
    ['reloc-2', `${format}, program code`],
    ['reloc-1', `${format}, data`],
    ['reloc-4', `${format}, ${otherWord(model)}`],
    ['reloc-3', 'CO-RE'],
  ];
}

/** The tones that occur in `region`, in the order of the legend. */
export function legendOf(model: ObjectModel, region: Region): LegendEntry[] {
  const { section } = region;
  if (section !== null && isPacked(model, section)) return [];
  const counts = new Map<LegendEntry['tone'], number>();
  for (const [role, count] of section === null
    ? entriesByRole.of(model)
    : rolesOn(model, section)) {
    const tone = relocTone(role);
    counts.set(tone, (counts.get(tone) ?? 0) + count);
  }
  counts.set(
    'reloc-3',
    section === null
      ? model.ext.core.count
      : coreRecordsBetween(model, section, 0, Number.POSITIVE_INFINITY).length,
  );
  if (holdsTypes(model, region)) counts.set('muted', model.types?.count ?? 0);
  return wordsOf(model)
    .map(([tone, word]) => ({ tone, word, count: counts.get(tone) ?? 0 }))
    .filter(({ count }) => count > 0);
}

function* rolesOn(model: ObjectModel, section: SectionIndex): Generator<[SectionRole, number]> {
  for (const run of relocationRuns(model)) {
    if (model.relocations.targetSection[run.first] !== section) continue;
    yield [runRole(model, run), run.count];
  }
}

function holdsTypes({ types }: ObjectModel, { start, length }: Region): boolean {
  const first = types?.fileOffset ?? null;
  return first !== null && first >= start && first < start + length;
}
