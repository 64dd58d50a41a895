import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Issue } from '#bytes/issue.ts';
import type { TypeTable } from '#model/type-table.ts';
import { type BtfBlob, btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  datasec,
  declTag,
  enumeration,
  float,
  func,
  funcProto,
  fwd,
  int,
  locParam,
  locProto,
  locsec,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
  variable,
} from '#testing/btf-types.ts';
import { runs } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { typeFindings } from './types.ts';

function run(table: TypeTable): Issue[] {
  const work = typeFindings(table, '.BTF');
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

const blobOf = (...types: readonly TypeRecord[]): BtfBlob => btfBlob({ types });
const find = (...types: readonly TypeRecord[]): Issue[] => run(tableOf(blobOf(...types).bytes));
const told = (issues: readonly Issue[]): string[] => issues.map((i) => `${i.code}: ${i.message}`);

const clean: readonly TypeRecord[] = [
  int('int', 4, { encoding: 1 }),
  struct('list', 16, [
    { name: 'next', type: 3, bitOffset: 0 },
    { name: 'flags', type: 1, bitOffset: 64, bitfieldSize: 3 },
    { name: 'more', type: 1, bitOffset: 67, bitfieldSize: 29 },
    { name: 'tail', type: 4, bitOffset: 128 },
  ]),
  ptr(2),
  array(1, 1, 0),
  funcProto(0, [
    ['arg', 3],
    ['', 0],
  ]),
  func('f', 5),
  variable('v', 2),
  datasec('.data', 0, [[7, 0, 16]]),
  declTag('user', 2, 0),
  enumeration('forward', [], { size: 0 }),
  enumeration('small', [['NEGATIVE', -1]], { size: 1 }),
  float('double', 8),
  fwd('opaque'),
  ptr(0),
  union('either', 8, [
    { name: 'a', type: 1, bitOffset: 0 },
    { name: 'b', type: 3, bitOffset: 0 },
  ]),
];

describe('typeFindings', () => {
  it('has no finding in the output of compilers', () => {
    expect(told(find(...clean))).toEqual([]);
  });

  it('points at the bytes of the fault', () => {
    const blob = blobOf(int('int', 4), ptr(99));
    const [issue] = run(tableOf(blob.bytes));
    const start = (blob.typeOffsets[1] ?? 0) + 8;
    expect(issue).toMatchObject({
      code: 'btf.dangling-type',
      span: { start, end: start + 4 },
      expected: 'at most 2',
      found: '99',
    });
  });

  it.each<[string, readonly TypeRecord[], string]>([
    ['two dangling references', [ptr(9), typedef('t', 8)], 'btf.dangling-types: 2 references'],
    [
      'a void member',
      [struct('s', 4, [{ name: 'm', type: 0, bitOffset: 0 }])],
      'btf.void: type [1] member m: void',
    ],
    ['an array of void', [int('int', 4), array(0, 1, 3)], 'btf.void: type [2]: array of void'],
    ['a variable of void', [variable('v', 0)], 'btf.void: type [1]: variable of void'],
    [
      'void among arguments',
      [
        int('int', 4),
        funcProto(0, [
          ['a', 0],
          ['b', 1],
        ]),
      ],
      'btf.void: type [2] argument a: void',
    ],
    [
      'a function of a struct',
      [struct('s', 0, []), func('f', 1)],
      'btf.reference-kind: type [2]: function of a STRUCT',
    ],
    [
      'a member that is a variable',
      [int('int', 4), variable('v', 1), struct('s', 4, [{ name: 'm', type: 2, bitOffset: 0 }])],
      'btf.reference-kind: type [3] member m: refers to [2], a VAR',
    ],
    [
      'a tag on a member too many',
      [struct('s', 0, []), declTag('t', 1, 3)],
      'btf.component-index: type [2]: tags component 3 of [1], which has 0',
    ],
    [
      'typedefs in a circle',
      [typedef('a', 2), typedef('b', 1)],
      'btf.cycle: types [1], [2]: cycle without a pointer',
    ],
    [
      'a struct in itself',
      [struct('s', 4, [{ name: 'm', type: 1, bitOffset: 0 }])],
      'btf.cycle: type [1]: contains itself',
    ],
    [
      'structs in each other',
      [
        struct('s', 4, [{ name: '', type: 2, bitOffset: 0 }]),
        union('', 4, [{ name: '', type: 1, bitOffset: 0 }]),
      ],
      'btf.cycle: types [1], [2]: contain each other',
    ],
    [
      'a pointer to itself',
      [ptr(2), modifier('const', 1)],
      'btf.pointer-loop: types [1], [2]: pointers that lead in a circle',
    ],
    [
      'markup in a name',
      [fwd('<b>')],
      'btf.name-not-identifier: type [1]: name that is not a C identifier',
    ],
    ['a name that turns the text', [fwd('a\u202eb')], 'btf.name-hidden-characters: type [1]'],
    ['an int without a name', [int('', 4)], 'btf.unnamed.INT: type [1]: INT without a name'],
    ['linkage 3', [funcProto(0), func('f', 1, 3)], 'btf.linkage: type [2]: linkage 3'],
    [
      'a variable of linkage 99',
      [int('int', 4), variable('v', 1, 99)],
      'btf.linkage: type [2]: linkage 99',
    ],
    [
      'more bits than bytes',
      [int('int', 1, { bits: 9 })],
      'btf.int-bits: type [1]: INT of 9 bits from bit 0 in 1 bytes',
    ],
    ['a float of 3 bytes', [float('f', 3)], 'btf.size.FLOAT: type [1]: FLOAT of size 3'],
    [
      'a huge array',
      [int('int', 4), array(1, 1, 0xffffffff)],
      'btf.array-size: type [2]: size past 2^32',
    ],
    [
      'a huger array',
      [int('int', 4), array(1, 1, 0xffffffff), array(2, 1, 0xffffffff)],
      'btf.array-size: type [3]: size past 2^64',
    ],
    [
      'a variable past its section',
      [int('int', 4), variable('v', 1), datasec('.data', 4, [[2, 4, 4]])],
      'btf.datasec-item: type [3] variable 0: past the end of the section',
    ],
    [
      'a bit-field wider than its type',
      [int('int', 1), struct('s', 8, [{ name: 'a', type: 1, bitOffset: 0, bitfieldSize: 9 }])],
      'btf.bitfield-width: type [2] a: width 9 wider than its type',
    ],
    [
      'a bit-field on a pointer',
      [ptr(0), struct('s', 8, [{ name: 'a', type: 1, bitOffset: 0, bitfieldSize: 9 }])],
      'btf.bitfield-kind: type [2] a: bit-field on a pointer',
    ],
    [
      'a member past the end',
      [int('int', 4), struct('s', 4, [{ name: 'a', type: 1, bitOffset: 8 }])],
      'btf.member-past-end: type [2] a: past the end of the struct',
    ],
    [
      'a member at an odd bit',
      [int('int', 4), struct('s', 8, [{ name: 'a', type: 1, bitOffset: 3 }])],
      'btf.member-bit-start: type [2] a: starts at bit 3 and is not a bit-field',
    ],
    [
      'members that overlap',
      [
        int('int', 4),
        struct('s', 8, [
          { name: 'a', type: 1, bitOffset: 0 },
          { name: 'b', type: 1, bitOffset: 16 },
        ]),
      ],
      'btf.members-overlap: type [2] b: overlaps a',
    ],
    [
      'an enum of 3 bytes',
      [enumeration('e', [['A', 1]], { size: 3 })],
      'btf.enum-size: type [1]: ENUM of size 3',
    ],
    [
      'a value too large',
      [enumeration('e', [['A', 300]], { size: 1 })],
      'btf.enum-value: type [1] A: value 300 does not fit in 1 byte',
    ],
    [
      'an enumerator twice',
      [
        enumeration('e', [
          ['A', 1],
          ['A', 2],
        ]),
      ],
      'btf.enumerator-twice: type [1]: enumerator A twice',
    ],
  ])('%s', (_what, types, expected) => {
    expect(told(find(...types)).filter((line) => line.startsWith(expected))).toHaveLength(1);
  });

  it('shows bytes that are not UTF-8 as escapes', () => {
    const strings = new Uint8Array([0, 0x61, 0xff, 0]);
    const [issue] = run(tableOf(btfBlob({ strings, types: [fwd(1)] }).bytes));
    expect(issue).toMatchObject({ code: 'btf.name-not-utf8', found: 'a\\xff' });
  });

  it('accepts members in any order, as Rust has them', () => {
    const members = [
      { name: 'b', type: 1, bitOffset: 32 },
      { name: 'a', type: 1, bitOffset: 0 },
    ];
    expect(told(find(int('int', 4), struct('s', 8, members)))).toEqual([]);
  });

  it('reads bit-fields of before kind_flag out of their INT', () => {
    const bits = int('int', 4, { bits: 3 });
    const members = [
      { name: 'a', type: 1, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 3 },
    ];
    expect(told(find(bits, struct('s', 4, members)))).toEqual([]);
  });

  it('does not judge what lies in a base that is not loaded', () => {
    const { bytes } = btfBlob({ types: [typedef('t', 5), ptr(104), ptr(2)], baseStringLength: 0 });
    const split = { ...tableOf(bytes), firstId: 100, strBase: 50, split: true };
    expect(told(run(split))).toEqual([
      'btf.dangling-type: type [101] PTR: type 104 does not exist',
    ]);
  });

  it('takes a chain of 10,000 types and a circle of as many', () => {
    const count = 10_000;
    const chain = Array.from({ length: count }, (_, i) => modifier('const', i));
    expect(told(find(...chain))).toEqual([]);
    const circle = Array.from({ length: count }, (_, i) => modifier('const', i === 0 ? count : i));
    expect(told(find(...circle))).toHaveLength(1);
  });

  it('ends on every damaged blob, with spans inside it', () => {
    const blob = blobOf(...clean);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(blob.stringsOffset - 25), fc.nat(255)), { maxLength: 8 }),
        (changes) => {
          const bytes = blob.bytes.slice();
          for (const [at, byte] of changes) bytes[24 + at] = byte;
          for (const { span } of run(tableOf(bytes))) {
            if (span === null) continue;
            expect(span.start).toBeGreaterThanOrEqual(24);
            expect(span.end).toBeLessThanOrEqual(blob.bytes.length);
          }
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('locations of inlined functions', () => {
  const REG = 8;
  const site = (
    param: TypeRecord,
    proto = locProto([4]),
    section = locsec('inline.text', [[3, 5, 0]]),
  ) => [int('int', 4), funcProto(1, [['a', 1]]), func('f', 2), param, proto, section];

  it.each<[string, readonly TypeRecord[], readonly string[]]>([
    ['a register', site(locParam(REG, [1])), []],
    ['size 0', site(locParam(REG, [1], 0)), ['btf.size.LOC_PARAM']],
    ['no flags', site(locParam(0, [1])), ['btf.location-flags']],
    ['a constant in a register', site(locParam(0xa, [1])), ['btf.location-flags']],
    ['8 bytes in one word', site(locParam(2, [1], 8)), ['btf.location-words']],
    ['a load without an offset', site(locParam(0x38, [1])), ['btf.location-words']],
    [
      'a LOC_PROTO with a type',
      site(locParam(REG, [1]), locProto([4], { sizeOrType: 1 })),
      ['btf.size-not-wanted.LOC_PROTO'],
    ],
    [
      'a LOCSEC with a type',
      site(locParam(REG, [1]), locProto([4]), locsec('.text', [[3, 5, 0]], { sizeOrType: 1 })),
      ['btf.size-not-wanted.LOCSEC'],
    ],
    ['two locations for one', site(locParam(REG, [1]), locProto([4, 0])), ['btf.location-count']],
    ['an INT as a location', site(locParam(REG, [1]), locProto([1])), ['btf.reference-kind']],
  ])('%s', (_what, types, codes) => {
    expect(find(...types).map(({ code }) => code)).toEqual(codes);
  });
});
