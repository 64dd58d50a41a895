import { describe, expect, it } from 'vitest';
import { lintModel } from '#analysis/lint/lint.ts';
import { bufferSource } from '#bytes/source.ts';
import { readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { type EcoffReloc, ecoffObject, STYP, words } from '#testing/ecoff-object.ts';
import { GPDISP_PAIRS, HALVES, LITERAL_USES, PDATA_EXPRESSION } from '#testing/ecoff-samples.ts';
import { openModel } from '#testing/open-model.ts';
import { restrictionIssues } from './lint.ts';

const LITUSE = 5;

async function findings(count: number) {
  const bytes = ecoffObject({
    sections: [
      {
        name: '.text',
        flags: STYP.text,
        vaddr: 0,
        data: new Uint8Array(16),
        relocs: Array.from({ length: count }, () => ({ vaddr: 0, symndx: 1, type: LITUSE })),
      },
    ],
  });
  const model = await openModel('a.ecoff', bytes);
  return { model, found: await lintModel(model, bufferSource('a.ecoff', bytes)) };
}

describe('entries that make no sense', () => {
  it('are shown at their bytes', async () => {
    const { model, found } = await findings(1);
    const start = model.relocations.entryOffset[0] ?? 0;
    expect(found).toMatchObject([
      { code: 'ecoff.orphan-lituse', severity: 'error', span: { start, end: start + 16 } },
    ]);
  });

  it('are limited in number', async () => {
    const { found } = await findings(1000);
    expect(found).toHaveLength(201);
    expect(found.at(-1)?.message).toContain('and 800 more');
  });
});

function issuesOf(reloc: Omit<EcoffReloc, 'vaddr'> & { readonly vaddr?: number }) {
  const relocs = [
    { vaddr: 0, symndx: 1, type: 0 },
    { vaddr: 0, ...reloc },
  ];
  const file = readEcoff(
    ecoffObject({
      externals: [{ name: 's' }],
      sections: [{ name: '.text', flags: STYP.text, vaddr: 0, data: words(0, 0), relocs }],
    }),
    [],
  );
  const table = file?.relocations[0];
  if (file === null || table === undefined) throw new Error('the object was not read');
  return { found: restrictionIssues(file, table), start: table.fileOffset + 16 };
}

describe('restrictions on the fields of entries', () => {
  it.each([
    ['an unknown type', { type: 23, symndx: 1 }, /unknown type/],
    ['an external literal', { type: 4, symndx: 0, extern: true }, /must be local/],
    ['a literal in .data', { type: 4, symndx: 3 }, /\.lita/],
    ['a symbol that is not there', { type: 1, symndx: 1, extern: true }, /external symbol 1/],
    ['a section that is not there', { type: 1, symndx: 19 }, /section number 19/],
    ['a literal use of no kind', { type: 5, symndx: 4 }, /subtype 4/],
    ['an immediate of no kind', { type: 19, symndx: 1, size: 6 }, /subtype 6/],
    ['a TLS half in .text', { type: 21, symndx: 1 }, /\.tlsdata/],
    ['an r_offset without OP_STORE', { type: 2, symndx: 1, offset: 3 }, /r_offset 3, expected 0/],
    ['an r_size without a field', { type: 2, symndx: 1, size: 3 }, /r_size 3, expected 0/],
    ['a TLS half of an ordinary symbol', { type: 21, symndx: 0, extern: true }, /not a TLS symbol/],
    ['an OP_STORE in another section', { type: 13, symndx: 3, size: 8 }, /r_symndx 3, expected 1/],
    ['a GPDISP without ldah and lda', { type: 6, symndx: 4 }, /one ldah and one lda/],
    ['a jump that is none', { type: 5, symndx: 3 }, /must name a jump; found opcode 0x0/],
    ['an IMMED of a call', { type: 19, symndx: 1, size: 1 }, /memory-format instruction/],
    ['a place outside', { type: 2, symndx: 1, vaddr: 4 }, /outside its section/],
  ])('%s is a warning at its bytes', (_what, reloc, message) => {
    const { found, start } = issuesOf(reloc);
    expect(found).toMatchObject([
      { code: 'ecoff.relocation-field', span: { start, end: start + 16 } },
    ]);
    expect(found[0]?.message).toMatch(message);
  });

  it.each([
    ['section', [5, 6], false, 0, /r_symndx 6, expected 5/],
    ['r_extern', [0, 0], true, 0, /r_extern 1, expected 0/],
    ['displacement', [5, 5], false, 8, /displacement 8, expected 0/],
  ])(
    'a GPRELLOW must agree with its group in its %s',
    (_what, [high, low], extern, displacement, message) => {
      const relocs = [
        { vaddr: 0, symndx: high ?? 0, type: 17 },
        { vaddr: 4, symndx: high ?? 0, type: 18 },
        { vaddr: 8, symndx: low ?? 0, type: 18, extern },
      ];
      const data = words(0x243d0000, 0x20210000, 0x20210000 + displacement, 0);
      const file = readEcoff(
        ecoffObject({
          externals: [{ name: 's' }],
          sections: [{ name: '.text', flags: STYP.text, vaddr: 0, data, relocs }],
        }),
        [],
      );
      const table = file?.relocations[0];
      if (file === null || table === undefined) throw new Error('the object was not read');
      const start = table.fileOffset + 32;
      const found = restrictionIssues(file, table);
      expect(found).toMatchObject([{ span: { start, end: start + 16 } }]);
      expect(found[0]?.message).toMatch(message);
    },
  );

  function messagesOf(
    name: string,
    data: Uint8Array,
    relocs: readonly EcoffReloc[],
  ): readonly string[] {
    const flags = STYP.text;
    const file = readEcoff(
      ecoffObject({ sections: [{ name, flags, vaddr: 0, data, relocs }] }),
      [],
    );
    const table = file?.relocations[0];
    if (file === null || table === undefined) throw new Error('the object was not read');
    return restrictionIssues(file, table).map(({ message }) => message);
  }

  it('demand that a TLS_LOW has the section of its TLS_HIGH', () => {
    const relocs = [
      { vaddr: 0, symndx: 16, type: 21 },
      { vaddr: 4, symndx: 17, type: 22 },
    ];
    expect(messagesOf('.text', words(0x243d0000, 0x20210000), relocs)).toEqual([
      '.text: entry 1, TLS_LOW, has r_symndx 17, expected 16 as in its TLS_HIGH',
    ]);
  });

  it('demand a branch at the offset of an IMMED BR_HI32, on either side', () => {
    const high = { vaddr: 4, type: 19, size: 4 };
    const data = words(0xd3400000, 0x243d0000, 0);
    expect(messagesOf('.text', data, [{ ...high, symndx: 4 }])).toEqual([]);
    expect(messagesOf('.text', data, [{ ...high, symndx: -4 >>> 0 }])).toEqual([]);
    expect(messagesOf('.text', data, [{ ...high, symndx: 0 }])).toEqual([
      '.text: entry 0, IMMED, has r_symndx 0, where no branch instruction is',
    ]);
  });

  it('allow no relocation in a section without raw data', () => {
    expect(messagesOf('.bss', words(0, 0), [{ vaddr: 0, symndx: 3, type: 2 }])).toEqual([
      '.bss: entry 0, REFQUAD, is in .bss, which has no raw data',
    ]);
  });

  it('allow only stack entries between OP_PUSH and OP_STORE', () => {
    const relocs = [12, 2, 13].map((type) => ({
      vaddr: 0,
      symndx: 1,
      type,
      size: type === 13 ? 32 : 0,
    }));
    const file = readEcoff(
      ecoffObject({
        sections: [{ name: '.text', flags: STYP.text, vaddr: 0, data: words(0, 0), relocs }],
      }),
      [],
    );
    const table = file?.relocations[0];
    if (file === null || table === undefined) throw new Error('the object was not read');
    expect(restrictionIssues(file, table).map(({ message }) => message)).toEqual([
      '.text: entry 1, REFQUAD, is between OP_PUSH and OP_STORE, expected only stack entries there',
    ]);
  });

  it('hold in the examples of the document', () => {
    for (const object of [GPDISP_PAIRS, HALVES, LITERAL_USES, PDATA_EXPRESSION]) {
      const file = readEcoff(ecoffObject(object), []);
      for (const table of file?.relocations ?? []) {
        expect(file === null ? null : restrictionIssues(file, table)).toEqual([]);
      }
    }
  });
});
