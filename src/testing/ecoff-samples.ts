/**
 * The examples of the relocation document as objects: each has the section and the relocation
 * entries that the document prints.
 *
 * Source: Tru64 UNIX Object File and Symbol Table Format Specification, section 4.3.4. Each comment
 * begins with the section number of its example.
 */
import { type EcoffObject, type EcoffReloc, STYP, words } from './ecoff-object.ts';

const GP = 0x8040;
/** Encodings of `ldah gp,1(t12)` and `lda gp,-32704(gp)`. */
const LDAH_GP = 0x27bb0001;
const LDA_GP = 0x23bd8040;

/** Section 4.3.4.14: computes begin_address of a code range descriptor by PUSH, PSUB and STORE. */
export const PDATA_EXPRESSION: EcoffObject = {
  gp: GP,
  externals: [
    { name: 'main', st: 6, sc: 1 },
    { name: 'foo', value: 0x30, st: 6, sc: 1 },
    { name: 'printf', st: 6 },
    { name: '_fpdata' },
  ],
  sections: [
    { name: '.text', flags: STYP.text, vaddr: 0, data: new Uint8Array(0x40) },
    {
      name: '.pdata',
      flags: STYP.pdata,
      vaddr: 0x70,
      data: new Uint8Array(0x10),
      relocs: [
        { vaddr: 0x30, symndx: 1, type: 12 },
        { vaddr: 0, symndx: 3, type: 14, extern: true },
        { vaddr: 0x78, symndx: 11, type: 13, size: 32 },
      ],
    },
  ],
};

/** Section 4.3.4.17: computes the hint of the jump at 0x40 by PUSH, PSUB, PRSHIFT and STORE. */
export const HINT_BY_STACK: readonly EcoffReloc[] = [
  { vaddr: 0, symndx: 2, type: 12, extern: true },
  { vaddr: 0x44, symndx: 1, type: 14 },
  { vaddr: 2, symndx: 14, type: 15 },
  { vaddr: 0x40, symndx: 1, type: 13, size: 14 },
];

/**
 * Returns the code of section 4.3.4.17, `ldq t12,-32752(gp)` and `jsr ra,(t12)`, with the given
 * relocation entries.
 */
export function hintOf(relocs: readonly EcoffReloc[]): EcoffObject {
  const data = words(0xa77d8010, 0x6b5b4000, 0, 0);
  return {
    gp: GP,
    externals: [{ name: 'main' }, { name: 'foo' }, { name: 'printf' }],
    sections: [{ name: '.text', flags: STYP.text, vaddr: 0x3c, data, relocs }],
  };
}

/** Section 4.3.4.8: two pairs of ldah and lda that load gp; in the second pair lda comes first. */
export const GPDISP_PAIRS: EcoffObject = {
  gp: GP,
  sections: [
    {
      name: '.text',
      flags: STYP.text,
      vaddr: 0,
      data: words(LDAH_GP, LDA_GP, LDA_GP, LDAH_GP),
      relocs: [
        { vaddr: 0, symndx: 4, type: 6 },
        { vaddr: 8, symndx: 4, type: 6 },
      ],
    },
  ],
};

/** Sections 4.3.4.6 and 4.3.4.7: a literal for a call and a literal for a load. */
export const LITERAL_USES: EcoffObject = {
  gp: 0x8030,
  externals: [{ name: 'printf', st: 6 }, { name: 'datum' }],
  sections: [
    {
      name: '.text',
      flags: STYP.text,
      vaddr: 0,
      // ldq t12,-32752(gp); jsr ra,(t12); ldq t0,-32744(gp); ldq t1,8(t0)
      data: words(0xa77d8010, 0x6b5b4000, 0xa43d8018, 0xa4410008),
      relocs: [
        { vaddr: 0, symndx: 13, type: 4 },
        { vaddr: 4, symndx: 3, type: 5 },
        { vaddr: 4, symndx: 0, type: 8, extern: true },
        { vaddr: 8, symndx: 13, type: 4 },
        { vaddr: 12, symndx: 1, type: 5 },
      ],
    },
    {
      name: '.lita',
      flags: STYP.lita,
      vaddr: 0x40,
      data: new Uint8Array(16),
      relocs: [
        { vaddr: 0x40, symndx: 0, type: 2, extern: true },
        { vaddr: 0x48, symndx: 1, type: 2, extern: true },
      ],
    },
  ],
};

/**
 * Sections 4.3.4.20, 4.3.4.21 to 25 and 4.3.4.28: high and low halves of addresses, and immediates
 * that share a high half.
 */
export const HALVES: EcoffObject = {
  gp: 0x8000,
  externals: [{ name: 'foo', sc: 9 }],
  sections: [
    {
      name: '.text',
      flags: STYP.text,
      vaddr: 0,
      // ldah t0,0(gp); lda t0,16(t0); ldah v0,0(v0); stq t0,0(v0); ldah t0,0(gp); lda t0,16(t0) twice
      data: words(
        0x243d0000,
        0x20210010,
        0x24000000,
        0xb4200000,
        0x243d0000,
        0x20210010,
        0x20210010,
      ),
      relocs: [
        { vaddr: 0, symndx: 5, type: 17 },
        { vaddr: 4, symndx: 5, type: 18 },
        { vaddr: 8, symndx: 0, type: 21, extern: true },
        { vaddr: 12, symndx: 0, type: 22, extern: true },
        { vaddr: 16, symndx: 0, type: 19, size: 2 },
        { vaddr: 20, symndx: 5, type: 19, size: 5 },
        { vaddr: 24, symndx: 5, type: 19, size: 5 },
      ],
    },
    { name: '.sbss', flags: STYP.sbss, vaddr: 0x100, size: 32 },
  ],
};
