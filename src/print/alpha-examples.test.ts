/**
 * Tests the examples of the document on Alpha relocations: code and listing, results after
 * linking, and literals that a linker rewrites. Source: Tru64 UNIX Object File and Symbol Table
 * Format Specification, 4.3.4.2 to 4.3.4.28. Addresses that the document does not state (of
 * `.lita`, of symbols, of the linked file) are chosen here.
 */
import { describe, expect, it } from 'vitest';
import { groupsOf } from '#analysis/ecoff/groups.ts';
import type { Layout } from '#analysis/ecoff/layout.ts';
import { ecoffFindings } from '#analysis/ecoff/lint.ts';
import { literalUseOf } from '#analysis/ecoff/literal-use.ts';
import { wordAt } from '#analysis/ecoff/sites.ts';
import { finish } from '#bytes/long-work.ts';
import { type EcoffFile, readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { ecoffListing, relocate } from '#testing/all-at-once.ts';
import {
  type EcoffExternal,
  type EcoffReloc,
  type EcoffSection,
  ecoffObject,
  STYP,
  words,
} from '#testing/ecoff-object.ts';
import { alphaInsnText } from './alpha-insn.ts';

type Example = {
  /** Section that contains the relocation entries. */
  readonly in: EcoffSection;
  /** Other sections that the entries refer to. */
  readonly targets?: readonly EcoffSection[];
  readonly externals?: readonly EcoffExternal[];
  readonly gp?: number;
  /** Lines of the document's listing. */
  readonly listing: string;
  /** Addresses and instructions in the document. */
  readonly code?: string;
  readonly layout: Layout;
  /** Result of each entry; null for an entry that patches nothing. */
  readonly results: readonly (bigint | null)[];
};

const GP = 0x8040;

function layout(
  sections: Record<string, bigint>,
  gp = 0n,
  symbols: Record<string, bigint> = {},
): Layout {
  return {
    sections: new Map(Object.entries(sections)),
    symbols: new Map(Object.entries(symbols)),
    gp,
    link: 'final',
  };
}

function text(code: readonly number[], vaddr: number, relocs: readonly EcoffReloc[]): EcoffSection {
  return { name: '.text', flags: STYP.text, vaddr, data: words(...code), relocs };
}

function section(name: string, flags: number, vaddr: number, size: number): EcoffSection {
  return { name, flags, vaddr, data: new Uint8Array(size) };
}

const LITA = section('.lita', STYP.lita, 0x50, 0x100);

const EXAMPLES: Readonly<Record<string, Example>> = {
  '4.3.4.2 R_REFLONG, 1: &i + 1, with 4 stored': {
    in: {
      name: '.sdata',
      flags: 0x200,
      vaddr: 0,
      data: words(4, 0),
      relocs: [{ vaddr: 0, symndx: 0, type: 1, extern: true }],
    },
    externals: [{ name: 'I' }],
    listing: '0x0000000000000000       0 REFLONG          extern  I',
    layout: layout({}, 0n, { I: 0x14000100n }),
    results: [0x14000104n],
  },
  '4.3.4.2 R_REFLONG, 2: .long I': {
    in: {
      name: '.sdata',
      flags: 0x200,
      vaddr: 0,
      data: words(0, 0),
      relocs: [{ vaddr: 0, symndx: 0, type: 1, extern: true }],
    },
    externals: [{ name: 'I' }],
    listing: '0x0000000000000000       0 REFLONG          extern  I',
    layout: layout({}, 0n, { I: 0x14000100n }),
    results: [0x14000100n],
  },
  '4.3.4.3 R_REFQUAD, 1: printf("printing!\\n")': {
    in: {
      ...LITA,
      vaddr: 0x70,
      data: words(0, 0, 0x48, 0),
      relocs: [
        { vaddr: 0x70, symndx: 1, type: 2, extern: true },
        { vaddr: 0x78, symndx: 3, type: 2 },
      ],
    },
    targets: [section('.data', STYP.data, 0x40, 0x10)],
    externals: [{ name: 'main' }, { name: 'printf' }],
    listing: `0x0000000000000070       1 REFQUAD          extern  printf
    0x0000000000000078       3 REFQUAD          local   .data`,
    layout: layout({ '.data': 0x140000000n }, 0n, { printf: 0x3ff80010n }),
    results: [0x3ff80010n, 0x140000008n],
  },
  '4.3.4.3 R_REFQUAD, 2: b: .quad y': {
    in: {
      ...section('.data', STYP.data, 0, 8),
      relocs: [{ vaddr: 0, symndx: 0, type: 2, extern: true }],
    },
    externals: [{ name: 'y' }],
    listing: '0x0000000000000000       0 REFQUAD          extern  y',
    layout: layout({}, 0n, { y: 0x140000020n }),
    results: [0x140000020n],
  },
  '4.3.4.4 R_GPREL32, 1: a jump table of seven cases': {
    in: {
      name: '.rconst',
      flags: 0x02200000,
      vaddr: 0xd0,
      data: words(...Array.from({ length: 7 }, (_, i) => 0x20 + 8 * i - GP)),
      relocs: Array.from({ length: 7 }, (_, i) => ({ vaddr: 0xd0 + 4 * i, symndx: 1, type: 3 })),
    },
    targets: [section('.text', STYP.text, 0, 0x80)],
    listing: `0x00000000000000d0       1 GPREL32          local   .text
    0x00000000000000d4       1 GPREL32          local   .text
    0x00000000000000d8       1 GPREL32          local   .text
    0x00000000000000dc       1 GPREL32          local   .text
    0x00000000000000e0       1 GPREL32          local   .text
    0x00000000000000e4       1 GPREL32          local   .text
    0x00000000000000e8       1 GPREL32          local   .text`,
    // Case 0 lies at offset 0x20 of .text, so at 0x20 - 0x9000 + 0x1000 from the new gp.
    layout: layout({ '.text': 0x1000n }, 0x9000n),
    results: Array.from({ length: 7 }, (_, i) => 0x1020n + 8n * BigInt(i) - 0x9000n),
  },
  '4.3.4.4 R_GPREL32, 2: a: .gprel32 z': {
    in: {
      ...section('.data', STYP.data, 0, 8),
      relocs: [{ vaddr: 0, symndx: 0, type: 3, extern: true }],
    },
    externals: [{ name: 'z' }],
    listing: '0x0000000000000000       0 GPREL32          extern  z',
    layout: layout({}, 0x9000n, { z: 0x9abcn }),
    results: [0xabcn],
  },
  '4.3.4.5 R_LITERAL: a load from .lita': {
    in: text([0xa77d8068], 0x38, [{ vaddr: 0x38, symndx: 13, type: 4 }]),
    targets: [LITA],
    code: '0x38 ldq t12, -32664(gp)',
    listing: '0x0000000000000038      13 LITERAL          local   .lita',
    // .lita moves by 0x1000 bytes, gp by 0x1010 bytes.
    layout: layout({ '.lita': 0x1050n }, 0x9050n),
    results: [-32680n],
  },
  '4.3.4.6 R_LU_BASE, 1: one use': {
    in: text([0xa63d8070, 0x22310020], 0x100, [
      { vaddr: 0x100, symndx: 13, type: 4 },
      { vaddr: 0x104, symndx: 1, type: 5 },
    ]),
    targets: [LITA],
    code: `0x100: ldq     a1, -32656(gp)
           0x104: lda     a1, 32(a1)`,
    listing: `0x0000000000000100      13 LITERAL          local   .lita
    0x0000000000000104       1  LITUSE          local   R_LU_BASE`,
    layout: layout({}, BigInt(GP)),
    results: [-32656n, null],
  },
  '4.3.4.6 R_LU_BASE, 2: two uses': {
    in: text([0xa43d8020, 0xa4410000, 0x48405602, 0x48003160, 0x44400402, 0xb4410000], 0x130, [
      { vaddr: 0x130, symndx: 13, type: 4 },
      { vaddr: 0x134, symndx: 1, type: 5 },
      { vaddr: 0x144, symndx: 1, type: 5 },
    ]),
    targets: [LITA],
    code: `0x130:      ldq     t0, -32736(gp)
           0x134:      ldq     t1, 0(t0)
           0x138:      zap     t1, 0x2, t1
           0x13c:      insbl   v0, 0x1, v0
           0x140:      or      t1, v0, t1
           0x144:      stq     t1, 0(t0)`,
    listing: `0x0000000000000130      13 LITERAL          local   .lita
    0x0000000000000134       1  LITUSE          local   R_LU_BASE
    0x0000000000000144       1  LITUSE          local   R_LU_BASE`,
    layout: layout({}, BigInt(GP)),
    results: [-32736n, null, null],
  },
  '4.3.4.7 R_LU_JSR: a call by a literal': {
    in: text([0xa77d8020, 0x23defff0, 0xb75e0000, 0x6b5b4000], 0x8, [
      { vaddr: 0x8, symndx: 13, type: 4 },
      { vaddr: 0x14, symndx: 3, type: 5 },
    ]),
    targets: [LITA],
    code: `0x8:   ldq     t12, -32736(gp)
           0xc:   lda     sp,  -16(sp)
           0x10:  stq     ra,  0(sp)
           0x14:  jsr     ra,  (t12)`,
    listing: `0x0000000000000008      13 LITERAL          local   .lita
    0x0000000000000014       3  LITUSE          local   R_LU_JSR`,
    layout: layout({}, BigInt(GP)),
    results: [-32736n, null],
  },
  '4.3.4.8 R_GPDISP: the entry point of a program': {
    in: text([0x27bb0001, 0x23bd8040], 0, [{ vaddr: 0, symndx: 4, type: 6 }]),
    code: `0x0:    ldah    gp, 1(t12)
           0x4:    lda     gp, -32704(gp)`,
    listing: '0x0000000000000000       4  GPDISP          local',
    // The instruction loads gp - t12; t12 is the address of the procedure.
    layout: layout({ '.text': 0x1000n }, 0x19000n),
    results: [0x18000n],
  },
  '4.3.4.9 R_BRADDR: a call of a static function': {
    in: text([0xd35fffee], 0x4c, [{ vaddr: 0x4c, symndx: 1, type: 7 }]),
    code: '0x4c:       bsr     ra, 0x8',
    listing: '0x000000000000004c       1  BRADDR          local   .text',
    // -18 instructions from 0x50 is 0x8, wherever .text is.
    layout: layout({ '.text': 0x12000104cn }),
    results: [-18n],
  },
  // In the document, this listing lacks the R_LITERAL at 0x14.
  '4.3.4.10 R_HINT: a call of printf': {
    in: text([0xa77d8010, 0x6b5b4000], 0x14, [
      { vaddr: 0x18, symndx: 3, type: 5 },
      { vaddr: 0x18, symndx: 0, type: 8, extern: true },
    ]),
    targets: [LITA],
    externals: [{ name: 'printf' }],
    code: `0x14:      ldq     t12, -32752(gp)
           0x18:      jsr     ra, (t12)`,
    listing: `0x0000000000000018       3  LITUSE          local   R_LU_JSR
    0x0000000000000018       0    HINT          extern  printf`,
    layout: layout({ '.text': 0x1014n }, 0n, { printf: 0x1100n }),
    results: [null, (0x1100n - 0x101cn) / 4n],
  },
  '4.3.4.12 R_SREL32: rpd_offset of a code range descriptor': {
    in: {
      name: '.pdata',
      flags: STYP.pdata,
      vaddr: 0x50,
      data: words(0, 0x100 - 0x54),
      relocs: [{ vaddr: 0x54, symndx: 10, type: 10 }],
    },
    targets: [section('.xdata', STYP.xdata, 0x100, 0x10)],
    listing: '0x0000000000000054      10  SREL32          local   .xdata',
    layout: layout({ '.pdata': 0x1050n, '.xdata': 0x5100n }),
    results: [0x5100n - 0x1054n],
  },
  '4.3.4.18 R_GPVALUE: three gp ranges': {
    in: text([], 0x10084cf0, [
      { vaddr: 0x10084cf0, symndx: 64000, type: 16 },
      { vaddr: 0x100cb190, symndx: 111984, type: 16 },
    ]),
    listing: `0x0000000010084cf0   64000 GPVALUE          local
    0x00000000100cb190  111984 GPVALUE          local`,
    layout: layout({}),
    results: [null, null],
  },
  '4.3.4.20 R_GPRELLOW: a++ in kernel code': {
    in: text([0x243d0000, 0x20210010], 0, [
      { vaddr: 0, symndx: 5, type: 17 },
      { vaddr: 4, symndx: 5, type: 18 },
    ]),
    targets: [{ name: '.sbss', flags: STYP.sbss, vaddr: GP, size: 32 }],
    code: `0x0:        ldah   t0,  0(gp)
           0x4:        lda    t0, 16(t0)`,
    listing: `0x0000000000000000       5  GPHIGH          local   .sbss
    0x0000000000000004       5   GPLOW          local   .sbss`,
    layout: layout({ '.sbss': BigInt(GP) + 0x18000n }, BigInt(GP)),
    results: [null, 0x18010n],
  },
  '4.3.4.26 R_TLS_LITERAL: the load of __tlsoffset': {
    in: text([0xa79d8010], 0x14, [{ vaddr: 0x14, symndx: 13, type: 20 }]),
    targets: [LITA],
    code: '0x14:        ldq  at, -32752(gp)',
    listing: '0x0000000000000014      13 TLSLITE          local   .lita',
    layout: layout({ '.lita': 0x1050n }, 0x9048n),
    results: [-32760n],
  },
  '4.3.4.28 R_TLS_LOW: the address of a TLS symbol': {
    in: text([0x9e, 0xa4000060, 0xa79d8010, 0x401c0400, 0xa4000000, 0x24000000, 0xb4200000], 0x0c, [
      { vaddr: 0x20, symndx: 0, type: 21, extern: true },
      { vaddr: 0x24, symndx: 0, type: 22, extern: true },
    ]),
    // Storage class 9 is scTlsUndefined.
    externals: [{ name: 'foo', sc: 9 }],
    code: `0x0c:        call_pal  rduniq
           0x10:        ldq  v0,  96(v0)
           0x14:        ldq  at, -32752(gp)
           0x18:        addq v0, at, v0
           0x1c:        ldq  v0, 0(v0)
           0x20:        ldah v0, 0(v0)
           0x24:        stq  t0, 0(v0)`,
    listing: `0x0000000000000020       0 TLSHIGH          extern  foo
    0x0000000000000024       0  TLSLOW          extern  foo`,
    layout: layout({}, 0n, { foo: 0x18010n }),
    results: [null, 0x18010n],
  },
};

function open({ in: relocated, targets = [], externals = [], gp = GP }: Example) {
  const sections = [relocated, ...targets];
  const file: EcoffFile | null = readEcoff(ecoffObject({ gp, externals, sections }), []);
  const table = file?.relocations[0];
  const header = file?.sections[table?.section ?? -1];
  if (file === null || table === undefined || header === undefined) throw new Error('not read');
  return { file, table, section: header };
}

const packed = (all: string) => all.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
/** Removes spaces, the word call_pal, and the jump targets that only this project prints. */
const insn = (text: string) =>
  text.replace(/\s+|call_pal/g, '').replace(/^(jsrra,\(t12\)),.*/, '$1');

describe.each(Object.entries(EXAMPLES))('example %s', (title, example) => {
  const { file, table, section: relocated } = open(example);

  it('has the listing of the document', () => {
    const ours = packed(ecoffListing(file)).filter((line) => line.startsWith('0x'));
    expect(ours).toEqual(packed(example.listing));
  });

  it('has the instructions of the document', () => {
    for (const line of packed(example.code ?? '').filter((each) => each !== '')) {
      const [, address = '', documented = ''] = /^(0x[\da-f]+):? (.*)$/.exec(line) ?? [];
      const word = wordAt(file, relocated, BigInt(address));
      expect(insn(alphaInsnText(word ?? 0, BigInt(address)))).toBe(insn(documented));
    }
  });

  it('gives these results, which fit', () => {
    const outcomes = relocate(file, table, example.layout);
    expect(outcomes.map(({ results }) => results?.meant ?? null)).toEqual(example.results);
    expect(outcomes.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  });

  it('breaks no rule of the document', () => {
    // For R_HINT and R_GPVALUE, the document prints only some of the entries.
    const isPart = /R_HINT|R_GPVALUE/.test(title);
    expect(isPart ? [] : finish(ecoffFindings(file))).toEqual([]);
  });
});

describe('what a linker makes of the literals of the examples', () => {
  /** Returns the instructions after linking if each slot of `.lita` has the address `literal`. */
  function rewritten(start: string, sections: Record<string, bigint>, literal: bigint) {
    const [match] = Object.entries(EXAMPLES).filter(([title]) => title.startsWith(start));
    if (match === undefined) throw new Error(`no example ${start}`);
    const slots = Array.from({ length: 32 }, (_, i) => ({ vaddr: 0x50 + 8 * i, symndx: 0 }));
    const relocs = slots.map((slot) => ({ ...slot, type: 2, extern: true }));
    const externals = [{ name: 'item' }];
    const { file, table } = open({ ...match[1], targets: [{ ...LITA, relocs }], externals });
    const [group] = groupsOf(file, table);
    if (group === undefined) throw new Error('no group');
    const under = layout(sections, BigInt(GP), { item: literal });
    const use = literalUseOf(file, table, group, under);
    return (use?.rewrites ?? []).map(({ address, before, after }) =>
      insn(alphaInsnText(after ?? before, address)),
    );
  }

  it('4.3.4.6, 1: one instruction from gp is left; the document writes ldq, but the use is an lda', () => {
    expect(rewritten('4.3.4.6 R_LU_BASE, 1', {}, 0x8100n)).toEqual(['unop', 'ldaa1,224(gp)']);
  });

  it('4.3.4.6, 2: the load stays, since the literal has two uses', () => {
    expect(rewritten('4.3.4.6 R_LU_BASE, 2', {}, 0x8100n)).toEqual([
      'ldqt0,-32736(gp)',
      'ldqt1,192(gp)',
      'stqt1,192(gp)',
    ]);
  });

  it('4.3.4.7: the load becomes a NOP, the jump a bsr to 0x1200011d8', () => {
    // The document's listing has 0x120001110 where 0x1200011b0 must follow (an error in it).
    expect(rewritten('4.3.4.7', { '.text': 0x1200011a8n }, 0x1200011d8n)).toEqual([
      'unop',
      'bsrra,0x1200011d8',
    ]);
  });
});
