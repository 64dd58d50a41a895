import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { elfObject } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { emptyNote, offsetShift, sectionLine, storedNote } from './region-text.ts';
import { sectionRegion } from './regions.ts';
import { legendOf } from './SelectionBar.tsx';

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

it('says that packed bytes are packed, and that a cut section is cut', async () => {
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
