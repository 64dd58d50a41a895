import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import type { Endian } from '#bytes/span.ts';
import { u32 } from './assemble.ts';
import { type ElfClass, type ElfSpec, elfObject, rel, rela } from './elf-object.ts';

const sample = (bits: ElfClass, endian: Endian): ElfSpec => ({
  class: bits,
  endian,
  sections: [
    { name: '.text', flags: 6, addralign: 8, data: Uint8Array.of(1, 2, 3) },
    { name: '.BTF', data: [u32(0x01020304)] },
    { name: '.rel.text', type: 9, link: '.symtab', info: '.text', data: rel(bits, 8, 2, 10) },
    { name: '.bss', type: 8, size: 4096 },
  ],
  symbols: [
    { name: 'local', bind: 0, type: 3, shndx: '.text' },
    { name: 'main', type: 2, value: 16, size: 24, shndx: '.text' },
  ],
});

describe.each<[ElfClass, Endian]>([
  [64, 'little'],
  [64, 'big'],
  [32, 'little'],
  [32, 'big'],
])('elfObject, class %i, %s-endian', (bits, endian) => {
  const object = elfObject(sample(bits, endian));
  const reader = new ByteReader(object.bytes, 'ELF', endian);
  const word = (at: number) => (bits === 64 ? Number(reader.u64(at)) : reader.u32(at));
  const size = bits / 8;
  // Skips name, type, flags and addr of the section header, before sh_offset and sh_size.
  const headerOf = (name: string) =>
    object.shoff + object.sectionIndex(name) * (bits === 64 ? 64 : 40);
  const offsetIn = (name: string) => word(headerOf(name) + 8 + 2 * size);
  const sizeOf = (name: string) => word(headerOf(name) + 8 + 3 * size);

  it('opens with a header that points at the section headers', () => {
    expect([...object.bytes.subarray(0, 7)]).toEqual([
      0x7f,
      0x45,
      0x4c,
      0x46,
      bits === 64 ? 2 : 1,
      endian === 'little' ? 1 : 2,
      1,
    ]);
    expect([reader.u16(16), reader.u16(18), reader.u32(20)]).toEqual([1, 247, 1]);
    expect(word(24 + 2 * size)).toBe(object.shoff);
    const counts = 24 + 3 * size + 4;
    expect(reader.u16(counts)).toBe(bits === 64 ? 64 : 52);
    expect(reader.u16(counts + 6)).toBe(bits === 64 ? 64 : 40);
    expect(reader.u16(counts + 8)).toBe(8);
    expect(reader.u16(counts + 10)).toBe(object.sectionIndex('.shstrtab'));
    expect(object.bytes).toHaveLength(object.shoff + 8 * (bits === 64 ? 64 : 40));
  });

  it('places each section by its header', () => {
    expect(offsetIn('.text')).toBe(object.sectionOffset('.text'));
    expect(sizeOf('.text')).toBe(3);
    expect(reader.u32(offsetIn('.BTF'))).toBe(0x01020304);
    expect(sizeOf('.bss')).toBe(4096);
  });

  it('links sections by name', () => {
    const links = headerOf('.rel.text') + 8 + 4 * size;
    expect(reader.u32(links)).toBe(object.sectionIndex('.symtab'));
    expect(reader.u32(links + 4)).toBe(object.sectionIndex('.text'));
  });

  it('writes the null symbol, then the given symbols', () => {
    const at = offsetIn('.symtab');
    const entry = bits === 64 ? 24 : 16;
    expect(sizeOf('.symtab')).toBe(3 * entry);
    const main = at + 2 * entry;
    const [info, shndx, value] = bits === 64 ? [4, 6, 8] : [12, 14, 4];
    expect(reader.u8(main + info)).toBe(0x12);
    expect(reader.u16(main + shndx)).toBe(object.sectionIndex('.text'));
    expect(word(main + value)).toBe(16);
    expect(reader.u32(headerOf('.symtab') + 8 + 4 * size + 4)).toBe(2);
  });

  it('writes relocations with the symbol in r_info', () => {
    const at = offsetIn('.rel.text');
    expect(word(at)).toBe(8);
    expect(word(at + size)).toBe(bits === 64 ? 2 * 2 ** 32 + 10 : 2 * 256 + 10);
    expect(rela(bits, 0, 1, 2, -3)).toHaveLength(3);
  });
});

describe('elfObject', () => {
  it('overrides header fields', () => {
    const { bytes } = elfObject({ header: { machine: 62, shoff: 0xffff, shnum: 0 } });
    const reader = new ByteReader(bytes, 'ELF');
    expect([reader.u16(18), reader.u64(40), reader.u16(60)]).toEqual([62, 0xffffn, 0]);
  });

  it('refuses names of missing sections', () => {
    expect(() => elfObject({ sections: [{ name: 'a', link: 'b' }] })).toThrow('no section b');
    expect(() => elfObject({ symbols: [{ name: 'f', shndx: '.txt' }] })).toThrow('no section .txt');
    expect(() => elfObject().sectionOffset('.text')).toThrow('no section .text');
  });
});
