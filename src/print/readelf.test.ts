/**
 * Tests files that compilers for BPF do not write. Expected lines are the output of llvm-readelf
 * 19.
 */
import { describe, expect, it } from 'vitest';
import { cstring, raw, u16, u32, u64 } from '#testing/assemble.ts';
import { type ElfSpec, elfObject, rel, rela } from '#testing/elf-object.ts';
import { openObject } from '#testing/open-model.ts';
import { type ReadelfPart, readelf } from './readelf.ts';

async function linesOf(bytes: Uint8Array, ...parts: ReadelfPart[]): Promise<readonly string[]> {
  const { model, source } = await openObject('a.o', bytes);
  const all: string[] = [];
  for await (const lines of readelf(model, source, new Set(parts))) all.push(...lines);
  return all;
}

const MIPS: ElfSpec = {
  class: 32,
  endian: 'big',
  header: { machine: 8, flags: 0x70001007 },
  sections: [
    { name: '.text', flags: 6, data: [u32(0)] },
    {
      name: '.rel.text',
      type: 9,
      link: '.symtab',
      info: '.text',
      entsize: 8,
      data: rel(32, 0, 1, 5),
    },
    {
      name: '.rela.text',
      type: 4,
      link: '.symtab',
      info: '.text',
      entsize: 12,
      data: rela(32, 0, 0, 2, -16),
    },
  ],
  symbols: [{ name: 'main', type: 2, size: 4, other: 0xf0, shndx: '.text' }],
};

/** A dynamic symbol table with three versions: a defined one, a hidden one, and a needed one. */
const VERSIONED: ElfSpec = {
  header: { machine: 62, type: 3 },
  sections: [
    {
      name: '.dynstr',
      type: 3,
      data: ['', 'own', 'old', 'need', 'V1', 'V2', 'libc.so'].map(cstring),
    },
    {
      name: '.dynsym',
      type: 11,
      link: '.dynstr',
      entsize: 24,
      data: [0, 1, 5, 9].flatMap((name) => [
        u32(name),
        raw([name === 0 ? 0 : 0x12, 0]),
        u16(name === 9 || name === 0 ? 0 : 1),
        u64(0),
        u64(0),
      ]),
    },
    {
      name: '.gnu.version',
      type: 0x6fffffff,
      link: '.dynsym',
      entsize: 2,
      data: [0, 2, 0x8002, 3].map(u16),
    },
    {
      name: '.gnu.version_d',
      type: 0x6ffffffd,
      link: '.dynstr',
      info: 1,
      data: [u16(1), u16(0), u16(2), u16(1), u32(0), u32(20), u32(0), u32(14), u32(0)],
    },
    {
      name: '.gnu.version_r',
      type: 0x6ffffffe,
      link: '.dynstr',
      info: 1,
      data: [u16(1), u16(1), u32(20), u32(16), u32(0), u32(0), u16(0), u16(3), u32(17), u32(0)],
    },
    {
      name: '.rela.dyn',
      type: 4,
      link: '.dynsym',
      entsize: 24,
      data: [...rela(64, 8, 3, 1, -2), ...rela(64, 16, 0, 8, 32)],
    },
    { name: '.relr.dyn', type: 19, entsize: 8, data: [u64(0x1000), u64(7), u64(3)] },
  ],
  symbols: [
    { name: 'late', value: 0x1010, shndx: '.dynstr' },
    { name: '', type: 3, bind: 0, shndx: '.dynsym' },
  ],
};

/** Symbols with section numbers in a separate table, and symbols without a name or section. */
const EXTENDED: ElfSpec = {
  sections: [
    { name: '.text', flags: 6, data: [u64(0)] },
    { name: '.symtab_shndx', type: 18, link: '.symtab', entsize: 4, data: [0, 1, 0, 0].map(u32) },
    {
      name: '.rel.text',
      type: 9,
      link: '.symtab',
      info: '.text',
      entsize: 16,
      data: [...rel(64, 0, 1, 1), ...rel(64, 0, 2, 10), ...rel(64, 0, 9, 1), ...rel(64, 0, 3, 77)],
    },
  ],
  symbols: [
    { name: '', type: 3, bind: 0, shndx: 0xffff },
    { name: '', value: 8, shndx: 0xfff1 },
    { name: 'x', type: 12, bind: 3, size: 123456, shndx: 700 },
  ],
};

describe('of a 32-bit, big-endian MIPS object', () => {
  const { bytes } = elfObject(MIPS);

  it('names the flags of the header', async () => {
    const lines = await linesOf(bytes, 'file-header');
    expect(lines).toHaveLength(20);
    expect(lines).toContain(
      '  Flags:                             0x70001007, noreorder, pic, cpic, o32, mips32r2',
    );
  });

  it('has narrower columns, and unsigned addends without a symbol', async () => {
    expect(await linesOf(bytes, 'relocations')).toEqual([
      '',
      "Relocation section '.rel.text' at offset 0x40 contains 1 entries:",
      " Offset     Info    Type                Sym. Value  Symbol's Name",
      '00000000  00000105 R_MIPS_HI16            00000000   main',
      '',
      "Relocation section '.rela.text' at offset 0x48 contains 1 entries:",
      " Offset     Info    Type                Sym. Value  Symbol's Name + Addend",
      '00000000  00000002 R_MIPS_32                         fffffffffffffff0',
    ]);
  });

  it('has a wider column if a symbol has other flags than its visibility', async () => {
    expect(await linesOf(bytes, 'symbols')).toEqual([
      '',
      "Symbol table '.symtab' contains 2 entries:",
      '   Num:    Value  Size Type    Bind   Vis                    Ndx Name',
      '     0: 00000000     0 NOTYPE  LOCAL  DEFAULT                UND ',
      '     1: 00000000     4 FUNC    GLOBAL DEFAULT [<other: 0xf0>]   1 main',
    ]);
  });
});

describe('of a shared object', () => {
  const { bytes } = elfObject(VERSIONED);

  it('writes versions after the names of dynamic symbols, and unpacks RELR', async () => {
    expect(await linesOf(bytes, 'relocations')).toEqual([
      '',
      "Relocation section '.rela.dyn' at offset 0x108 contains 2 entries:",
      "    Offset             Info             Type               Symbol's Value  Symbol's Name + Addend",
      '0000000000000008  0000000300000001 R_X86_64_64            0000000000000000 need@V2 - 2',
      '0000000000000010  0000000000000008 R_X86_64_RELATIVE                 20',
      '',
      "Relocation section '.relr.dyn' at offset 0x138 contains 4 entries:",
      'Index: Entry            Address           Symbolic Address',
      '0000:  0000000000001000 0000000000001000  .dynsym + 0x1000',
      '0001:  0000000000000007 0000000000001008  .dynsym + 0x1008',
      '                        0000000000001010  late',
      '0002:  0000000000000003 0000000000001200  late + 0x1f0',
    ]);
  });

  it('lists the dynamic symbols first', async () => {
    expect(await linesOf(bytes, 'symbols')).toEqual([
      '',
      "Symbol table '.dynsym' contains 4 entries:",
      '   Num:    Value          Size Type    Bind   Vis       Ndx Name',
      '     0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT   UND ',
      '     1: 0000000000000000     0 FUNC    GLOBAL DEFAULT     1 own@@V1',
      '     2: 0000000000000000     0 FUNC    GLOBAL DEFAULT     1 old@V1',
      '     3: 0000000000000000     0 FUNC    GLOBAL DEFAULT   UND need@V2',
      '',
      "Symbol table '.symtab' contains 3 entries:",
      '   Num:    Value          Size Type    Bind   Vis       Ndx Name',
      '     0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT   UND ',
      '     1: 0000000000001010     0 NOTYPE  GLOBAL DEFAULT     1 late',
      '     2: 0000000000000000     0 SECTION LOCAL  DEFAULT     2 .dynsym',
    ]);
  });
});

describe('of an object with extended section numbers', () => {
  const { bytes } = elfObject(EXTENDED);

  it('omits entries without an existing symbol', async () => {
    expect(await linesOf(bytes, 'relocations')).toEqual([
      '',
      "Relocation section '.rel.text' at offset 0x58 contains 4 entries:",
      "    Offset             Info             Type               Symbol's Value  Symbol's Name",
      '0000000000000000  0000000100000001 R_BPF_64_64            0000000000000000 .text',
      '0000000000000000  000000020000000a R_BPF_64_32            0000000000000008 <null>',
      '0000000000000000  000000030000004d Unknown                0000000000000000 x',
    ]);
  });

  it('follows SHN_XINDEX', async () => {
    expect(await linesOf(bytes, 'symbols')).toEqual([
      '',
      "Symbol table '.symtab' contains 4 entries:",
      '   Num:    Value          Size Type    Bind   Vis       Ndx Name',
      '     0: 0000000000000000     0 NOTYPE  LOCAL  DEFAULT   UND ',
      '     1: 0000000000000000     0 SECTION LOCAL  DEFAULT     1 .text',
      '     2: 0000000000000008     0 NOTYPE  GLOBAL DEFAULT   ABS ',
      '     3: 0000000000000000 123456 <OS specific>: 12 3 DEFAULT 700 x',
    ]);
  });
});

describe('of a damaged file', () => {
  it('prints the file header, then fails if the section headers exceed the file', async () => {
    const { bytes } = elfObject({ header: { shnum: 1000 } });
    const lines: string[] = [];
    const { model, source } = await openObject('a.o', bytes);
    const all = new Set<ReadelfPart>(['file-header', 'sections']);
    const reading = (async () => {
      for await (const batch of readelf(model, source, all)) lines.push(...batch);
    })();
    await expect(reading).rejects.toThrow('the table ends behind the file');
    expect(lines).toHaveLength(20);
  });

  it('prints that there are no sections and no relocations', async () => {
    const { bytes } = elfObject({ header: { shoff: 0, shnum: 0, shstrndx: 0 } });
    expect(await linesOf(bytes, 'sections', 'relocations', 'symbols')).toEqual([
      '',
      'There are no sections in this file.',
      '',
      'There are no relocations in this file.',
    ]);
  });
});

it('writes the number of a machine that LLVM 19 has no name for: SBPF', async () => {
  const { bytes } = elfObject({ header: { machine: 263 } });
  expect(await linesOf(bytes, 'file-header')).toContain('  Machine:                           107');
});
