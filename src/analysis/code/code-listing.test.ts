import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { sampleBytes, sampleModel } from '#testing/samples.ts';
import { canList, codeListing } from './code-listing.ts';

async function textOf(name: string) {
  const model = await sampleModel(name);
  const text = sectionIndex(1);
  const start = model.sections.fileOffset[text] ?? 0;
  const bytes = sampleBytes(name).subarray(start, start + (model.sections.byteLength[text] ?? 0));
  return { model, text, bytes, listing: codeListing(model, text, bytes) };
}

it('lists the code of SBPF as that of BPF', async () => {
  const model = await sampleModel('xdp_counter.bpf.o');
  const section = sectionIndex(model.sections.flags.findLastIndex((flags) => (flags & 4n) !== 0n));
  const start = model.sections.fileOffset[section] ?? 0;
  const end = start + (model.sections.byteLength[section] ?? 0);
  const bytes = sampleBytes('xdp_counter.bpf.o').subarray(start, end);
  const sbpf = { ...model, machine: { number: 263, name: 'EM_SBPF' } };
  const insns = codeListing(model, section, bytes).insnCount;
  expect(insns).toBeGreaterThan(10);
  expect([canList(sbpf), codeListing(sbpf, section, bytes).insnCount]).toEqual([true, insns]);
});

describe('a listing of Alpha code', () => {
  it('has procedures, words of four bytes, and the entries under their words', async () => {
    const { listing } = await textOf('alpha_gpdisp.ecoff');
    const rows = Array.from({ length: listing.count }, (_, i) => listing.rowAt(i));
    expect(rows.map((row) => row?.kind)).toEqual([
      ...['function', 'word', 'relocation', 'word', 'word', 'word'],
      ...['function', 'word', 'relocation', 'word', 'word', 'word'],
    ]);
    expect(rows[1]).toEqual({ kind: 'word', word: 0x27bb0001, insnOff: 0, insnIndex: 0 });
    expect([0, 4, 7, 0x10, 0x20].map(listing.rowOfInsn)).toEqual([1, 3, 3, 7, -1]);
  });

  it('leaves out bytes too short for a word', async () => {
    const { model, text, bytes } = await textOf('alpha_gpdisp.ecoff');
    expect(codeListing(model, text, bytes.subarray(0, 7)).insnCount).toBe(1);
  });

  it('is there for no third machine', async () => {
    const { model, text, bytes } = await textOf('alpha_gpdisp.ecoff');
    const other = { ...model, machine: { number: 62, name: 'x86-64' } };
    expect([canList(model), canList(other)]).toEqual([true, false]);
    expect(codeListing(other, text, bytes).count).toBe(0);
  });
});
