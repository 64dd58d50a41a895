import { describe, expect, it } from 'vitest';
import { relocationsTouching } from '#analysis/relocations/by-place.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { relocationCounts, relocationSectionSteps } from '#analysis/relocations/sections.ts';
import { finish } from '#bytes/long-work.ts';
import { readEcoff } from '#formats/ecoff/ecoff-file.ts';
import { relocIndex, sectionIndex } from '#model/ids.ts';
import { assemble, type Part, raw, u32, u64 } from '#testing/assemble.ts';
import { commentData, ecoffObject, STYP, words } from '#testing/ecoff-object.ts';
import { openModel } from '#testing/open-model.ts';
import { compactFindings } from './compact-lint.ts';

type Record = readonly [vOffset: number, type: number, rest?: number];
type Expression = { readonly type: number; readonly bits?: number; readonly isLast?: boolean };

type Compact = {
  /** Records by section, in the order of the table. */
  readonly records?: Readonly<{ [section: string]: readonly Record[] }>;
  readonly expressions?: readonly Expression[];
  readonly gpValues?: readonly bigint[];
  readonly isSorted?: boolean;
  /** Added to `rlc_snum` of the first header. */
  readonly more?: number;
};

const LDAH = 0x27bb0000;
const LDA = 0x23bd0000;
const VADDR = 0x1000;

/** Returns a file whose .text begins with an ldah and an lda, with .init of four bytes. */
function fileWith(compact: Compact): Uint8Array {
  const { records = {}, expressions = [], gpValues = [], isSorted = false, more = 0 } = compact;
  const all = Object.values(records).flat();
  const names = Object.keys(records);
  const scnEnd = 72 + 64 * names.length;
  const rlcEnd = scnEnd + 8 * all.length;
  const exprEnd = rlcEnd + 16 * expressions.length;
  let first = 0;
  const headers = names.flatMap((name, i): Part[] => {
    const count = records[name]?.length ?? 0;
    first += count;
    const padded = new Uint8Array(8);
    new TextEncoder().encodeInto(name, padded);
    const isFirst = i === 0;
    return [
      ...[raw(padded), u64(BigInt(count + (isFirst ? more : 0)))],
      ...[
        u64(isFirst ? BigInt(expressions.length) : 0n),
        u64(BigInt(isFirst ? gpValues.length : 0)),
      ],
      ...[u64(BigInt(first - count)), u64(0n), u64(0n), u64(isSorted ? 1n : 0n)],
    ];
  });
  const data = assemble(
    'little',
    ...[u32(2), u32(1), u64(BigInt(names.length)), u64(BigInt(all.length))],
    ...[u64(BigInt(expressions.length)), u64(BigInt(gpValues.length))],
    ...[u64(72n), u64(BigInt(scnEnd)), u64(BigInt(rlcEnd)), u64(BigInt(exprEnd))],
    ...headers,
    ...all.flatMap(([vOffset, type, rest = 0]) => [u32(vOffset), u32((type | (rest << 5)) >>> 0)]),
    ...expressions.flatMap(({ type, bits = 1 << 5, isLast = false }) => [
      ...[u64(0x1000n), u32(type | bits | (isLast ? 1 << 22 : 0)), u32(0)],
    ]),
    ...gpValues.flatMap((vaddr) => [u64(vaddr), u32(0), u32(0)]),
  ).bytes;
  return ecoffObject({
    sections: [
      { name: '.text', flags: STYP.text, vaddr: VADDR, data: words(LDAH, LDA, 0, 0, 0, 0, 0, 0) },
      { name: '.init', flags: STYP.text, vaddr: 0x2000, data: words(0) },
      { name: '.comment', flags: STYP.comment, vaddr: 0, data: commentData(4, data) },
    ],
  });
}

function issuesOf(compact: Compact) {
  const file = readEcoff(fileWith(compact), []);
  return file === null ? [] : finish(compactFindings(file));
}

const REFLONG = 1;
const GPDISP = 4;
const BRADDR = 5;
const EXPRESSION = 10;
const TEXT = 1;
const times = (count: number) => TEXT | (count << 5);
const PUSH: Expression = { type: 1 };
const STORE: Expression = { type: 4, isLast: true };

describe('compact relocations without faults', () => {
  it.each<[string, Compact]>([
    ['a gp load', { records: { '.text': [[0, GPDISP, 1]] } }],
    ['a run to the end of the section', { records: { '.text': [[8, REFLONG, times(6)]] } }],
    ['a branch in the last instruction', { records: { '.text': [[28, BRADDR, TEXT]] } }],
    ['an expression', { records: { '.text': [[8, EXPRESSION, 0]] }, expressions: [PUSH, STORE] }],
    ['a gp value', { records: { '.text': [] }, gpValues: [0x1004n] }],
    ['two sections', { records: { '.init': [[0, BRADDR, TEXT]], '.text': [[4, BRADDR, TEXT]] } }],
  ])('%s', (_what, compact) => {
    expect(issuesOf(compact)).toEqual([]);
  });
});

describe('each fault of compact relocations is one issue', () => {
  it.each<[string, Compact, RegExp]>([
    [
      'a place outside',
      { records: { '.text': [[32, BRADDR, TEXT]] } },
      /points outside its section/,
    ],
    ['a place that is cut', { records: { '.text': [[30, BRADDR, TEXT]] } }, /points outside/],
    ['a place outside, without a width', { records: { '.text': [[32, 13]] } }, /points outside/],
    ['a run past the end', { records: { '.text': [[8, REFLONG, times(7)]] } }, /6 of 7 inside/],
    ['an lda outside', { records: { '.text': [[0, GPDISP, 8]] } }, /lda outside its section/],
    ['a gp load of other code', { records: { '.text': [[4, GPDISP, 1]] } }, /one ldah and one lda/],
    ['a run of none', { records: { '.text': [[8, REFLONG, times(0)]] } }, /the count 0/],
    ['an unknown type', { records: { '.text': [[8, 17]] } }, /type 17, is of an unknown type/],
    ['a section number', { records: { '.text': [[8, BRADDR, 19]] } }, /section number 19/],
    ['a subtype of a high half', { records: { '.text': [[8, 11, 5]] } }, /subtype 5/],
    ['a subtype of a low half', { records: { '.text': [[8, 12, 2 | (TEXT << 6)]] } }, /subtype 2/],
    ['a section that is absent', { records: { '.fini': [] } }, /\.fini, which the file lacks/],
    ['records that are not there', { records: { '.text': [] }, more: 1 }, /claims compact records/],
    [
      'an order that is not kept',
      {
        records: {
          '.text': [
            [8, BRADDR, TEXT],
            [4, BRADDR, TEXT],
          ],
        },
        isSorted: true,
      },
      /record 1, CMRLC_BRADDR, lies before/,
    ],
    [
      'an expression that is not there',
      { records: { '.text': [[8, EXPRESSION, 99]] }, expressions: [PUSH, STORE] },
      /expression entry 99/,
    ],
    [
      'the middle of an expression',
      { records: { '.text': [[8, EXPRESSION, 1]] }, expressions: [PUSH, STORE] },
      /expression entry 1, where no expression begins/,
    ],
    [
      'an expression without a record',
      { records: { '.text': [] }, expressions: [PUSH, STORE] },
      /has no EXPRESSION record/,
    ],
    [
      'an expression that stores nothing',
      { records: { '.text': [[8, EXPRESSION]] }, expressions: [{ ...PUSH, isLast: true }] },
      /it stores nothing/,
    ],
    [
      'an expression without an end',
      { records: { '.text': [[8, EXPRESSION]] }, expressions: [PUSH, { ...STORE, isLast: false }] },
      /does not end its expression/,
    ],
    [
      'a field of a push',
      {
        records: { '.text': [[8, EXPRESSION]] },
        expressions: [{ ...PUSH, bits: (1 << 5) | (8 << 16) }, STORE],
      },
      /offset 0 and size 8/,
    ],
    ['a gp value outside', { records: { '.text': [] }, gpValues: [0x1020n] }, /points outside/],
    [
      'gp values of one section alone',
      { records: { '.text': [], '.init': [] }, gpValues: [0x1004n] },
      /\.init has fewer gp values than another section/,
    ],
    ['a moved base', { records: { '.text': [[0, 14, 4]] } }, /unit is not published/],
  ])('%s', (_what, compact, message) => {
    const found = issuesOf(compact);
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toMatch(message);
    expect(found[0]?.span).not.toBeNull();
  });

  it('counts faults of a kind, and does bounded work on overlapping runs', () => {
    const run: Record = [8, REFLONG, times(4095)];
    const found = issuesOf({ records: { '.text': Array.from({ length: 5000 }, () => run) } });
    expect(found.at(-1)?.message).toMatch(/^4980 more like this/);
  });
});

describe('compact relocations as rows', () => {
  it('are counted by the section that they patch', async () => {
    const records = {
      '.init': [[0, BRADDR, TEXT]],
      '.text': [
        [4, BRADDR, TEXT],
        [8, BRADDR, TEXT],
      ],
    } as const;
    const model = await openModel('c.ecoff', fileWith({ records }));
    const tables = finish(relocationSectionSteps(model));
    expect(tables.map(({ name, count, targets }) => ({ name, count, targets }))).toEqual([
      {
        name: '.comment',
        count: 3,
        targets: [
          { name: '.init', count: 1 },
          { name: '.text', count: 2 },
        ],
      },
    ]);
    expect([...relocationCounts(model)]).toEqual([0, 2, 1, 0]);
  });

  it('are found at each place of a run', async () => {
    const model = await openModel(
      'c.ecoff',
      fileWith({ records: { '.text': [[8, REFLONG, times(3)]] } }),
    );
    const text = sectionIndex(1);
    expect(
      [8, 12, 16, 20].map((at) => relocationsTouching(model, text, at, at + 4).length),
    ).toEqual([1, 1, 1, 0]);
    expect(relocationMeaning(model, relocIndex(0)).marks).toHaveLength(3);
  });

  it('have no place after the base was moved', async () => {
    const records = {
      '.text': [
        [0, 14, 4],
        [8, BRADDR, TEXT],
      ],
    } as const;
    const model = await openModel('c.ecoff', fileWith({ records }));
    expect(relocationMeaning(model, relocIndex(0)).site).toBeNull();
    const after = relocationMeaning(model, relocIndex(1));
    expect(after.site).toBeNull();
    expect(after.words).toContain('Its place is unknown');
    expect(relocationsTouching(model, sectionIndex(1), 0, 32)).toEqual([]);
  });
});
