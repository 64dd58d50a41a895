/** Computes all texts of the overview for every object of the corpus. */
import { describe, expect, it } from 'vitest';
import { ProgramRows } from '#analysis/libbpf/programs.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { finish } from '#bytes/long-work.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { corpusEdges, corpusObjects, isLargeCorpus, readCorpusFile } from '#testing/corpus.ts';
import { openModel } from '#testing/open-model.ts';
import { drawnFile } from './FileMap.tsx';
import { filePartSteps } from './file-parts.ts';
import { formatSentence, splitSentence } from './Identity.tsx';
import { tilesOf } from './OverviewView.tsx';
import { mapRows } from './ProgramsCard.tsx';
import { sectionRow } from './SectionsCard.tsx';

function deriveAll(model: ObjectModel) {
  for (let i = 0; i < Math.min(model.sections.count, 500); i++) sectionRow(model, sectionIndex(i));
  relocationCounts(model);
  splitSentence(model);
  mapRows(model, () => null);
  const functions = functionsOf(model);
  const programs = new ProgramRows(model);
  for (let row = 0; row < programs.length; row++) programs.at(row);
  return {
    sentence: formatSentence(model),
    tiles: tilesOf(model, functions),
    programs,
    drawn: drawnFile.of(model),
  };
}

describe('the corpus', () => {
  it.skipIf(!isLargeCorpus)(
    'covers every byte of a whole object once',
    async () => {
      const objects = corpusObjects().filter((_, index) => index % 7 === 0);
      expect(objects.length).toBeGreaterThan(20);
      for (const object of objects) {
        const model = await openModel(object.name, readCorpusFile(object));
        const { sentence, drawn, programs } = deriveAll(model);
        expect(sentence, object.id).toMatch(/^ELF64 .* for (BPF|no machine), (little|big)-endian$/);
        expect(drawn.length, object.id).toBeLessThanOrEqual(81);
        expect(programs.length, object.id).toBeGreaterThan(0);
        let end = 0;
        const parts = finish(filePartSteps(model));
        for (let row = 0; row < parts.length; row++) {
          const part = parts.at(row);
          expect(part?.start, object.id).toBeLessThanOrEqual(end);
          end = Math.max(end, part?.end ?? 0);
        }
        expect(end, object.id).toBe(model.size);
      }
    },
    60_000,
  );

  it('has an issue for every damaged file that opens', async () => {
    let opened = 0;
    for (const row of corpusEdges()) {
      if (row.accept === 'refuse' || row.kind === 'archive' || row.kind === 'compressed') continue;
      const bytes = readCorpusFile(row);
      if (bytes.length > 200_000) continue;
      const { sentence } = deriveAll(await openModel(row.name, bytes));
      expect(sentence, row.id).not.toBe('');
      opened++;
    }
    expect(opened).toBeGreaterThan(50);
  }, 60_000);
});
