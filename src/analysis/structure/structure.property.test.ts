/** Checks that each byte of each file has one chain of fields, whose values equal the bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadBytes, StructureField } from '#analysis/fields/field.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr, struct } from '#testing/btf-types.ts';
import { corpusKernels, corpusObjects, readCorpusFile } from '#testing/corpus.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel, openObject } from '#testing/open-model.ts';
import { isLong, runs } from '#testing/runs.ts';
import { ecoffSampleNames, sampleBytes, sampleNames } from '#testing/samples.ts';
import { walkStructure } from '#testing/walk-structure.ts';
import { fieldsAt, fileField } from './structure.ts';

const reader =
  (file: Uint8Array): ReadBytes =>
  (start, end) =>
    file.subarray(start, end);

function expectChain(chain: readonly StructureField[], offset: number): void {
  expect(chain[0]?.kind).toBe('file');
  for (const [i, { span }] of chain.entries()) {
    const outer = chain[i - 1]?.span ?? span;
    const nests = span.start >= outer.start && span.end <= outer.end;
    if (!nests || offset < span.start || offset >= span.end) {
      throw new Error(`byte ${offset}: ${chain.map(({ label }) => label).join(' › ')}`);
    }
  }
}

const LARGE = 200_000;

describe('every byte of every sample', () => {
  it.each([...sampleNames(), ...ecoffSampleNames()])('%s', async (name) => {
    const file = sampleBytes(name);
    const model = await openModel(name, file);
    const most = isLong && file.length <= LARGE ? Number.POSITIVE_INFINITY : runs(1000);
    const { fields, values, kinds } = walkStructure(
      fileField(model, reader(file)),
      file,
      model.endian,
      most,
    );
    expect(fields).toBeGreaterThan(100);
    expect(values).toBeGreaterThan(50);
    expect(kinds.get('undescribed')).toBeUndefined();
    const step = Math.max(1, Math.floor(file.length / runs(3000)));
    for (let offset = 0; offset < file.length; offset += step) {
      const chain = fieldsAt(model, offset, reader(file));
      expectChain(chain, offset);
      if (chain.length < 2) throw new Error(`byte ${offset}: only the file`);
    }
    expect(fieldsAt(model, file.length, reader(file))).toEqual([]);
    expect(fieldsAt(model, -1, reader(file))).toEqual([]);
  });
});

describe('objects of the corpus', () => {
  it('have a field for every byte, and values that the bytes say', {
    timeout: 120_000,
  }, async () => {
    const small = corpusObjects().filter(({ size }) => size < 400_000);
    // Many objects are similar, so check only some of them: this takes a tenth of the time.
    const step = Math.ceil(small.length / runs(80));
    for (const entry of small.filter((_, i) => i % step === 0)) {
      const { model, source } = await openObject(entry.name, readCorpusFile(entry));
      const file = await source.read(0, source.size);
      try {
        walkStructure(fileField(model, reader(file)), file, model.endian, 300);
      } catch (error) {
        throw new Error(`${entry.file}: ${error instanceof Error ? error.message : error}`);
      }
    }
  });

  it('name the fields of any byte of a kernel', { timeout: 60_000 }, async () => {
    const [kernel] = corpusKernels();
    if (kernel === undefined) return;
    const { model, source } = await openObject(kernel.name, readCorpusFile(kernel));
    const read = reader(await source.read(0, source.size));
    const offsets = Array.from({ length: runs(2000) }, (_, i) => (i * 48_271 * 4_093) % model.size);
    for (const offset of offsets) expectChain(fieldsAt(model, offset, read), offset);
  });
});

// The fuzzer found this case: the byte orders of the file and of its BTF differ.
it.each(['little', 'big'] as const)(
  'BTF in another byte order than a %s-endian object',
  async (endian) => {
    const other = endian === 'little' ? 'big' : 'little';
    const types = [int('int', 4), ptr(1), struct('s', 8, [{ name: 'a', type: 2, bitOffset: 0 }])];
    const data = btfBlob({ types, endian: other }).bytes;
    const { bytes } = elfObject({ endian, sections: [{ name: '.BTF', data }] });
    const model = await openModel('mixed.o', bytes);
    expect([model.endian, model.types?.endian]).toEqual([endian, other]);
    expect(walkStructure(fileField(model, reader(bytes)), bytes, endian).values).toBeGreaterThan(
      50,
    );
  },
);

describe('damaged files', () => {
  it.each(['bitfields.bpf.o', 'exec_trace.be.bpf.o', 'kinds_2026.btf', 'module.distilled.ko'])(
    '%s with bytes changed still has a field for each byte',
    async (name) => {
      const intact = sampleBytes(name);
      const change = fc.tuple(fc.nat(intact.length - 1), fc.nat(255));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
          const file = intact.slice();
          for (const [at, byte] of changes) file[at] = byte;
          const opened = await openModel(name, file).catch(() => null);
          if (opened === null) return;
          walkStructure(fileField(opened, reader(file)), file, opened.endian, 200);
        }),
        { numRuns: runs(40) },
      );
    },
    60_000,
  );

  it('is silent on bytes that are not at hand', async () => {
    const model = await openModel('exec_trace.bpf.o', sampleBytes('exec_trace.bpf.o'));
    for (let offset = 0; offset < model.size; offset += 7) {
      expectChain(
        fieldsAt(model, offset, () => null),
        offset,
      );
    }
  });
});
