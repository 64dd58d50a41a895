import { describe, expect, it } from 'vitest';
import { compareTables } from '#analysis/compare/compare-tables.ts';
import { compareTypes, pairGraphOf } from '#analysis/compare/compare-types.ts';
import { typeId } from '#model/ids.ts';
import { int, struct } from '#testing/btf-types.ts';
import { tableFrom } from '#testing/compared-types.ts';
import {
  comparisonCsv,
  comparisonJson,
  comparisonMarkdown,
  comparisonText,
  type NamedComparison,
  typeComparisonData,
  typeComparisonText,
} from './comparison.ts';

const tables = {
  a: tableFrom([
    struct('s', 4, [{ name: 'x', type: 2, bitOffset: 0 }]),
    int('u32', 4),
    struct('=evil|', 1, []),
    struct('outer', 4, [{ name: 's', type: 1, bitOffset: 0 }]),
  ]),
  b: tableFrom([
    struct('s', 8, [
      { name: 'n', type: 2, bitOffset: 0 },
      { name: 'x', type: 2, bitOffset: 32 },
    ]),
    int('u32', 4),
    struct('outer', 4, [{ name: 's', type: 1, bitOffset: 0 }]),
  ]),
};

function named(): NamedComparison {
  const work = compareTables(tables.a, tables.b);
  let step = work.next();
  while (!step.done) step = work.next();
  return { whole: step.value, tables, before: 'a.btf', after: 'b.btf' };
}

describe('a whole comparison as text', () => {
  it('is a list of lines', () => {
    expect([...comparisonText(named())]).toEqual([
      'a.btf → b.btf',
      '4 types before, 3 after: 1 changed, 1 changed inside, 0 added, 1 removed, 1 the same',
      'removed  struct =evil|  1 bytes',
      'inside   struct outer  4 bytes, because of struct s',
      'changed  struct s  4 → 8 bytes, 1 added, 1 moved',
    ]);
  });

  it('is CSV without formulas, with the requested rows in order', () => {
    expect([...comparisonCsv(named(), [2, 0])].join('')).toBe(
      [
        'state,kind,name,size_before,size_after,changes,size,added,removed,renamed,moved,type,value,other,because_of',
        'changed,struct,s,4,8,3,1,1,0,0,1,0,0,0,',
        "removed,struct,'=evil|,1,,0,0,0,0,0,0,0,0,0,",
        '',
      ].join('\r\n'),
    );
  });

  it('is JSON', () => {
    expect(JSON.parse(comparisonJson(named()))).toMatchObject({
      types_before: 4,
      types_after: 3,
      changed: 1,
      changed_inside: 1,
      types: [
        { state: 'removed', name: '=evil|', id_before: 3, id_after: null },
        { state: 'inside', because_of: 'struct s' },
        { state: 'changed', name: 's', size_before: 4, size_after: 8, added: 1, moved: 1 },
      ],
    });
  });

  it('is Markdown with escaped names', () => {
    expect([...comparisonMarkdown(named(), [0])].join('')).toBe(
      `# \`a.btf\` → \`b.btf\`

4 types before, 3 after: 1 changed, 1 changed inside, 0 added, 1 removed, 1 the same.

| State | Type | Size | Difference |
| --- | --- | --- | --- |
| removed | struct \`=evil\\x7c\` | 1 bytes |  |
`,
    );
  });
});

describe('two types as text', () => {
  const comparison = compareTypes(pairGraphOf(tables.a, tables.b), typeId(1), typeId(1));

  it('is lines with a sign', () => {
    expect([...typeComparisonText(comparison, tables)]).toEqual([
      'changed: 1 added, 1 moved',
      '  size 4 → 8',
      '+ 0x0      u32 n  (added)',
      '~ 0x4      u32 x  (offset moved 0x0 → 0x4)',
    ]);
  });

  it('is data', () => {
    expect(typeComparisonData(comparison, tables)).toMatchObject({
      verdict: 'direct',
      lines: [
        { before: null, after: 'u32 n', changes: [{ what: 'added' }] },
        { before: 'u32 x', offset_before: '0x0', offset_after: '0x4' },
      ],
    });
  });
});
