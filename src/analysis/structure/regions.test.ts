/** Checks that each byte belongs to one field if regions overlap, whatever their order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObjectModel } from '#model/object-model.ts';
import { runs } from '#testing/runs.ts';
import { sampleModel } from '#testing/samples.ts';
import { type RegionPiece, regionPieces } from './regions.ts';

const SIZE = 200;

type Given = { readonly start: number; readonly length: number };

/** Returns a model of a 200-byte file with only the given sections. */
async function withSections(given: readonly Given[]): Promise<ObjectModel> {
  const model = await sampleModel('doc_call.bpf.o');
  const column = (pick: (g: Given) => number) => Float64Array.from([0, ...given.map(pick)]);
  const { sections } = model;
  return {
    ...model,
    size: SIZE,
    headers: [],
    sections: {
      ...sections,
      count: given.length + 1,
      headerSize: 0,
      fileOffset: column(({ start }) => start),
      byteLength: column(({ length }) => length),
    },
  };
}

/** Returns `start-end section` for each piece, with section 0 for a piece outside all sections. */
function text(model: ObjectModel): string[] {
  return pieces(model).map(({ start, end, region }) => `${start}-${end} ${region?.what ?? 0}`);
}

function pieces(model: ObjectModel): RegionPiece[] {
  const all = regionPieces(model);
  return Array.from({ length: all.length }, (_, i) => all.at(i)).filter(
    (piece) => piece !== undefined,
  );
}

describe('regionPieces', () => {
  it('gives a byte to the shorter region, and of equals to the first', async () => {
    const model = await withSections([
      { start: 10, length: 100 },
      { start: 20, length: 10 },
      { start: 20, length: 10 },
      { start: 105, length: 20 },
    ]);
    expect(text(model)).toEqual([
      '0-10 0',
      '10-20 1',
      '20-30 2',
      '30-105 1',
      '105-125 4',
      '125-200 0',
    ]);
  });

  it('puts headers before sections', async () => {
    const model = await sampleModel('doc_call.bpf.o');
    const { sections } = model;
    const all = { ...sections, fileOffset: sections.fileOffset.map(() => 8) };
    const [first, second] = pieces({ ...model, sections: all });
    expect([first?.start, first?.end, first?.region?.what]).toEqual([0, 64, -1]);
    expect(second?.region?.what).toBeGreaterThan(0);
  });

  it('agrees with a painter who goes byte by byte', async () => {
    const section = fc.record({ start: fc.nat(SIZE + 20), length: fc.nat(80) });
    await fc.assert(
      fc.asyncProperty(fc.array(section, { maxLength: 12 }), async (given) => {
        const model = await withSections(given);
        const expected = Array.from({ length: SIZE }, (_, at) => ownerOf(given, at));
        const found: number[] = [];
        for (const { start, end, region } of pieces(model)) {
          expect(start).toBe(found.length);
          found.push(...Array.from({ length: end - start }, () => region?.what ?? 0));
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: runs(60) },
    );
  });
});

function ownerOf(given: readonly Given[], at: number): number {
  const clipped = given.map(({ start, length }, i) => ({
    section: i + 1,
    start: Math.min(start, SIZE),
    end: Math.min(start + length, SIZE),
  }));
  const [best] = clipped
    .filter(({ start, end }) => at >= start && at < end)
    .sort((a, b) => a.end - a.start - (b.end - b.start) || a.section - b.section);
  return best?.section ?? 0;
}
