import { describe, expect, it } from 'vitest';
import { readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { ecoffListing } from '#testing/all-at-once.ts';
import { ecoffObject, STYP, words } from '#testing/ecoff-object.ts';
import { HALVES, HINT_BY_STACK, hintOf, PDATA_EXPRESSION } from '#testing/ecoff-samples.ts';
import { ecoffListingLines } from './listing.ts';

describe('the relocation listing', () => {
  it('has the columns of the document', () => {
    const file = readEcoff(ecoffObject(PDATA_EXPRESSION), []);
    expect(file === null ? '' : ecoffListing(file)).toBe(
      `                        ***RELOCATION INFORMATION***
          Vaddr         Symndx   Type  Off Size Extern  Name

.pdata:
    0x0000000000000030       1    PUSH          local   .text
    0x0000000000000000       3    PSUB          extern  _fpdata
    0x0000000000000078      11   STORE   0   32 local   .pdata
`,
    );
  });

  it('shortens the names of the halves', () => {
    const file = readEcoff(ecoffObject(HALVES), []);
    const lines = file === null ? [] : [...ecoffListingLines(file)];
    expect(lines.slice(4, 8).map((line) => line.slice(31, 39).trim())).toEqual([
      'GPHIGH',
      'GPLOW',
      'TLSHIGH',
      'TLSLOW',
    ]);
  });

  it('begins with the number of entries in the example of 4.3.4.1, 99,993 of .text', () => {
    const count = 99_993;
    const relocs = Array.from({ length: count }, (_, n) =>
      n === 0 ? { vaddr: count, symndx: 0, type: 0 } : { vaddr: 0, symndx: 1, type: 1 },
    );
    const flags = STYP.text | STYP.relocOverflow;
    const text = { name: '.text', flags, vaddr: 0, data: words(0), relocs, nreloc: 0xffff };
    const file = readEcoff(ecoffObject({ sections: [text] }), []);
    const lines = file === null ? [] : [...ecoffListingLines(file)];
    expect(lines.slice(3, 5)).toEqual([
      '.text:',
      '    0x0000000000018699       0     ABS          local   <null>',
    ]);
    expect(lines).toHaveLength(4 + count);
  });

  it('has the lines of the example of 4.3.4.17, a hint by stack entries', () => {
    const file = readEcoff(ecoffObject(hintOf(HINT_BY_STACK)), []);
    const lines = file === null ? [] : [...ecoffListingLines(file)];
    expect(lines.slice(4)).toEqual([
      '    0x0000000000000000       2    PUSH          extern  printf',
      '    0x0000000000000044       1    PSUB          local   .text',
      '    0x0000000000000002      14 PRSHIFT          local   R_SN_ABS',
      '    0x0000000000000040       1   STORE   0   14 local   .text',
    ]);
  });
});
