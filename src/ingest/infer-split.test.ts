import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  func,
  funcProto,
  int,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  variable,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { ingestBtf } from './btf.ts';
import { inferSplit, type SplitGuess, standsAlone } from './infer-split.ts';
import { gatherEvidence } from './split-evidence.ts';

/** Returns the types of a module of `n` functions as pahole writes them, from id `firstId` on. */
function moduleTypes(firstId: number, n = 5): TypeRecord[] {
  const own = Array.from({ length: n }, (_, i) => [
    funcProto(1, [['arg', firstId + 3 * n]]),
    func(`f${i}`, firstId + 3 * i),
    struct(`s${i}`, 8, [{ name: 'self', type: firstId + 3 * n, bitOffset: 0 }]),
  ]).flat();
  return [
    ...own,
    ptr(firstId + 2),
    variable('counter', 1),
    datasec('.data..percpu', 8, [[firstId + 3 * n + 1, 0, 8]]),
  ];
}

function blobOf(types: readonly TypeRecord[], baseStringLength: number): Uint8Array {
  return btfBlob({ types, baseStringLength }).bytes;
}

function ingest(bytes: Uint8Array) {
  const issues: Issue[] = [];
  return { ...ingestBtf({ bytes, fileOffset: 0, region: 'm.btf' }, null, issues), issues };
}

/** Infers the base of a blob, without a check that the blob is split BTF. */
function infer(types: readonly TypeRecord[], baseStringLength: number): SplitGuess {
  const { types: t } = ingest(blobOf(types, baseStringLength));
  return inferSplit(gatherEvidence(t, 0));
}

describe('inferSplit', () => {
  it('infers both values for a module, and is certain', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 200_000 }),
        fc.integer({ min: 200, max: 4_000_000 }),
        fc.integer({ min: 1, max: 20 }),
        (firstId, strBase, n) => {
          expect(infer(moduleTypes(firstId, n), strBase)).toEqual({
            firstId: { value: firstId, sure: 'certain', faults: 0 },
            strBase: { value: strBase, sure: 'certain', faults: 0 },
          });
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('is not misled by one damaged reference and one damaged name', () => {
    const guess = infer([...moduleTypes(1000), ptr(90_000), int(3_000_000, 4)], 5000);
    expect(guess).toMatchObject({
      firstId: { value: 1000, sure: 'likely', faults: 1 },
      strBase: { value: 5000, sure: 'likely' },
    });
  });

  it('rejects values with types that refer to themselves', () => {
    const own = [struct('s', 8, [{ name: 'm', type: 7, bitOffset: 0 }]), ptr(7), typedef('t', 7)];
    expect(infer(own, 100).firstId).toMatchObject({ value: 8, sure: 'unknown' });
  });

  it('is unknown, with the smallest value that fits, when all references are to the base', () => {
    expect(infer([struct('s', 8, [{ name: 'm', type: 40, bitOffset: 0 }])], 100).firstId).toEqual({
      value: 41,
      sure: 'unknown',
      faults: 0,
    });
  });

  it('is unknown without own strings', () => {
    expect(infer([ptr(3), int(77, 4)], 100).strBase).toEqual({
      value: 78,
      sure: 'unknown',
      faults: 0,
    });
  });

  it('never places variables of a DATASEC into the base', () => {
    const own = [
      variable('a', 1),
      variable('b', 1),
      datasec('.data', 8, [
        [500, 0, 4],
        [501, 4, 4],
      ]),
    ];
    expect(infer(own, 100).firstId).toMatchObject({ value: 500, sure: 'certain' });
  });

  it('infers no larger base than a kernel loads, for any references', () => {
    expect(infer(moduleTypes(0xfffff), 100).firstId.value).toBe(0xfffff);
    for (const firstId of [0x1000000, 0xfffff000]) {
      expect(infer(moduleTypes(firstId), 100).firstId.value).toBeLessThanOrEqual(0x100000);
    }
  });

  it('is unknown for many types without references', () => {
    const own = Array.from({ length: 2000 }, (_, i) => array(i + 10_000, 1, 1));
    expect(infer(own, 100).firstId).toMatchObject({ sure: 'unknown' });
  });
});

describe('standsAlone', () => {
  it('is true if every id and name is inside', () => {
    const { types: t } = ingest(btfBlob({ types: [int('int', 4), ptr(1)] }).bytes);
    expect(standsAlone(gatherEvidence(t, 0))).toBe(true);
  });

  it('is false if ids or names are outside', () => {
    for (const type of [ptr(3), int(900, 4)]) {
      const { types: t } = ingest(btfBlob({ types: [int('int', 4), type] }).bytes);
      expect(standsAlone(gatherEvidence(t, 0))).toBe(false);
    }
  });

  it('allows for types that could not be read', () => {
    const { types: t } = ingest(btfBlob({ types: [int('int', 4), ptr(3)] }).bytes);
    expect(standsAlone(gatherEvidence(t, 12))).toBe(true);
  });
});

describe('split BTF without its base', () => {
  it('is shown with inferred ids, with a note', () => {
    const { types: t, issues } = ingest(blobOf(moduleTypes(700), 3000));
    expect(t).toMatchObject({ firstId: 700, strBase: 3000, split: true, base: null, count: 18 });
    expect(issues).toMatchObject([{ severity: 'warning', code: 'btf.base-missing' }]);
    expect(issues[0]?.message).toContain('699 types (certain) and 3000 bytes of strings (certain)');
  });

  it('is recognised even when its strings begin with NUL', () => {
    const bytes = btfBlob({
      types: moduleTypes(700),
      baseStringLength: 3000,
      strings: Uint8Array.of(0),
    });
    expect(ingest(bytes.bytes).types).toMatchObject({ split: true, firstId: 700, strBase: 3000 });
  });

  it('is not inferred from a few dangling ids and names', () => {
    const types = [int('int', 4), ptr(99), ptr(98), typedef(5000, 97), typedef(6000, 1)];
    expect(ingest(btfBlob({ types }).bytes)).toMatchObject({ types: { split: false }, issues: [] });
  });
});
