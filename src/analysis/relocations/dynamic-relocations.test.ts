import { expect, it } from 'vitest';
import { elfObject, rel, rela } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { dynamicRelocations, dynamicText } from './dynamic-relocations.ts';

const EM_X86_64 = 62;
const SHT_RELA = 4;
const SHT_REL = 9;
const SHF_ALLOC = 2;
const R_X86_64_64 = 1;
const R_X86_64_RELATIVE = 8;

async function textsOf(type: number, flags: number, data: ReturnType<typeof rela>) {
  const { bytes } = elfObject({
    header: { machine: EM_X86_64, type: 3 },
    sections: [
      { name: '.data', flags: 3, data: new Uint8Array(64) },
      { name: '.rel.dyn', type, flags, link: '.symtab', data },
    ],
    symbols: [{ name: 'f', shndx: '.data' }],
  });
  const found = dynamicRelocations(await openModel('a.so', bytes));
  return Array.from(found, ([address, all]) => [Number(address), ...all.map(dynamicText)]);
}

it('returns what the dynamic linker writes, by address', async () => {
  const entries = [
    ...rela(64, 0x10, 1, R_X86_64_64, 0),
    ...rela(64, 0x18, 1, R_X86_64_64, 8),
    ...rela(64, 0x20, 1, R_X86_64_64, -8),
    ...rela(64, 0x28, 0, R_X86_64_RELATIVE, 0xc40),
  ];
  expect(await textsOf(SHT_RELA, SHF_ALLOC, entries)).toEqual([
    [0x10, 'R_X86_64_64 of f'],
    [0x18, 'R_X86_64_64 of f + 0x8'],
    [0x20, 'R_X86_64_64 of f - 0x8'],
    [0x28, 'R_X86_64_RELATIVE of 0xc40'],
  ]);
});

it('names no addend of entries that leave it in the place', async () => {
  const entries = [...rel(64, 0x10, 1, R_X86_64_64), ...rel(64, 0x18, 0, R_X86_64_RELATIVE)];
  expect(await textsOf(SHT_REL, SHF_ALLOC, entries)).toEqual([
    [0x10, 'R_X86_64_64 of f'],
    [0x18, 'R_X86_64_RELATIVE'],
  ]);
});

it('skips entries that the linker kept for tools', async () => {
  expect(await textsOf(SHT_RELA, 0, rela(64, 0x10, 1, R_X86_64_64, 0))).toEqual([]);
});
