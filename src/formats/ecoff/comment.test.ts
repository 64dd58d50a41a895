import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import { assemble, raw, u32, u64 } from '#testing/assemble.ts';
import { commentData, ecoffObject, STYP } from '#testing/ecoff-object.ts';
import type { CommentSection } from './comment.ts';
import { compactExpressionAt, compactRecordAt } from './compact.ts';
import { readEcoff } from './ecoff-file.ts';

const TEXT = new TextEncoder().encode('.text\0\0\0');

/** Returns a record of the table of compact relocations. */
function record(vOffset: number, info: number) {
  return [u32(vOffset), u32(info >>> 0)];
}

const RECORDS = [
  ...record(0, 4 | (1 << 5)),
  ...record(4, 5 | (1 << 5)),
  ...record(8, 2 | (1 << 5) | (4 << 10)),
  ...record(40, 10 | (3 << 5)),
  ...record(48, 11 | (4 << 5) | (16 << 11)),
  ...record(52, 12 | (5 << 5) | (3 << 11)),
  ...record(56, 13),
  ...record(60, 14 | (-2 << 5)),
  ...record(64, 15 | (16 << 5)),
];

/** Returns compact relocations: one section header, nine records, one expression, one gp value. */
function compact(rlcNum = 9n): Uint8Array {
  return assemble(
    'little',
    ...[u32(2), u32(4), u64(1n), u64(rlcNum), u64(1n), u64(1n)],
    ...[u64(72n), u64(136n), u64(208n), u64(224n)],
    ...[raw(TEXT), u64(9n), u64(1n), u64(1n), u64(0n), u64(0n), u64(0n), u64(1n)],
    ...RECORDS,
    ...[u64(0x78n), u32(4 | (11 << 5) | (5 << 10) | (14 << 16) | (1 << 22)), u32(0)],
    ...[u64(0x1000n), u32(64_000), u32(0)],
  ).bytes;
}

function read(data: Uint8Array): {
  readonly comment: CommentSection | null;
  readonly issues: readonly Issue[];
} {
  const issues: Issue[] = [];
  const object = ecoffObject({
    sections: [{ name: '.comment', flags: STYP.comment, vaddr: 0, data }],
  });
  return { comment: readEcoff(object, issues)?.comment ?? null, issues };
}

describe('the .comment section', () => {
  it('lists its subsections up to the terminating subsection', () => {
    const { comment, issues } = read(commentData(7, new TextEncoder().encode('cc 6.5')));
    expect(issues).toEqual([]);
    const start = comment?.fileOffset ?? 0;
    expect(comment?.subsections).toMatchObject([
      { cmTag: 3, cmLen: 0, dataFileOffset: null },
      { cmTag: 7, cmLen: 6, cmVal: 48n, dataFileOffset: start + 48 },
      { cmTag: 0, cmLen: 0 },
    ]);
  });

  it('lists subsections and an issue if the terminator is missing or data lies outside', () => {
    const data = commentData(7, new Uint8Array(6));
    const outside = data.slice();
    outside[24] = 0xf0;
    expect(read(data.subarray(0, 32)).issues.map((i) => i.code)).toEqual([
      'ecoff.comment-data',
      'ecoff.comment-no-end',
    ]);
    const { comment, issues } = read(outside);
    expect(comment?.subsections).toHaveLength(3);
    const start = (comment?.fileOffset ?? 0) + 16;
    expect(issues).toMatchObject([
      { code: 'ecoff.comment-data', span: { start, end: start + 16 } },
    ]);
  });
});

describe('compact relocations', () => {
  const { comment, issues } = read(commentData(4, compact()));
  const found = comment?.subsections[1]?.compact ?? null;
  if (found === null) throw new Error('no compact relocations');

  it('have tables at the offsets of their header', () => {
    expect(issues).toEqual([]);
    expect([found.header.versionMajor, found.header.versionMinor]).toEqual([2, 4]);
    expect(found.sections).toMatchObject([{ name: '.text', rlcSnum: 9n, isSorted: true }]);
    expect(found.gpValues.gpOffset[0]).toBe(64_000);
  });

  it.each([
    [0, 'CMRLC_GPDISP', { kind: 'gpdisp', ldaOffset: 1 }],
    [1, 'CMRLC_BRADDR', { kind: 'other', relScn: 1, isAssumed: false }],
    [2, 'CMRLC_REFQUAD', { kind: 'address', relScn: 1, count: 4 }],
    [3, 'CMRLC_EXPRESSION', { kind: 'expression', index: 3 }],
    [4, 'CMRLC_IMMEDHI', { kind: 'immed-high', subop: 4, brOffset: 16 }],
    [5, 'CMRLC_IMMEDLO', { kind: 'immed-low', subop: 5, relScn: 3 }],
    [6, 'CMRLC_NO_RELOC', { kind: 'nothing' }],
    [7, 'CMRLC_VADJUST', { kind: 'adjust', adjust: -2 }],
    [8, 'CMRLC_TLS_HIGH', { kind: 'other', relScn: 16, isAssumed: true }],
  ])('record %i is %s', (index, typeName, meaning) => {
    expect(compactRecordAt(found.records, index)).toMatchObject({ typeName, meaning });
  });

  it('contain expressions', () => {
    expect(compactExpressionAt(found.expressions, 0)).toMatchObject({
      ...{ vaddr: 0x78n, typeName: 'CMRLC_EXPR_STORE', relScn: 11 },
      ...{ offset: 5, size: 14, isLast: true },
    });
  });

  it('lose only the table that does not fit', () => {
    const cut = read(commentData(4, compact(1n << 61n)));
    expect(cut.issues).toMatchObject([{ code: 'ecoff.compact-table' }]);
    const left = cut.comment?.subsections[1]?.compact;
    expect(left?.records.count).toBe(0);
    expect(left?.expressions.count).toBe(1);
  });
});
