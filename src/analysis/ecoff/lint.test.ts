import { describe, expect, it } from 'vitest';
import { lintModel } from '#analysis/lint/lint.ts';
import { bufferSource } from '#bytes/source.ts';
import { ecoffObject, STYP } from '#testing/ecoff-object.ts';
import { openModel } from '#testing/open-model.ts';

const LITUSE = 5;

async function findings(count: number) {
  const bytes = ecoffObject({
    sections: [
      {
        name: '.text',
        flags: STYP.text,
        vaddr: 0,
        data: new Uint8Array(16),
        relocs: Array.from({ length: count }, () => ({ vaddr: 0, symndx: 1, type: LITUSE })),
      },
    ],
  });
  const model = await openModel('a.ecoff', bytes);
  return { model, found: await lintModel(model, bufferSource('a.ecoff', bytes)) };
}

describe('entries that make no sense', () => {
  it('are told at their bytes', async () => {
    const { model, found } = await findings(1);
    const start = model.relocations.entryOffset[0] ?? 0;
    expect(found).toMatchObject([
      { code: 'ecoff.orphan-lituse', severity: 'error', span: { start, end: start + 16 } },
    ]);
  });

  it('are not told without end', async () => {
    const { found } = await findings(1000);
    expect(found).toHaveLength(201);
    expect(found.at(-1)?.message).toContain('and 800 more');
  });
});
