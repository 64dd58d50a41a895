import { describe, expect, it } from 'vitest';
import { readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { ecoffListing } from '#testing/all-at-once.ts';
import { ecoffObject } from '#testing/ecoff-object.ts';
import { HALVES, PDATA_EXPRESSION } from '#testing/ecoff-samples.ts';
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
});
