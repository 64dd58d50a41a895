import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relocationCounts } from '#analysis/relocations/sections.ts';
import { relocIndex, sectionIndex, symbolIndex, typeId } from '#model/ids.ts';
import { NO_SECTIONS } from '#model/sections.ts';
import { NO_SELECTION, type Selection, typeSelection } from '#model/selection.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { sampleModel } from '#testing/samples.ts';
import {
  emptyNote,
  litSpan,
  offsetShift,
  regionCount,
  regionOfSelection,
  sectionLine,
  sectionRegion,
  sectionsInRange,
  storedNote,
  wholeFile,
} from './regions.ts';
import { legendOf } from './SelectionBar.tsx';
import { stepOrigin, stepRelocation } from './use-places.ts';

const bytes = (start: number, end: number): Selection => ({ kind: 'bytes', start, end });

/** Sections of doc_call.bpf.o: 2 .text (0x40 to 0xa8), 4 sec1, 6 .BTF, 8 .BTF.ext, 11 .symtab. */
it.each<[string, Selection, number]>([
  ['nothing', NO_SELECTION, 0],
  ['a section', { kind: 'section', section: sectionIndex(5) }, 5],
  ['a section that does not exist', { kind: 'section', section: sectionIndex(99) }, 0],
  ['bytes in a section', bytes(0x50, 0x58), 2],
  ['bytes over its end', bytes(0xa0, 0xb0), 0],
  ['bytes of the header', bytes(0, 4), 0],
  ['a relocation', { kind: 'relocation', reloc: relocIndex(0) }, 2],
  ['a relocation of .BTF', { kind: 'relocation', reloc: relocIndex(3) }, 6],
  ['a symbol', { kind: 'symbol', symbol: symbolIndex(2) }, 11],
  ['a type', typeSelection(typeId(1)), 6],
  ['an instruction', { kind: 'insn', section: sectionIndex(4), insnOff: 8 }, 4],
])('%s is shown in its region', async (_what, selection, row) => {
  const model = await sampleModel('doc_call.bpf.o');
  expect(regionOfSelection(model, selection).section ?? 0).toBe(row);
});

it('lists the file and its sections; a raw BTF blob has only itself', async () => {
  const [object, blob] = await Promise.all([
    sampleModel('doc_call.bpf.o'),
    sampleModel('kinds.btf'),
  ]);
  expect([regionCount(object), regionCount(blob)]).toEqual([12, 1]);
  expect(wholeFile(blob)).toEqual({ section: null, start: 0, length: blob.size });
  expect(sectionRegion(object, sectionIndex(2))).toEqual({ section: 2, start: 0x40, length: 104 });
});

it('counts relocations by the section that they patch', async () => {
  const model = await sampleModel('doc_call.bpf.o');
  const counts = relocationCounts(model);
  expect([counts[2], counts[4], counts[6], counts[8]]).toEqual([3, 0, 1, 16]);
});

it('lights the instruction of a relocation in code, the word of one in data', async () => {
  const [code, data] = await Promise.all([
    sampleModel('doc_call.bpf.o'),
    sampleModel('data_relocs.bpf.o'),
  ]);
  const inCode = litSpan(code, { kind: 'relocation', reloc: relocIndex(1) });
  expect(inCode).toEqual({ start: 0x70, end: 0x78 });
  const onBtf = litSpan(code, { kind: 'relocation', reloc: relocIndex(3) });
  expect((onBtf?.end ?? 0) - (onBtf?.start ?? 0)).toBe(4);
  const rows = [...data.relocations.type.keys()];
  const word = rows.find((row) => data.relocations.type[row] === 2) ?? 0;
  const inData = litSpan(data, { kind: 'relocation', reloc: relocIndex(word) });
  expect((inData?.end ?? 0) - (inData?.start ?? 0)).toBe(8);
  expect(litSpan(code, { kind: 'section', section: sectionIndex(2) })).toBeNull();
});

it('steps from relocation to relocation and stops at the ends', async () => {
  const model = await sampleModel('doc_call.bpf.o');
  const region = sectionRegion(model, sectionIndex(2));
  const walk = (from: number, step: 'next' | 'previous') => {
    const seen: number[] = [];
    for (let at = from; ; ) {
      const found = stepRelocation(model, region, at, step);
      if (found === null) return seen;
      seen.push(found);
      at = stepOrigin(model, found);
    }
  };
  expect(walk(region.start - 1, 'next')).toEqual([0, 1, 2]);
  expect(walk(region.start + region.length, 'previous')).toEqual([2, 1, 0]);
});

it('steps through the whole file by where the bytes are', async () => {
  const model = await sampleModel('doc_call.bpf.o');
  const places: number[] = [];
  for (let at = -1; ; ) {
    const found = stepRelocation(model, wholeFile(model), at, 'next');
    if (found === null) break;
    at = stepOrigin(model, found);
    places.push(at);
  }
  expect(places).toHaveLength(model.relocations.count);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

const SHF_COMPRESSED = 0x800;

async function model() {
  const { bytes } = elfObject({
    sections: [
      { name: '.text', flags: 6, data: new Uint8Array(16) },
      { name: '.bss', type: 8, flags: 3, size: 64 },
      { name: '.empty' },
      { name: '.debug_info', flags: SHF_COMPRESSED, data: new Uint8Array(40) },
      { name: '.far', data: new Uint8Array(4), size: 0x4000_0000 },
    ],
  });
  return openModel('regions.o', bytes);
}

describe('emptyNote', () => {
  it.each([
    ['the file', null, null],
    ['code', 1, null],
    ['the null section', 0, 'The null section'],
    ['NOBITS', 2, 'NOBITS: no bytes in the file'],
    ['an empty section', 3, 'The section is empty'],
  ])('%s', async (_what, section, title) => {
    const note = emptyNote(await model(), section === null ? null : sectionIndex(section));
    expect(note?.title ?? null).toBe(title);
  });
});

it('marks packed bytes and a cut section', async () => {
  const opened = await model();
  const titles = [1, 2, 4, 5].map((i) => storedNote(opened, sectionIndex(i))?.title ?? null);
  expect(titles).toEqual([null, null, 'Compressed (SHF_COMPRESSED)', 'Truncated section']);
  expect(legendOf(opened, sectionRegion(opened, sectionIndex(4)))).toEqual([]);
});

it('names a section in one line', async () => {
  expect(sectionLine(await model(), sectionIndex(2))).toMatch(
    /^\[2\] \.bss: 0x[0-9a-f]+, 64 bytes$/,
  );
});

it('counts offsets from the section or from the file', () => {
  expect([offsetShift(0x40, 'section'), offsetShift(0x40, 'file')]).toEqual([-0x40, 0]);
});

const place = fc.record({
  start: fc.integer({ min: 0, max: 60 }),
  length: fc.integer({ min: 0, max: 30 }),
});

it('finds exactly the sections with bytes in the range, also where they overlap', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 12 }), place, (places, range) => {
      const sections = {
        ...NO_SECTIONS,
        count: places.length,
        fileOffset: Float64Array.from(places, ({ start }) => start),
        byteLength: Float64Array.from(places, ({ length }) => length),
      };
      const end = range.start + range.length;
      const touching = places.flatMap(({ start, length }, i) =>
        length > 0 && start < end && start + length > range.start ? [i] : [],
      );
      const found = sectionsInRange(sections, range.start, end);
      expect([...found].sort((a, b) => a - b)).toEqual(touching);
    }),
  );
});
