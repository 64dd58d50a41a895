import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { bufferSource } from '#bytes/source.ts';
import { SHT } from '#formats/elf/constants.ts';
import { sectionIndex, symbolIndex } from '#model/ids.ts';
import { AddendSource } from '#model/relocations.ts';
import { sectionName } from '#model/sections.ts';
import { symbolName } from '#model/symbols.ts';
import { cstring, hex, i32, i64, type Part, u8, u16, u32, u64, zeros } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { int, ptr } from '#testing/btf-types.ts';
import { type ElfClass, type ElfSpec, elfObject, rel, rela } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { ingestElf, sectionsNamed } from './elf.ts';

const VARIANTS = [
  [32, 'little'],
  [32, 'big'],
  [64, 'little'],
  [64, 'big'],
] as const;

async function ingest(spec: ElfSpec, options = {}) {
  const object = elfObject(spec);
  const issues: Issue[] = [];
  const parts = await ingestElf(bufferSource('a.o', object.bytes), issues, options);
  return { ...parts, issues, object };
}

/** Code as `clang -c` writes it: a call, a call of a static function, an ld_imm64 of offset 8. */
const CODE: readonly Part[] = [
  ...[u8(0x85), u8(0x10), u16(0), i32(-1)],
  ...[u8(0x85), u8(0x10), u16(0), i32(2)],
  ...[u8(0x18), u8(0x01), u16(0), i32(8), zeros(8)],
];

function relocated(bits: ElfClass): ElfSpec {
  return {
    class: bits,
    sections: [
      { name: '.text', flags: 6, data: CODE },
      {
        name: '.rel.text',
        type: SHT.rel,
        link: '.symtab',
        info: '.text',
        entsize: bits / 4,
        data: [...rel(bits, 0, 1, 10), ...rel(bits, 8, 2, 10), ...rel(bits, 16, 3, 1)],
      },
    ],
    symbols: [
      { name: 'gfunc', type: 2, shndx: '.text' },
      { name: '', type: 3, bind: 0, shndx: '.text' },
      { name: 'extern_map' },
    ],
  };
}

describe.each(VARIANTS)('ingestElf of ELF%i, %s-endian', (elfClass, endian) => {
  it('reads headers, sections, symbols and relocations', async () => {
    const read = await ingest({ ...relocated(elfClass), endian });
    const { sections, symbols, relocations } = read;
    expect(read.issues).toEqual([]);
    expect(read).toMatchObject({
      endian,
      addressBits: elfClass,
      machine: { number: 247, name: 'EM_BPF' },
      fileType: 'relocatable',
    });
    const names = Array.from({ length: sections.count }, (_, i) =>
      sectionName(sections, sectionIndex(i)),
    );
    expect(names).toEqual(['', '.text', '.rel.text', '.symtab', '.strtab', '.shstrtab']);
    expect(sections.fileOffset[1]).toBe(read.object.sectionOffset('.text'));
    expect(sections.byteLength[1]).toBe(32);
    expect(sections.headerOffset[1]).toBe(read.object.shoff + sections.headerSize);
    expect(symbols.count).toBe(4);
    expect([...symbols.section]).toEqual([0, 1, 1, 0]);
    expect(symbolName(symbols, symbolIndex(3))).toBe('extern_map');
    expect([...relocations.type]).toEqual([10, 10, 1]);
    expect([...relocations.symbol]).toEqual([1, 2, 3]);
    expect([...relocations.targetSection]).toEqual([1, 1, 1]);
    expect(relocations.entryOffset[1]).toBe(read.object.sectionOffset('.rel.text') + elfClass / 4);
  });

  it('reads the addend of REL at its site', async () => {
    const { relocations } = await ingest({ ...relocated(elfClass), endian });
    // The calls store -1 and 2, from the formula (S + A) / 8 - 1 with A = 0 and A = 0x18.
    expect([...relocations.addend]).toEqual([0n, 0x18n, 8n]);
    expect([...relocations.addendSource]).toEqual([1, 1, 1]);
  });

  it('describes each byte of the header in its block, in order', async () => {
    const { headers } = await ingest({ ...relocated(elfClass), endian });
    const fields = headers[0]?.fields ?? [];
    expect(fields).toHaveLength(29);
    let end = 0;
    for (const field of fields) {
      expect([field.name, field.span.start]).toEqual([field.name, end]);
      end = field.span.end;
    }
    expect(headers[0]?.span).toEqual({ start: 0, end });
    const byName = new Map(fields.map((f) => [f.name, `${f.value} ${f.meaning}`]));
    expect(byName.get('e_ident[EI_CLASS]')).toBe(`0x${elfClass / 32} ELF${elfClass}`);
    expect(byName.get('e_machine')).toBe('0xf7 EM_BPF');
    expect(byName.get('e_shnum')).toBe('6 section headers');
    expect(byName.get('e_shstrndx')).toBe('5 .shstrtab');
  });
});

it.each([
  [32, 4],
  [64, 8],
] as const)(
  'gives pointers of the class of ELF%i, whatever a long of 4 bytes says',
  async (bits, bytes) => {
    const types = [int('long', 4), ptr(0)];
    const { bytes: file } = elfObject({
      class: bits,
      sections: [{ name: '.BTF', data: btfBlob({ types }).bytes }],
    });
    const { types: read } = await openModel('x.o', file);
    expect(read?.pointerBytes).toBe(bytes);
  },
);

describe('relocations', () => {
  const data = [i64(-4), i32(-4), u32(0x84), u32(0xfffffff0), zeros(4)];
  const entries = [rel(64, 0, 0, 2), rel(64, 8, 0, 3), rel(64, 12, 0, 4), rel(64, 16, 0, 77)];
  const withEntries = (parts: readonly Part[], given: Partial<ElfSpec> = {}): ElfSpec => ({
    sections: [
      { name: '.data', data },
      { name: '.rel.data', type: SHT.rel, info: '.data', entsize: 16, data: parts },
    ],
    ...given,
  });

  it.each(['little', 'big'] as const)('of data have signed addends, %s-endian', async (endian) => {
    const { relocations, issues } = await ingest({ endian, ...withEntries(entries.flat()) });
    expect([...relocations.addend]).toEqual([-4n, -4n, 0x84n, 0n]);
    expect([...relocations.addendSource]).toEqual([1, 1, 1, AddendSource.unknown]);
    expect(issues.map((i) => i.code)).toEqual(['elf.unknown-relocation-type']);
    expect(issues[0]?.message).toBe('unknown relocation types: entry 3 of .rel.data');
  });

  it.each(['little', 'big'] as const)(
    'of data with the types of instructions are words at r_offset, %s-endian',
    async (endian) => {
      const old = [rel(64, 0, 0, 1), rel(64, 8, 0, 10), rel(64, 12, 0, 10), rel(64, 20, 0, 10)];
      const { relocations, issues } = await ingest({ endian, ...withEntries(old.flat()) });
      expect([...relocations.addend]).toEqual([-4n, -4n, 0x84n, 0n]);
      expect(issues).toEqual([]);
    },
  );

  it('of ld_imm64 have addends without sign', async () => {
    const spec = withEntries(rel(64, 12, 0, 1));
    const sections = (spec.sections ?? []).map((s) =>
      s.name === '.data' ? { ...s, flags: 6 } : s,
    );
    const { relocations } = await ingest({ sections });
    expect([...relocations.addend]).toEqual([0xfffffff0n]);
  });

  it('of another machine have the addends of their entries only', async () => {
    const spec = withEntries([...rel(64, 0, 0, 1)], { header: { machine: 62 } });
    const { relocations, issues } = await ingest({
      ...spec,
      sections: [
        ...(spec.sections ?? []),
        {
          name: '.rela.data',
          type: SHT.rela,
          info: '.data',
          entsize: 24,
          data: rela(64, 8, 0, 2, -4),
        },
      ],
    });
    expect([...relocations.addend]).toEqual([0n, -4n]);
    expect([...relocations.addendSource]).toEqual([AddendSource.unknown, AddendSource.explicit]);
    expect([...relocations.entrySize]).toEqual([16, 24]);
    expect(issues.map((i) => [i.severity, i.code])).toEqual([['note', 'elf.not-bpf']]);
  });

  it('with the same fault make one issue', async () => {
    const wrong = [rel(64, 21, 9, 3), rel(64, 0xffff, 9, 3), rel(64, 20, 9, 3)].flat();
    const { relocations, issues, object } = await ingest(withEntries(wrong));
    expect([...relocations.symbol]).toEqual([-1, -1, -1]);
    expect([...relocations.addendSource]).toEqual([2, 2, 1]);
    const start = object.sectionOffset('.rel.data');
    expect(issues).toEqual([
      expect.objectContaining({
        code: 'elf.relocation-symbol-absent',
        message: 'relocations with symbols that do not exist: 3, the first is entry 0 of .rel.data',
        span: { start, end: start + 16 },
        found: 'symbol 9',
      }),
      expect.objectContaining({
        code: 'elf.relocation-outside',
        message: 'relocations outside their section: 2, the first is entry 0 of .rel.data',
        found: 'r_offset 0x15',
      }),
    ]);
  });
});

describe('symbols', () => {
  const symbol = (stName: number, shndx: number) => [
    ...[u32(stName), u8(0x10), u8(0), u16(shndx)],
    ...[u64(0), u64(0)],
  ];
  const dynamic = [
    { name: '.dynstr', type: SHT.strtab, data: [hex('00 61 62')] },
    { name: '.dynsym', type: SHT.dynsym, link: '.dynstr', entsize: 24, data: symbol(1, 0xffff) },
    { name: '.dynsym_shndx', type: SHT.symtabShndx, link: '.dynsym', data: [u32(2)] },
  ];

  it('of several tables are in order, each with the names of its table', async () => {
    const { symbols, issues } = await ingest({
      sections: dynamic,
      symbols: [{ name: 'main', shndx: '.dynstr' }],
    });
    expect(issues).toEqual([]);
    expect([...symbols.table]).toEqual([2, 4, 4]);
    expect([...symbols.indexInTable]).toEqual([0, 0, 1]);
    // `.dynstr` does not end with NUL. Its last name must not continue in `.strtab`.
    expect([0, 1, 2].map((i) => symbolName(symbols, symbolIndex(i)))).toEqual(['ab', '', 'main']);
  });

  it('follow SHN_XINDEX through SHT_SYMTAB_SHNDX', async () => {
    const { symbols } = await ingest({ sections: dynamic });
    expect([...symbols.shndx]).toEqual([0xffff]);
    expect([...symbols.section]).toEqual([2]);
  });

  it('in reserved sections have no section', async () => {
    const { symbols, issues } = await ingest({
      symbols: [{ name: 'a.c', type: 4, shndx: 0xfff1 }],
    });
    expect([...symbols.section]).toEqual([0, -1]);
    expect(issues).toEqual([]);
  });

  it('report a repeated fault once', async () => {
    const { symbols, issues } = await ingest({
      sections: [
        { name: '.str', type: SHT.strtab, data: [cstring('')] },
        {
          name: '.sym',
          type: SHT.symtab,
          link: '.str',
          entsize: 20,
          data: [...symbol(0, 0), ...symbol(5, 70), ...symbol(6, 71), ...symbol(0, 0xffff), u8(1)],
        },
      ],
    });
    expect([...symbols.section]).toEqual([0, -1, -1, -1]);
    expect(issues.map((i) => i.message)).toEqual([
      'entry size 20 instead of 24, which is used: .sym',
      'tables that end inside an entry: .sym',
      'symbols in sections that do not exist: 2, the first is symbol 1 of .sym',
      'symbol names outside .str: 2, the first is symbol 1 of .sym',
      'SHN_XINDEX without .symtab_shndx: symbol 3 of .sym',
    ]);
  });
});

describe('sections', () => {
  it('are found by their exact name, in file order', async () => {
    const { sections } = await ingest({
      sections: [{ name: '.BTF' }, { name: '.BTF.ext' }, { name: '.BTF' }],
    });
    expect(sectionsNamed(sections, '.BTF')).toEqual([1, 3]);
    expect(sectionsNamed(sections, '.BT')).toEqual([]);
    expect(sectionsNamed(sections, '')).toEqual([]);
  });

  it('without bytes in the file return null', async () => {
    const { sections, issues } = await ingest({
      sections: [{ name: '.bss', type: SHT.nobits, size: 1 << 30 }],
    });
    expect(sections.byteLength[1]).toBe(0);
    expect(sections.declaredSize[1]).toBe(1n << 30n);
    expect(issues).toEqual([]);
  });
});
