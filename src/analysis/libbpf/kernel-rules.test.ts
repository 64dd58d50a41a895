import { describe, expect, it } from 'vitest';
import { BLOB_RULES, META_RULES, REFERENCE_RULES } from '#analysis/kernel/rules.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { headerBlobs, metaBlobs, referenceBlobs } from '#testing/kernel-rule-blobs.ts';
import { checkBtf } from './check-btf.ts';

describe.each(['little', 'big'] as const)('rules of the kernel, %s-endian', (endian) => {
  const little = endian === 'little';

  it.each([...metaBlobs, ...referenceBlobs])('$word: $rule', (rule, types, typeId, at) => {
    const blob = btfBlob({ types, endian });
    const verdict = checkBtf(blob.bytes, null);
    const { unnamed = false, ...said } = rule;
    const named = { typeId: unnamed ? null : typeId };
    expect(verdict.native).toMatchObject({ ...said, ...named, verdict: 'refused' });
    expect(verdict.kernel).toEqual(
      little ? verdict.native : expect.objectContaining(BLOB_RULES.headerCut),
    );
    const [problem] = verdict.problems.filter((p) => p.rule === rule.rule);
    // The kind is in the last byte of info (little-endian) or in the first (big-endian).
    const wanted =
      at === 7 && !little ? 4 : at === 4 && rule !== META_RULES.info && !little ? 6 : at;
    const record = blob.typeOffsets[typeId - 1] ?? 0;
    expect((problem?.blobOffset ?? 0) - record).toBe(wanted);
    expect(problem?.sentence).toMatch(/^\S.*\.$/);
  });

  it.each(headerBlobs)('$word: $rule', (rule, spec, at) => {
    const { native, problems } = checkBtf(btfBlob({ ...spec, endian }).bytes, null);
    expect(native).toMatchObject({ ...rule, typeId: null, blobOffset: at });
    expect(problems.some((p) => p.rule === rule.rule && p.blobOffset === at)).toBe(true);
  });
});

it('has a row for every rule but those for whole sizes, which have tests of their own', () => {
  const all = [BLOB_RULES, META_RULES, REFERENCE_RULES].flatMap((rules) => Object.entries(rules));
  const tried = new Set([...metaBlobs, ...referenceBlobs, ...headerBlobs].map(([rule]) => rule));
  expect(all.flatMap(([name, rule]) => (tried.has(rule) ? [] : [name]))).toEqual([
    'blobSize',
    'hdrLenMissing',
    'magic',
    'noData',
    'stringsLast',
    'tooManyTypes',
    'argName',
  ]);
});
