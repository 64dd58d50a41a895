/** Tests that no eCOFF function throws on damaged objects. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeListing } from '#analysis/code/code-listing.ts';
import { sectionTypeText, symbolText } from '#analysis/formats/section-text.ts';
import { relocationAtInsn } from '#analysis/relocations/by-place.ts';
import { exampleLayout, layoutFields, layoutOf } from '#analysis/relocations/layout.ts';
import { listCells } from '#analysis/relocations/list.ts';
import { relocationDetail, relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocatedBytes } from '#analysis/relocations/relocated-bytes.ts';
import { selectionSpan } from '#analysis/selection/selection.ts';
import { fieldsAt, fileField } from '#analysis/structure/structure.ts';
import { Malformed } from '#bytes/issue.ts';
import { relocIndex, sectionIndex, symbolIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { relocationSections } from '#testing/all-at-once.ts';
import { openModel } from '#testing/open-model.ts';
import { runs } from '#testing/runs.ts';
import { ecoffSampleNames, sampleBytes } from '#testing/samples.ts';

function askAll(model: ObjectModel, file: Uint8Array): void {
  const read = (start: number, end: number) => file.subarray(start, end);
  const layout = layoutOf(model, exampleLayout(model));
  layoutFields(model);
  relocationSections(model);
  for (let i = 0; i < model.relocations.count; i++) {
    const reloc = relocIndex(i);
    const { marks } = relocationMeaning(model, reloc);
    for (const { span, bitStart, bitLength } of marks) {
      expect(span.start).toBeGreaterThanOrEqual(0);
      expect(span.end).toBeLessThanOrEqual(model.size);
      expect(bitStart + bitLength).toBeLessThanOrEqual(8 * (span.end - span.start));
    }
    relocationDetail(model, reloc, layout);
    listCells(model, reloc, layout);
    selectionSpan(model, { kind: 'relocation', reloc });
  }
  for (let i = 0; i < model.symbols.count; i++) symbolText(model, symbolIndex(i));
  for (let i = 0; i < model.sections.count; i++) {
    const section = sectionIndex(i);
    sectionTypeText(model, section);
    const start = model.sections.fileOffset[i] ?? 0;
    const bytes = file.subarray(start, start + (model.sections.byteLength[i] ?? 0));
    expect(relocatedBytes(model, section, 0, bytes, layout)).toHaveLength(bytes.length);
    const listing = codeListing(model, section, bytes);
    for (let row = 0; row < listing.count; row++) listing.rowAt(row);
    relocationAtInsn(model, section, 4);
  }
  fileField(model, read);
  for (let at = 0; at < model.size; at += 7) fieldsAt(model, at, read);
}

async function open(bytes: Uint8Array): Promise<ObjectModel | null> {
  try {
    return await openModel('any.ecoff', bytes);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** Change of one byte: offset in 1/10000 of the length, and the new value. */
const change = fc.tuple(fc.nat(9999), fc.nat(255));

describe.each(ecoffSampleNames())('%s', (name) => {
  const bytes = sampleBytes(name);

  it('answers for the unchanged file', async () => {
    const model = await openModel(name, bytes);
    askAll(model, bytes);
    expect(model.issues).toEqual([]);
  });

  it('answers with bytes changed, and cut short', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), fc.nat(9999), async (changes, kept) => {
        const cut = kept % 3 === 0 ? Math.floor((bytes.length * kept) / 10_000) : bytes.length;
        const file = bytes.slice(0, cut);
        for (const [at, byte] of changes) file[Math.floor((at * file.length) / 10_000)] = byte;
        const model = await open(file);
        if (model !== null && model.containers.length === 0) askAll(model, file);
      }),
      { numRuns: runs(40) },
    );
  });
});
