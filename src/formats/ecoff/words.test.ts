import { describe, expect, it } from 'vitest';
import { fileFlagNames, objectType } from './headers.ts';
import {
  immedName,
  lituseName,
  relocationTypeName,
  sectionNumberName,
  sectionNumberOf,
} from './relocations.ts';
import { sectionFlagNames } from './section-headers.ts';

describe('eCOFF texts', () => {
  it.each([
    [0x20, ['STYP_TEXT']],
    [0x02100000, ['STYP_COMMENT']],
    [0x02800000, ['STYP_PDATA']],
    [0x01000000, ['STYP_FINI']],
    [0x20000040, ['STYP_DATA', 'S_NRELOC_OVFL']],
    [0x80000000, ['STYP_INIT']],
    [0x0f000000, ['STYP_0xf000000']],
  ])('section flags %i: the middle bits are a number', (flags, names) => {
    expect(sectionFlagNames(flags)).toEqual(names);
  });

  it('separates the sharing bits of the file flags', () => {
    expect(fileFlagNames(0x3003)).toEqual(['F_RELFLG', 'F_EXEC']);
    expect(objectType(0)).toBe('none');
    expect(objectType(0x3003)).not.toBe('none');
  });

  it('names each type, subtype and section number of the tables, and only these', () => {
    expect(relocationTypeName(22)).toBe('TLS_LOW');
    expect(relocationTypeName(23)).toBeNull();
    expect([lituseName(0), lituseName(3)]).toEqual([null, 'R_LU_JSR']);
    expect([immedName(1), immedName(6)]).toEqual(['R_IMMED_GP_16', null]);
    for (let number = 1; number <= 18; number++) {
      const name = sectionNumberName(number) ?? '';
      expect(sectionNumberOf(name)).toBe(number === 14 ? null : number);
    }
    expect(sectionNumberName(19)).toBeNull();
  });
});
