import { describe, expect, it } from 'vitest';
import { relocIndex, type SectionIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { sampleBytes, sampleModel, sampleNames, sectionCalled } from '#testing/samples.ts';
import { relocationMeaning } from './meaning.ts';
import { relocatedBytes } from './relocated-bytes.ts';

function stored(model: ObjectModel, file: Uint8Array, section: SectionIndex): Uint8Array {
  const start = model.sections.fileOffset[section] ?? 0;
  return file.subarray(start, start + (model.sections.byteLength[section] ?? 0));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('the examples of the document', () => {
  it.each([
    ['doc_call.bpf.o', '8510000002000000'],
    ['doc_call.be.bpf.o', '8501000000000002'],
  ])('%s: the call of lfunc goes two on', async (name, expected) => {
    const model = await sampleModel(name);
    const section = sectionCalled(model, '.text');
    const bytes = stored(model, sampleBytes(name), section);
    const at = (relocationMeaning(model, relocIndex(1)).site?.byteOffset ?? 4) - 4;
    const changed = relocatedBytes(model, section, 0, bytes);
    expect(hex(changed.subarray(at, at + 8))).toBe(expected);
    expect(hex(bytes)).toBe(hex(stored(model, sampleBytes(name), section)));
  });

  it('a call of a function at the start of its section writes -1', async () => {
    const model = await sampleModel('doc_call.bpf.o');
    const section = sectionCalled(model, '.text');
    const changed = relocatedBytes(
      model,
      section,
      0,
      stored(model, sampleBytes('doc_call.bpf.o'), section),
    );
    const { site, result } = relocationMeaning(model, relocIndex(0));
    expect(result).toBe(-1n);
    expect(hex(changed.subarray(site?.byteOffset ?? 0, (site?.byteOffset ?? 0) + 4))).toBe(
      'ffffffff',
    );
  });
});

describe.each(sampleNames().filter((name) => name.endsWith('.o')))('%s', (name) => {
  it('has the value of each entry, and the stored bytes elsewhere', async () => {
    const model = await sampleModel(name);
    const file = sampleBytes(name);
    for (let i = 1; i < model.sections.count; i++) {
      const section = sectionIndex(i);
      const bytes = stored(model, file, section);
      const changed = relocatedBytes(model, section, 0, bytes);
      const touched = new Uint8Array(bytes.length);
      for (let row = 0; row < model.relocations.count; row++) {
        const { site, siteSpan, result } = relocationMeaning(model, relocIndex(row));
        if (site?.section !== section || siteSpan === null || result === null) continue;
        const size = site.bitSize / 8;
        const own = changed.subarray(site.byteOffset, site.byteOffset + size);
        const digits = hex(model.endian === 'big' ? own : own.toReversed());
        expect(BigInt(`0x${digits}`)).toBe(BigInt.asUintN(site.bitSize, result));
        touched.fill(1, site.byteOffset, site.byteOffset + size);
      }
      for (const [at, byte] of bytes.entries()) {
        if (touched[at] === 0 && changed[at] !== byte) throw new Error(`byte ${at} of ${i}`);
      }
    }
  });

  it('is the same in pieces', async () => {
    const model = await sampleModel(name);
    const file = sampleBytes(name);
    for (let i = 1; i < model.sections.count; i++) {
      const section = sectionIndex(i);
      const bytes = stored(model, file, section);
      const pieces: number[] = [];
      for (let at = 0; at < bytes.length; at += 5) {
        pieces.push(...relocatedBytes(model, section, at, bytes.subarray(at, at + 5)));
      }
      expect(hex(Uint8Array.from(pieces))).toBe(hex(relocatedBytes(model, section, 0, bytes)));
    }
  });
});
