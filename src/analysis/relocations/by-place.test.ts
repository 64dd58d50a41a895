import { expect, it } from 'vitest';
import { relocationTypeName } from '#formats/ecoff/relocations.ts';
import { sectionIndex } from '#model/ids.ts';
import { sampleModel } from '#testing/samples.ts';
import { relocationsInRange } from './by-place.ts';

it('puts no entry at a place that is a number to compute with', async () => {
  const model = await sampleModel('alpha_expression.ecoff');
  const names = Array.from({ length: model.sections.count }, (_, section) =>
    relocationsInRange(model, sectionIndex(section), 0, 0x1000).map((reloc) =>
      relocationTypeName(model.relocations.type[reloc] ?? 0),
    ),
  ).flat();
  expect(names).toContain('OP_STORE');
  expect(names).not.toContain('OP_PUSH');
  expect(names).not.toContain('OP_PSUB');
});
