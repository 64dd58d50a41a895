/** Facts of entries that the document states: addresses, signs, counts, common symbols, gp ranges. */
import { describe, expect, it } from 'vitest';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { relocIndex } from '#model/ids.ts';
import { type EcoffReloc, ecoffObject, STYP, words } from '#testing/ecoff-object.ts';
import { openModel } from '#testing/open-model.ts';
import { restrictionIssues } from './lint.ts';
import { ECOFF } from './module.ts';

const GP = 0x8000;
const IMMED = 19;
const [GP_16, GP_HI32, SCN_HI32, BR_HI32, LO32] = [1, 2, 3, 4, 5];
const lda = (displacement: number) => 0x20210000 | (displacement & 0xffff);
const BR = 0xc0200000;

/** Returns the model of a .text at 0x1000 that holds `code`, with `relocs`. */
function modelOf(code: readonly number[], relocs: readonly EcoffReloc[]) {
  return openModel(
    'a.ecoff',
    ecoffObject({
      gp: GP,
      externals: [
        { name: 'placed', value: 0x1008, sc: 1, st: 6 },
        { name: 'common', value: 24, sc: 17 },
      ],
      sections: [{ name: '.text', flags: STYP.text, vaddr: 0x1000, data: words(...code), relocs }],
    }),
  );
}

describe('the address of an immediate', () => {
  it.each<[string, readonly EcoffReloc[], string, string]>([
    [
      'gp and 16 bits',
      [{ vaddr: 0x1000, symndx: 0, type: IMMED, size: GP_16, extern: true }],
      '0x7ff0',
      'gp 0x8000 - 0x10',
    ],
    [
      'gp and 32 bits',
      [
        { vaddr: 0x1004, symndx: 0, type: IMMED, size: GP_HI32 },
        { vaddr: 0x1000, symndx: 1, type: IMMED, size: LO32 },
      ],
      '0x27ff0',
      'gp 0x8000 + 0x1fff0',
    ],
    [
      'the section and 32 bits',
      [
        { vaddr: 0x1004, symndx: 0, type: IMMED, size: SCN_HI32 },
        { vaddr: 0x1000, symndx: 1, type: IMMED, size: LO32 },
      ],
      '0x20ff0',
      'start of the section 0x1000 + 0x1fff0',
    ],
    [
      'a branch and 32 bits',
      [
        { vaddr: 0x1004, symndx: 4, type: IMMED, size: BR_HI32 },
        { vaddr: 0x1000, symndx: 1, type: IMMED, size: LO32 },
      ],
      '0x20ffc',
      'instruction after the branch 0x100c + 0x1fff0',
    ],
  ])('%s', async (_what, relocs, address, words) => {
    const model = await modelOf([lda(-16), lda(2), BR, 0], relocs);
    const last = relocIndex(relocs.length - 1);
    expect(relocationMeaning(model, last).words).toContain(`The address is ${address}: ${words}.`);
    const { fields } = ECOFF.relocations.detail(model, last, ECOFF.relocations.storedLayout(model));
    expect(fields).toContainEqual({ name: 'address', value: address, meaning: words });
  });
});

describe('fields', () => {
  it('the distance back to a branch is negative', async () => {
    const model = await modelOf(
      [BR, 0, lda(1), lda(2)],
      [
        { vaddr: 0x1008, symndx: 4294967288, type: IMMED, size: BR_HI32 },
        { vaddr: 0x100c, symndx: 1, type: IMMED, size: LO32 },
      ],
    );
    const layout = ECOFF.relocations.storedLayout(model);
    expect(ECOFF.relocations.cells(model, relocIndex(0), layout).symndx).toBe('-8');
    const { fields } = ECOFF.relocations.detail(model, relocIndex(0), layout);
    expect(fields[1]).toEqual({ name: 'r_symndx', value: '-8', meaning: 'bytes to the branch' });
  });

  it('a common symbol has no address: its value is its size', async () => {
    const model = await modelOf(
      [0, 0],
      [
        { vaddr: 0x1000, symndx: 1, type: 1, extern: true },
        { vaddr: 0x1004, symndx: 0, type: 1, extern: true },
      ],
    );
    expect(relocationMeaning(model, relocIndex(0))).toMatchObject({ symbolValue: null });
    expect(relocationMeaning(model, relocIndex(0)).words).toContain('a common symbol of 24 bytes');
    expect(relocationMeaning(model, relocIndex(1))).toMatchObject({ symbolValue: 0x1008n });
  });

  it('an R_ABS entry is a count, a mark of GPDISP, or padding', async () => {
    const relocs = [
      { vaddr: 4, symndx: 0, type: 0 },
      { vaddr: 0x1000, symndx: 4, type: 6 },
      { vaddr: 0x1004, symndx: 0, type: 0 },
      { vaddr: 0, symndx: 0, type: 0 },
    ];
    const model = await openModel(
      'a.ecoff',
      ecoffObject({
        sections: [
          {
            name: '.text',
            flags: STYP.text | STYP.relocOverflow,
            vaddr: 0x1000,
            data: words(0x27bb0000, 0x23bd0000),
            nreloc: 0xffff,
            relocs,
          },
        ],
      }),
    );
    const texts = [0, 2, 3].map((row) => relocationMeaning(model, relocIndex(row)).words);
    expect(texts[0]).toContain('the number of entries of .text, 4');
    expect(texts[1]).toContain('marks the second instruction');
    expect(texts[2]).toContain('a deleted entry, or padding');
  });
});

describe('groups of gp ranges (4.3.2.2)', () => {
  const GPVALUE = 16;
  const literal = (vaddr: number) => ({ vaddr, symndx: 13, type: 4 });
  const gpvalue = (vaddr: number) => ({ vaddr, symndx: 0x10, type: GPVALUE });

  it.each<[string, readonly EcoffReloc[], readonly (readonly [number, RegExp])[]]>([
    ['entries by range', [literal(0x1000), gpvalue(0x1008), literal(0x100c)], []],
    [
      'an entry before its range',
      [literal(0x1000), gpvalue(0x1008), literal(0x1004)],
      [[2, /from 0x1008/]],
    ],
    ['an entry after its range', [literal(0x100c), gpvalue(0x1008)], [[0, /before 0x1008/]]],
    ['a range before a range', [gpvalue(0x1008), gpvalue(0x1004)], [[1, /before the range above/]]],
  ])('%s', (_what, relocs, found) => {
    const file = readEcoff(
      ecoffObject({
        gp: GP,
        sections: [
          { name: '.text', flags: STYP.text, vaddr: 0x1000, data: words(0, 0, 0, 0), relocs },
        ],
      }),
      [],
    );
    const table = file?.relocations[0];
    const issues = file && table ? restrictionIssues(file, table) : [];
    expect(issues).toHaveLength(found.length);
    for (const [i, [entry, message]] of found.entries()) {
      expect(issues[i]?.message).toContain(`entry ${entry},`);
      expect(issues[i]?.message).toMatch(message);
    }
  });
});
