import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import {
  type EcoffObject,
  type EcoffReloc,
  ecoffObject,
  STYP,
  words,
} from '#testing/ecoff-object.ts';
import { HALVES, LITERAL_USES, PDATA_EXPRESSION } from '#testing/ecoff-samples.ts';
import { type EcoffFile, rawDataOf, readEcoff, startsAsEcoff } from './ecoff-file.ts';
import { externalAt } from './external-symbols.ts';
import { relocationAt } from './relocations.ts';

function read(bytes: Uint8Array): {
  readonly file: EcoffFile | null;
  readonly issues: readonly Issue[];
} {
  const issues: Issue[] = [];
  return { file: readEcoff(bytes, issues), issues };
}

function reloc(n: number): EcoffReloc {
  return { vaddr: n * 4, symndx: 1, type: 1 };
}

function counted(first: EcoffReloc, count: number): EcoffObject {
  const relocs = [first, ...Array.from({ length: count - 1 }, (_, i) => reloc(i))];
  return {
    sections: [
      {
        ...{ name: '.data', flags: STYP.data | STYP.relocOverflow, vaddr: 0 },
        ...{ data: words(1, 2, 3, 4), relocs, nreloc: 0xffff },
      },
    ],
  };
}

describe('an eCOFF file', () => {
  it('is read region by region', () => {
    const { file, issues } = read(ecoffObject(LITERAL_USES));
    expect(issues).toEqual([]);
    expect(file?.header).toMatchObject({ fMagic: 0x183, fNscns: 2, fNsyms: 144, fOpthdr: 80 });
    expect(file?.optional).toMatchObject({ magic: 0o407, gpValue: 0x8030n });
    expect(file?.sections.map((s) => [s.name, s.sVaddr, s.sSize])).toEqual([
      ['.text', 0n, 16n],
      ['.lita', 0x40n, 16n],
    ]);
    const text = file?.sections[0];
    expect(file !== null && text !== undefined && rawDataOf(file, text)).toEqual(
      words(0xa77d8010, 0x6b5b4000, 0xa43d8018, 0xa4410008),
    );
    const externals = file?.externals ?? null;
    expect(externals !== null && externalAt(externals, 1)).toMatchObject({
      name: 'datum',
      st: 1,
      sc: 6,
    });
    expect(externals !== null && externalAt(externals, 2)).toBeNull();
    expect(file?.relocations.map((t) => t.count)).toEqual([5, 2]);
  });

  it('decodes the fields of a relocation entry', () => {
    const { file } = read(ecoffObject(PDATA_EXPRESSION));
    const table = file?.relocations[0];
    expect(table && relocationAt(table, 1)).toMatchObject({ rSymndx: 3, rType: 14, rExtern: true });
    expect(table && relocationAt(table, 2)).toEqual({
      ...{ rVaddr: 0x78n, rSymndx: 11, rType: 13, rExtern: false },
      ...{ rOffset: 0, rReserved: 0, rSize: 32 },
    });
  });

  it('counts 65,601 entries by r_vaddr of the first', () => {
    const bytes = ecoffObject(counted({ vaddr: 65_601, symndx: 0, type: 0 }, 65_601));
    const { file, issues } = read(bytes);
    expect(issues).toEqual([]);
    expect(file?.relocations[0]).toMatchObject({ count: 65_601, overflow: true });
  });

  it.each([
    ['a count in no R_ABS', { vaddr: 4, symndx: 0, type: 1 }, 'ecoff.overflow-count'],
    ['a count of none', { vaddr: 0, symndx: 0, type: 0 }, 'ecoff.overflow-count'],
    ['a count beyond the file', { vaddr: 2n ** 60n, symndx: 0, type: 0 }, 'ecoff.relocations-cut'],
  ])('reads on after %s', (_what, first, code) => {
    const { file, issues } = read(ecoffObject(counted(first, 4)));
    expect(issues.map((issue) => issue.code)).toContain(code);
    expect(file?.relocations[0]?.count).toBeGreaterThanOrEqual(4);
  });

  it('does not read a shared table once per section', () => {
    const bytes = ecoffObject({
      sections: Array.from({ length: 40 }, () => ({
        ...{ name: '.data', flags: STYP.data, vaddr: 0, data: words(0) },
        relocs: [reloc(0)],
      })),
    });
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < 40; i++) {
      // Each table begins where the first table begins, and claims half of the file.
      view.setBigUint64(104 + i * 64 + 40, view.getBigUint64(104 + 40, true), true);
      view.setUint16(104 + i * 64 + 56, 60, true);
    }
    const { file, issues } = read(bytes);
    const entries = file?.relocations.reduce((sum, table) => sum + table.count, 0) ?? 0;
    expect(entries).toBeLessThanOrEqual(bytes.length / 16);
    expect(issues.map((issue) => issue.code)).toContain('ecoff.relocations-overlap');
  });

  it('recognises its magic number only', () => {
    expect(startsAsEcoff(ecoffObject(HALVES))).toBe(true);
    expect(startsAsEcoff(new Uint8Array([0x7f, 0x45]))).toBe(false);
    expect(read(new Uint8Array(40)).issues).toMatchObject([
      { code: 'ecoff.bad-magic', span: { start: 0, end: 2 } },
    ]);
  });

  it('reports every cut, and reads the part before it', () => {
    const whole = ecoffObject(LITERAL_USES);
    for (let length = 0; length < whole.length; length++) {
      const { file, issues } = read(whole.subarray(0, length));
      expect(issues.length, `cut at ${length}`).toBeGreaterThan(0);
      expect(file === null).toBe(length < 24);
    }
  });

  it('throws no other error, whatever bytes are changed', () => {
    const whole = ecoffObject(LITERAL_USES);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const { file, issues } = read(bytes);
        expect(file !== null || issues.length > 0).toBe(true);
      }),
    );
  });
});

/** Packs `object`: a byte is replaced by a bit if the table has it at the current hash. */
function pack(object: Uint8Array): Uint8Array {
  const out: number[] = [];
  const kept = new Uint8Array(4096);
  let hash = 0;
  for (let start = 0; start < object.length; start += 8) {
    const control = out.push(0) - 1;
    for (const [bit, byte] of object.subarray(start, start + 8).entries()) {
      if (kept[hash] !== byte) {
        out[control] = (out[control] ?? 0) | (1 << bit);
        out.push(byte);
        kept[hash] = byte;
      }
      hash = ((hash << 4) ^ byte) & 0xfff;
    }
  }
  const bytes = new Uint8Array(40 + out.length);
  bytes.set([0x88, 0x01]);
  new DataView(bytes.buffer).setBigUint64(24, BigInt(object.length), true);
  bytes.set(out, 40);
  return bytes;
}

describe('a compressed object', () => {
  it('unpacks to the object  and reads like it', () => {
    const object = ecoffObject(LITERAL_USES);
    const file = readEcoff(pack(object), []);
    expect(file?.bytes).toEqual(object);
    expect(file?.compressed?.streamOffset).toBe(40);
  });

  it('unpacks any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (tail) => {
        const object = new Uint8Array([...ecoffObject(LITERAL_USES), ...tail]);
        expect(readEcoff(pack(object), [])?.bytes).toEqual(object);
      }),
    );
  });

  it.each([
    [
      'a size that cannot be',
      (bytes: Uint8Array) => bytes.fill(0xff, 24, 32),
      'ecoff.compressed-size',
      24,
    ],
    [
      'a stream that is cut',
      (bytes: Uint8Array) => bytes.subarray(0, 200),
      'ecoff.compressed-cut',
      200,
    ],
    [
      'no room for its size',
      (bytes: Uint8Array) => bytes.subarray(0, 30),
      'bytes.out-of-bounds',
      0,
    ],
  ])('with %s is an issue', (_what, damage, code, start) => {
    const issues: Issue[] = [];
    expect(readEcoff(damage(pack(ecoffObject(LITERAL_USES))), issues)).toBeNull();
    expect(issues).toMatchObject([{ code, span: { start } }]);
  });

  it('reports the position of a stream that ends early', () => {
    const issues: Issue[] = [];
    const packed = pack(ecoffObject(LITERAL_USES));
    expect(readEcoff(packed.subarray(0, packed.length - 1), issues)).toBeNull();
    expect(issues).toMatchObject([
      { code: 'ecoff.compressed-cut', span: { start: packed.length - 1 } },
    ]);
  });

  it('does not contain another compressed object', () => {
    const issues: Issue[] = [];
    expect(readEcoff(pack(pack(ecoffObject(LITERAL_USES))), issues)).toBeNull();
    expect(issues).toMatchObject([{ code: 'ecoff.compressed-twice' }]);
  });
});
