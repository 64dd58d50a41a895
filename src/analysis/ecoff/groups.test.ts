import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EcoffFile, readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { relocIndex } from '#model/ids.ts';
import {
  type EcoffObject,
  type EcoffReloc,
  ecoffObject,
  STYP,
  words,
} from '#testing/ecoff-object.ts';
import { GPDISP_PAIRS, HALVES, LITERAL_USES, PDATA_EXPRESSION } from '#testing/ecoff-samples.ts';
import { openModel } from '#testing/open-model.ts';
import { type Group, groupIndexes, groupIssues, groupsOf } from './groups.ts';
import { ecoffMeaning } from './meaning.ts';

function groups(object: EcoffObject): readonly Group[] {
  const { file, table } = open(object);
  return groupsOf(file, table);
}

function open(object: EcoffObject) {
  const file: EcoffFile | null = readEcoff(ecoffObject(object), []);
  const table = file?.relocations[0];
  if (file === null || table === undefined) throw new Error('the object was not read');
  return { file, table };
}

/** Returns an object whose section `.text` has the entries `relocs`. */
function object(...relocs: readonly EcoffReloc[]): EcoffObject {
  const data = words(0, 0, 0, 0);
  return { gp: 0x8000, sections: [{ name: '.text', flags: STYP.text, vaddr: 0, data, relocs }] };
}

function entry(type: number, more: Partial<EcoffReloc> = {}): EcoffReloc {
  return { vaddr: 0, symndx: 1, type, ...more };
}

describe('groups of relocation entries', () => {
  it('write the expression of 4.3.4.14 as the document does', () => {
    expect(groups(PDATA_EXPRESSION)).toMatchObject([
      {
        kind: 'expression',
        members: [0, 1, 2],
        detail: { infix: ['(.pdata+0x78) = (((.text+0x30)-&_fpdata) & 0xffffffff)'], depthMax: 1 },
      },
    ]);
  });

  it('take a literal with the uses that follow it directly', () => {
    expect(groups(LITERAL_USES)).toMatchObject([
      { kind: 'literal', members: [0, 1] },
      { kind: 'literal', members: [3, 4] },
    ]);
  });

  it('have the addresses of both halves of a gp load, and the legacy marker', () => {
    expect(groups(GPDISP_PAIRS)).toMatchObject([
      { detail: { firstVaddr: 0n, secondVaddr: 4n, hasPartnerMarker: false } },
      { detail: { firstVaddr: 8n, secondVaddr: 12n, hasPartnerMarker: false } },
    ]);
    const marked = object(entry(6, { symndx: 4 }), entry(0, { vaddr: 4 }), entry(0, { vaddr: 4 }));
    expect(groups(marked)).toMatchObject([{ members: [0, 1], detail: { hasPartnerMarker: true } }]);
  });

  it('put low halves with their high half', () => {
    expect(groups(HALVES)).toMatchObject([
      { kind: 'gprel-high-low', members: [0, 1] },
      { kind: 'tls-high-low', members: [2, 3] },
      { kind: 'immed-gp', members: [4, 5, 6] },
    ]);
  });

  it('say the gp of each range', () => {
    expect(groups(object(entry(16, { symndx: 64_000 })))).toMatchObject([
      { kind: 'gp-range', detail: { gpValue: 0x8000n + 64_000n } },
    ]);
  });

  it.each([
    ['a use without a literal', [entry(5)], 'orphan-lituse'],
    ['a use behind another type', [entry(4), entry(8), entry(5)], 'orphan-lituse'],
    ['a low half alone', [entry(18)], 'orphan-gprellow'],
    ['a high half alone', [entry(17)], 'gprel-high-low'],
    ['a TLS low half alone', [entry(22)], 'orphan-tls_low'],
    ['an immediate low half alone', [entry(19, { size: 5 })], 'orphan-immed-lo32'],
    ['a store without a push', [entry(13)], 'expression-error'],
    ['a push without a store', [entry(12)], 'expression'],
    ['21 pushes', Array.from({ length: 21 }, () => entry(12)), 'expression'],
  ])('make an issue of %s', (_what, relocs, kind) => {
    const { file, table } = open(object(...relocs));
    const wrong = groupsOf(file, table).filter((group) => group.error !== null);
    expect(wrong.map((group) => group.kind)).toEqual([kind]);
    const start = table.fileOffset + (wrong[0]?.members[0] ?? 0) * 16;
    expect(groupIssues(table, '.text', wrong)).toMatchObject([
      { span: { start, end: start + 16 } },
    ]);
  });

  it('hold each entry at most once, in order, whatever the entries are', () => {
    const anyEntry = fc.record({
      vaddr: fc.nat(64),
      symndx: fc.nat(20),
      type: fc.nat(23),
      extern: fc.boolean(),
      offset: fc.nat(63),
      size: fc.nat(63),
    });
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 40 }), (relocs) => {
        const { file, table } = open(object(...relocs));
        const found = groupsOf(file, table);
        const members = found.flatMap((group) => group.members);
        expect(new Set(members).size).toBe(members.length);
        const firsts = found.map((group) => group.members[0] ?? -1);
        expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
        const indexes = groupIndexes(table, found);
        for (const n of members) expect(found[indexes[n] ?? -1]?.members).toContain(n);
      }),
    );
  });
});

describe('immediates', () => {
  it('lead to gp, the section or the branch plus 16 or 32 bits', async () => {
    const immed = (at: number, size: number, symndx = 3) => entry(19, { vaddr: at, size, symndx });
    const { file } = open({
      gp: 0x18100,
      sections: [
        {
          name: '.text',
          flags: STYP.text,
          vaddr: 0x10000,
          data: words(
            // lda a0,-256(gp); ldah t0,0(gp) and ldl t1,-252(t0)
            ...[0x221dff00, 0x243d0000, 0xa041ff04],
            // ldah t0,1(t1) and lda t0,-32760(t0), from the start of the section
            ...[0x24220001, 0x20218008],
            // bsr ra,0x10018, then ldah t0,1(ra) and lda t0,32756(t0)
            ...[0xd3400000, 0x243a0001, 0x20217ff4],
          ),
          relocs: [
            immed(0x10000, 1),
            immed(0x10004, 2, 0),
            immed(0x10008, 5),
            immed(0x1000c, 3, 0),
            immed(0x10010, 5),
            immed(0x10018, 4, 4),
            immed(0x1001c, 5),
          ],
        },
        { name: '.data', flags: STYP.data, vaddr: 0x18000, data: new Uint8Array(16) },
        { name: '.rdata', flags: 0x100, vaddr: 0x28000, data: new Uint8Array(16) },
      ],
    });
    const model = await openModel('a.out', file.bytes);
    const meanings = Array.from({ length: 7 }, (_, i) => ecoffMeaning(model, relocIndex(i)));
    expect(meanings.map(({ target }) => target && `${target.name}+${target.offset}`)).toEqual([
      '.data+0',
      null,
      '.data+4',
      null,
      '.data+8',
      null,
      '.rdata+12',
    ]);
    expect(meanings[2]?.words).toContain('the address is relative: .data+0x4.');
  });
});
