import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EcoffFile, readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { relocate } from '#testing/all-at-once.ts';
import {
  type EcoffObject,
  type EcoffReloc,
  ecoffObject,
  STYP,
  words,
} from '#testing/ecoff-object.ts';
import {
  GPDISP_PAIRS,
  HALVES,
  HINT_BY_STACK,
  hintOf,
  LITERAL_USES,
  PDATA_EXPRESSION,
} from '#testing/ecoff-samples.ts';
import { groupsOf } from './groups.ts';
import { identityLayout, type Layout } from './layout.ts';
import { restrictionIssues } from './lint.ts';
import { literalUseOf } from './literal-use.ts';
import { patchedData } from './patch.ts';
import type { Outcome } from './relocate.ts';
import { formulaOf } from './relocation-formulas.ts';
import { ecoffReport } from './report.ts';
import { reportJson } from './report-value.ts';
import { littleEndian, sitesOf } from './sites.ts';

function open(object: EcoffObject) {
  const file: EcoffFile | null = readEcoff(ecoffObject(object), []);
  const table = file?.relocations[0];
  const section = file?.sections[table?.section ?? -1];
  if (file === null || table === undefined || section === undefined) throw new Error('not read');
  return { file, table, section };
}

function layout(
  sections: Record<string, bigint>,
  symbols: Record<string, bigint>,
  gp: bigint,
): Layout {
  return {
    sections: new Map(Object.entries(sections)),
    symbols: new Map(Object.entries(symbols)),
    gp,
    link: 'final',
  };
}

/** Returns an object whose `.text` at 0x100 has a word and one entry. */
function one(word: number, reloc: Partial<EcoffReloc> & { readonly type: number }): EcoffObject {
  const relocs = [{ vaddr: 0x100, symndx: 1, ...reloc }];
  return {
    gp: 0x8000,
    externals: [{ name: 'a' }, { name: 's' }],
    sections: [{ name: '.text', flags: STYP.text, vaddr: 0x100, data: words(word, 0), relocs }],
  };
}

function outcomeOf(object: EcoffObject, under: Layout): Outcome {
  const { file, table } = open(object);
  const [outcome] = relocate(file, table, under);
  if (outcome === undefined) throw new Error('no entry');
  return outcome;
}

describe('the results of a relocation', () => {
  const moved = layout({ '.text': 0x1100n }, { s: 0x3000n }, 0x9000n);

  // The three expected results are in the order document, ld, meant.
  it.each([
    ['REFLONG extern', one(4, { type: 1, extern: true }), [0x3004n, 0x3004n, 0x3004n]],
    ['REFLONG local', one(0x104, { type: 1 }), [0x1104n, 0x1104n, 0x1104n]],
    ['GPREL32 extern', one(0, { type: 3, extern: true }), [-0x6000n, 0x2000n, -0x6000n]],
    ['GPREL32 local', one(0, { type: 3 }), [0n, 0n, 0n]],
    ['BRADDR extern', one(0, { type: 7, extern: true }), [0x7c0n, 0x7bfn, 0x7bfn]],
    ['BRADDR local', one(0xd3400007, { type: 7 }), [8n, 7n, 7n]],
    ['HINT extern', one(0, { type: 8, extern: true }), [0x7c0n, 0x7c0n, 0x7bfn]],
    ['SREL32 extern', one(9, { type: 10, extern: true }), [0x1f00n, 0x1e05n, 0x1f00n]],
    ['SREL32 local', one(9, { type: 10 }), [9n, 9n, 9n]],
    ['TLS_LITERAL', one(0xa43d8010, { type: 20 }), [-0x7ff0n, null, -0x7ff0n]],
  ])('%s by each reading', (_what, object, [document, ld, meant]) => {
    expect(outcomeOf(object, moved)).toMatchObject({
      results: { document, ld, meant },
      problem: null,
    });
  });

  it.each([
    [
      'an address over 32 bits',
      one(0, { type: 1, extern: true }),
      { s: 2n ** 32n },
      'does not fit',
    ],
    ['a branch too far', one(0, { type: 7, extern: true }), { s: 2n ** 23n }, 'does not fit'],
    [
      'a target between instructions',
      one(0, { type: 7, extern: true }),
      { s: 6n },
      'is not a multiple of 4',
    ],
    [
      'a symbol nobody states',
      one(0, { type: 1, extern: true }),
      {},
      'needs a value that is not set',
    ],
    ['a place outside', one(0, { type: 2, vaddr: 0x104 }), {}, 'points outside the raw data'],
    [
      'a pair of other instructions',
      one(0, { type: 6, symndx: 4 }),
      {},
      'does not name an lda and an ldah',
    ],
    ['a lone low half', one(0, { type: 18 }), {}, 'has no partner'],
    ['a store from nothing', one(0, { type: 13 }), {}, 'underflows the stack'],
  ])('%s is a problem', (_what, object, symbols, problem) => {
    expect(outcomeOf(object, layout({}, symbols, 0x8000n)).problem).toBe(problem);
  });

  it.each([
    [0x7fff7fffn, null],
    [0x7fff8000n, 'does not fit'],
    [-0x80000000n, null],
    [-0x80000001n, 'does not fit'],
  ])('an ldah and an lda hold a distance of %s: %s', (distance, problem) => {
    const object: EcoffObject = {
      gp: 0x8000,
      externals: [{ name: 's' }],
      sections: [
        {
          name: '.text',
          flags: STYP.text,
          vaddr: 0x100,
          data: words(0, 0),
          relocs: [
            { vaddr: 0x100, symndx: 0, extern: true, type: 17 },
            { vaddr: 0x104, symndx: 0, extern: true, type: 18 },
          ],
        },
      ],
    };
    const { file, table } = open(object);
    const outcomes = relocate(file, table, layout({}, { s: 0x8000n + distance }, 0x8000n));
    expect(outcomes[1]).toMatchObject({ results: { meant: distance }, problem });
  });

  it('cuts a hint that is out of range, without an issue', () => {
    const far = layout({}, { s: 2n ** 40n }, 0n);
    expect(outcomeOf(one(0, { type: 8, extern: true }), far).problem).toBeNull();
  });

  it('steps the expression of 4.3.4.14 to its value and stores its low 32 bits', () => {
    const { file, table, section } = open(PDATA_EXPRESSION);
    const under = layout({}, { _fpdata: 0x70n }, 0n);
    const outcomes = relocate(file, table, under);
    const value = BigInt.asUintN(64, 0x30n - 0x70n);
    expect(outcomes.map((outcome) => outcome.stack?.top)).toEqual([0x30n, value, value]);
    const data = patchedData(file, section, outcomes, 'document');
    expect(littleEndian(data.subarray(8, 16))).toBe(0xffffffc0n);
  });

  it('stores the same hint by the stack entries of 4.3.4.17 and by R_HINT', () => {
    const under = layout({ '.text': 0x12000103cn }, { printf: 0x120001080n }, 0n);
    const hint = [{ vaddr: 0x40, symndx: 2, type: 8, extern: true }];
    const stored = [HINT_BY_STACK, hint].map((relocs) => {
      const { file, table, section } = open(hintOf(relocs));
      const data = patchedData(file, section, relocate(file, table, under), 'meant');
      return littleEndian(data.subarray(4, 8)) & 0x3fffn;
    });
    expect(stored).toEqual([15n, 15n]);
  });

  it('of REFLONG and REFQUAD are written to unaligned addresses, too', () => {
    const relocs = [
      { vaddr: 1, symndx: 0, type: 1, extern: true },
      { vaddr: 5, symndx: 0, type: 2, extern: true },
    ];
    const data = words(0x400, 0x800, 0, 0);
    const { file, table, section } = open({
      externals: [{ name: 'i' }],
      sections: [{ name: '.data', flags: STYP.data, vaddr: 0, data, relocs }],
    });
    const outcomes = relocate(file, table, layout({}, { i: 0x14000100n }, 0n));
    const patched = patchedData(file, section, outcomes, 'meant');
    expect(littleEndian(patched.subarray(1, 5))).toBe(0x14000104n);
    expect(littleEndian(patched.subarray(5, 13))).toBe(0x14000108n);
  });

  it('stores no value that depends on an unknown value', () => {
    const { file, table, section } = open(PDATA_EXPRESSION);
    const outcomes = relocate(file, table, layout({}, {}, 0n));
    expect(outcomes.map((outcome) => outcome.stack?.top)).toEqual([0x30n, null, null]);
    expect(outcomes[2]?.results).toBeNull();
    expect(patchedData(file, section, outcomes, 'ld')).toEqual(new Uint8Array(16));
  });

  it('marks bit fields within their quadword', () => {
    const { file, table, section } = open(PDATA_EXPRESSION);
    const store = {
      rVaddr: 0x70n,
      rSymndx: 11,
      rType: 13,
      rExtern: false,
      rOffset: 60,
      rReserved: 0,
      rSize: 14,
    };
    expect(sitesOf(file, section, store)).toMatchObject([
      { byteCount: 8, bitStart: 60, bitLength: 4 },
    ]);
    expect(table.count).toBe(3);
  });

  it('makes every gp load give the new gp, whichever half comes first', () => {
    const { file, table, section } = open(GPDISP_PAIRS);
    const address = fc.bigInt(0n, 0x3fff_ffffn);
    fc.assert(
      fc.property(address, address, (text, gp) => {
        const under = layout({ '.text': text }, {}, gp);
        const outcomes = relocate(file, table, under);
        fc.pre(outcomes.every((outcome) => outcome.problem === null));
        const data = patchedData(file, section, outcomes, 'meant');
        for (const [high, low] of [
          [0, 4],
          [12, 8],
        ] as const) {
          const half = (at: number) => BigInt.asIntN(16, littleEndian(data.subarray(at, at + 2)));
          // The base of the pair, 0x8040 - 0x8040 = 0, moves with the section.
          expect(text + 65536n * half(high) + half(low)).toBe(gp);
        }
      }),
    );
  });

  it('changes no bytes if no address changes', () => {
    for (const object of [GPDISP_PAIRS, HALVES]) {
      const { file, table, section } = open(object);
      const outcomes = relocate(file, table, identityLayout(file));
      const before = file.bytes.subarray(Number(section.sScnptr)).slice(0, Number(section.sSize));
      expect(patchedData(file, section, outcomes, 'meant')).toEqual(before);
    }
  });

  it('carries from the low to the high half', () => {
    const { file, table, section } = open(HALVES);
    const outcomes = relocate(
      file,
      table,
      layout({ '.sbss': 0x8100n }, { foo: 0x18010n }, 0x8000n),
    );
    const data = patchedData(file, section, outcomes, 'meant');
    // 0x8010 is 0x10000 - 0x7ff0, and 0x18010 is 0x20000 - 0x7ff0.
    expect([...data.subarray(0, 2), ...data.subarray(4, 6)]).toEqual([1, 0, 0x10, 0x80]);
    expect([...data.subarray(8, 10), ...data.subarray(12, 14)]).toEqual([2, 0, 0x10, 0x80]);
  });
});

describe('a section of 65,601 entries', () => {
  it('is grouped and relocated like a small table', () => {
    const count = 65_601;
    const relocs = Array.from({ length: count }, (_, n) =>
      n === 0 ? { vaddr: count, symndx: 0, type: 0 } : { vaddr: (n - 1) * 4, symndx: 3, type: 1 },
    );
    const data = new Uint8Array(count * 4);
    const flags = STYP.data | STYP.relocOverflow;
    const { file, table } = open({
      sections: [{ name: '.data', flags, vaddr: 0, data, relocs, nreloc: 0xffff }],
    });
    const outcomes = relocate(file, table, layout({ '.data': 0x1000n }, {}, 0n));
    expect(outcomes.filter((outcome) => outcome.results?.meant === 0x1000n)).toHaveLength(
      count - 1,
    );
    expect(groupsOf(file, table)).toEqual([]);
  });
});

describe('a damaged object', () => {
  it('is reported, grouped and relocated without an exception', () => {
    const whole = [LITERAL_USES, HALVES, PDATA_EXPRESSION, GPDISP_PAIRS].map(ecoffObject);
    const change = fc.tuple(fc.nat(1000), fc.nat(255));
    fc.assert(
      fc.property(fc.nat(3), fc.array(change, { maxLength: 10 }), (which, changes) => {
        const bytes = whole[which]?.slice() ?? new Uint8Array(0);
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
        const file = readEcoff(bytes, []);
        if (file === null) return;
        expect(reportJson(ecoffReport(file))).toMatch(/^\{/);
        for (const table of file.relocations) {
          const section = file.sections[table.section];
          const outcomes = relocate(file, table, identityLayout(file));
          expect(outcomes).toHaveLength(table.count);
          if (section !== undefined) patchedData(file, section, outcomes, 'document');
          for (const group of groupsOf(file, table)) {
            if (group.kind === 'literal') literalUseOf(file, table, group, identityLayout(file));
          }
          restrictionIssues(file, table);
        }
      }),
    );
  });
});

describe('formulas', () => {
  it('of OP_STORE end at the last bit of the field and state the bit order', () => {
    const fields = { rVaddr: 0n, rSymndx: 1, rExtern: false, rReserved: 0 };
    const formula = formulaOf({ ...fields, rType: 13, rOffset: 8, rSize: 16 });
    expect(formula.document).toContain('r_offset to r_offset + r_size - 1 of');
    expect(formula.restriction).toContain('the highest in big-endian ones');
  });

  it('of LITUSE are those of its subtype, and compute nothing that is written', () => {
    const fields = { rVaddr: 0n, rType: 5, rExtern: false, rOffset: 0, rReserved: 0, rSize: 0 };
    const documents = [0, 1, 2, 3].map((rSymndx) => formulaOf({ ...fields, rSymndx }).document);
    expect(documents).toEqual([
      null,
      'disp = new_lit + lituse_disp - GP',
      null,
      '(prologue_size + new_lit - this_new_addr + 4) / 4',
    ]);
    const use = one(0xa4410008, { type: 5, symndx: 1 });
    expect(outcomeOf(use, layout({}, {}, 0n))).toMatchObject({ results: null, problem: null });
  });

  it('have a reason for each difference of ld', () => {
    for (let rType = 0; rType <= 23; rType++) {
      for (const rExtern of [false, true]) {
        for (const rSize of [0, 32]) {
          const formula = formulaOf({
            rVaddr: 0n,
            rSymndx: 1,
            rType,
            rExtern,
            rOffset: 0,
            rReserved: 0,
            rSize,
          });
          expect(formula.reason === null, `type ${rType}`).toBe(formula.ld === null);
        }
      }
    }
  });
});

describe('relaxation of a literal by a linker', () => {
  const text = 0x10000n;
  const use = (group: number, datum: bigint, printf = text + 0x100n) => {
    const { file, table } = open(LITERAL_USES);
    const chosen = groupsOf(file, table)[group];
    if (chosen === undefined) throw new Error('no group');
    const under = layout({ '.text': text, '.lita': 0x18010n }, { datum, printf }, 0x20000n);
    const found = literalUseOf(file, table, chosen, under);
    return [found?.kind, ...(found?.rewrites ?? []).map((rewrite) => rewrite.after)];
  };

  it('a jump becomes a branch within 21 bits', () => {
    expect(use(0, 0n)).toEqual(['branch', 0x2ffe0000, 0xd340003e]);
    expect(use(0, 0n, 2n ** 24n)).toEqual(['none', null, null]);
  });

  it('a load reaches 16 bits from gp in one instruction, 32 bits in two', () => {
    expect(use(1, 0x20010n)).toEqual(['gp16', 0x2ffe0000, 0xa45d0018]);
    expect(use(1, 0x100000n)).toEqual(['gp32', 0x243d000e, 0xa4410008]);
    expect(use(1, 2n ** 34n)).toEqual(['none', null, null]);
  });

  /** Returns the relaxation of `LITERAL_USES` with a second entry on its jump or load. */
  const twice = (subtypes: readonly [number, number], datum: bigint) => {
    const relocs = subtypes.map((symndx) => ({ vaddr: symndx === 3 ? 4 : 12, symndx, type: 5 }));
    const [code, ...others] = LITERAL_USES.sections;
    if (code === undefined) throw new Error('no code');
    const load = { vaddr: 8, symndx: 13, type: 4 };
    const { file, table } = open({
      ...LITERAL_USES,
      sections: [{ ...code, relocs: [load, ...relocs] }, ...others],
    });
    const [group] = groupsOf(file, table);
    if (group === undefined) throw new Error('no group');
    const under = layout({ '.text': text, '.lita': 0x18010n }, { datum, printf: 0n }, 0x20000n);
    const found = literalUseOf(file, table, group, under);
    return [found?.kind, ...(found?.rewrites ?? []).map((rewrite) => rewrite.after)];
  };

  it('the load of a literal with two uses stays', () => {
    expect(twice([1, 1], 0x20010n)).toEqual(['several', null, 0xa45d0018, 0xa45d0018]);
    expect(twice([1, 1], 0x100000n)).toEqual(['none', null, null, null]);
  });

  it('a jump becomes a branch beside other uses, and the load stays', () => {
    expect(twice([3, 3], text + 0x100n)).toEqual(['several', null, 0xd340003e, 0xd340003e]);
    expect(twice([3, 2], text + 0x100n)).toEqual(['several', null, 0xd340003e, null]);
    expect(twice([3, 1], 0x20010n)).toEqual(['several', null, 0xd3404002, 0xa45d0018]);
  });
});
