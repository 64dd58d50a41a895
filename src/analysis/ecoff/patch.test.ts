import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exampleLayout, layoutOf } from '#analysis/relocations/layout.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import { ecoffFile, rawDataOf } from '#formats/ecoff/ecoff-file.ts';
import { sectionIndex } from '#model/ids.ts';
import { relocate } from '#testing/all-at-once.ts';
import { runs } from '#testing/runs.ts';
import { ecoffSampleNames, sampleModel } from '#testing/samples.ts';
import { patchedData } from './patch.ts';

it.each(ecoffSampleNames())('any part of a section is that part of the whole: %s', async (name) => {
  const model = await sampleModel(name);
  const file = ecoffFile(model);
  const layout = layoutOf(model, exampleLayout(model));
  if (file === null || layout === null) throw new Error('no eCOFF');
  for (const section of file.sections) {
    const raw = rawDataOf(file, section);
    const table = file.relocations.find((each) => each.section === section.index);
    const outcomes = table === undefined ? [] : relocate(file, table, layout);
    const whole = patchedData(file, section, outcomes, 'meant');
    const at = fc.nat(raw.length);
    fc.assert(
      fc.property(at, at, (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const part = relocatedBytes(
          model,
          sectionIndex(section.index + 1),
          start,
          raw.subarray(start, end),
          layout,
        );
        expect(part).toEqual(whole.subarray(start, end));
      }),
      { numRuns: runs(40) },
    );
  }
});
