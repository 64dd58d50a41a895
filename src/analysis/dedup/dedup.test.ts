import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  declTag,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  locParam,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  union,
  variable,
} from '#testing/btf-types.ts';
import { rawLines } from '#testing/raw-lines.ts';
import { runs, SOON } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { mergeSplit } from './dedup.ts';

const member = (name: string, type: number, bitOffset = 0) => ({ name, type, bitOffset });
const i32 = int('int', 4, { encoding: 1 });

function baseOf(...types: readonly TypeRecord[]): TypeTable {
  return tableOf(btfBlob({ types }).bytes);
}

/** Returns split BTF of `types` on `base`. */
function splitOf(base: TypeTable, types: readonly TypeRecord[]): TypeTable {
  const baseStringLength = base.strBase + base.strEnd - base.strStart;
  return tableOf(btfBlob({ types, baseStringLength }).bytes, base);
}

function merged(base: TypeTable, ...tables: readonly TypeTable[]): TypeTable {
  const files = tables.map((types, i) => ({ name: `file ${i}`, types }));
  return mergeSplit({ name: 'base', types: base }, files);
}

/** Returns the merged types of `files` after those of `base`, one line per type. */
function mergedLines(base: TypeTable, ...files: readonly (readonly TypeRecord[])[]): string[] {
  return rawLines(merged(base, ...files.map((types) => splitOf(base, types))));
}

// Expected texts are the output of bpftool 7.8 for the same files.
describe('mergeSplit', () => {
  it('leaves out what the base has, and keeps one of what several files have', () => {
    const base = baseOf(i32, typedef('u32', 1), struct('s', 4, [member('a', 2)]));
    const first = [typedef('u32', 1), ptr(4), struct('q', 4, [member('x', 4)]), typedef('m', 1)];
    const second = [typedef('u32', 1), struct('s', 4, [member('a', 4)]), typedef('m', 1), ptr(5)];
    const third = [modifier('const', 5), struct('q', 4, [member('x', 2)])];
    expect(mergedLines(base, first, second, third)).toEqual([
      "[4] PTR '(anon)' type_id=2",
      "[5] STRUCT 'q' size=4 vlen=1",
      "\t'x' type_id=2 bits_offset=0",
      "[6] TYPEDEF 'm' type_id=1",
      "[7] PTR '(anon)' type_id=3",
      "[8] CONST '(anon)' type_id=5",
    ]);
  });

  it('resolves a forward declaration to the struct of another file', () => {
    const base = baseOf(i32);
    const first = [fwd('node'), ptr(2), struct('list', 8, [member('head', 3)])];
    const second = [
      struct('node', 16, [member('next', 3), member('n', 1, 64)]),
      ptr(2),
      struct('list', 8, [member('head', 3)]),
    ];
    expect(mergedLines(base, first, second)).toEqual([
      "[2] PTR '(anon)' type_id=4",
      "[3] STRUCT 'list' size=8 vlen=1",
      "\t'head' type_id=2 bits_offset=0",
      "[4] STRUCT 'node' size=16 vlen=2",
      "\t'next' type_id=2 bits_offset=0",
      "\t'n' type_id=1 bits_offset=64",
    ]);
  });

  it('resolves a forward declaration by its name only where one struct has it', () => {
    const base = baseOf(i32);
    const one = struct('one', 4, [member('x', 1)]);
    const declared = [fwd('one'), ptr(2), fwd('two'), ptr(4), fwd('one', 'union')];
    const two = [struct('two', 4, [member('a', 1)]), struct('two', 4, [member('b', 1)])];
    expect(mergedLines(base, declared, [one, ...two])).toEqual([
      "[2] PTR '(anon)' type_id=6",
      "[3] FWD 'two' fwd_kind=struct",
      "[4] PTR '(anon)' type_id=3",
      "[5] FWD 'one' fwd_kind=union",
      "[6] STRUCT 'one' size=4 vlen=1",
      "\t'x' type_id=1 bits_offset=0",
      "[7] STRUCT 'two' size=4 vlen=1",
      "\t'a' type_id=1 bits_offset=0",
      "[8] STRUCT 'two' size=4 vlen=1",
      "\t'b' type_id=1 bits_offset=0",
    ]);
  });

  it('takes an enum without values for the one of its name, before or after it', () => {
    const base = baseOf(i32);
    const whole = enumeration('e', [['A', 1]]);
    const without = enumeration('e', []);
    const lines = ["[2] ENUM 'e' encoding=UNSIGNED size=4 vlen=1", "\t'A' val=1"];
    const pointer = "[3] PTR '(anon)' type_id=2";
    expect(mergedLines(base, [whole], [without, ptr(2)])).toEqual([...lines, pointer]);
    expect(mergedLines(base, [without, ptr(2)], [whole])).toEqual([
      "[2] PTR '(anon)' type_id=3",
      ...lines.map((line) => line.replace('[2]', '[3]')),
    ]);
  });

  it('keeps variables and sections of every file, and merges functions and tags', () => {
    const base = baseOf(i32);
    const file = [variable('v', 1), funcProto(1, [['a', 1]]), func('f', 3), declTag('t', 4)];
    expect(mergedLines(base, file, file)).toEqual([
      "[2] VAR 'v' type_id=1, linkage=global",
      "[3] FUNC_PROTO '(anon)' ret_type_id=1 vlen=1",
      "\t'a' type_id=1",
      "[4] FUNC 'f' type_id=3 linkage=global",
      "[5] DECL_TAG 't' type_id=4 component_idx=-1",
      "[6] VAR 'v' type_id=1, linkage=global",
    ]);
  });

  it('takes the candidate that comes first in libbpf’s hash map, which turns as it grows', () => {
    const few = baseOf(i32, i32);
    expect(mergedLines(few, [i32, ptr(3)], [i32])).toEqual(["[3] PTR '(anon)' type_id=2"]);
    const more = baseOf(i32, i32, int('a', 1), int('b', 1));
    expect(mergedLines(more, [i32, ptr(5)], [i32])).toEqual(["[5] PTR '(anon)' type_id=1"]);
  });

  it('takes arrays of one length for identical where one array stands for both, as libbpf does', () => {
    const base = baseOf(i32, int('char', 1));
    const w = (p: number, q: number) => struct('w', 32, [member('p', p), member('q', q, 128)]);
    const lines = mergedLines(
      base,
      [array(1, 1, 4), w(3, 3)],
      [array(1, 1, 4), array(2, 1, 4), w(3, 4)],
    );
    expect(lines).toEqual([
      "[3] ARRAY '(anon)' type_id=1 index_type_id=1 nr_elems=4",
      "[4] STRUCT 'w' size=32 vlen=2",
      "\t'p' type_id=3 bits_offset=0",
      "\t'q' type_id=3 bits_offset=128",
      "[5] ARRAY '(anon)' type_id=2 index_type_id=1 nr_elems=4",
    ]);
  });

  it('moves the third word of a forward declaration, so that GCC’s do not become one', () => {
    const file = [{ ...fwd('f'), sizeOrType: 3 }, ptr(2)];
    const own = ["FWD 'f' fwd_kind=struct", "PTR '(anon)' type_id="];
    expect(mergedLines(baseOf(i32), file, file)).toEqual([
      `[2] ${own[0]}`,
      `[3] ${own[1]}2`,
      `[4] ${own[0]}`,
      `[5] ${own[1]}4`,
    ]);
  });

  it('gives the ids and names of base and split BTF as they were, in both byte orders', () => {
    const base = tableOf(btfBlob({ types: [i32], endian: 'big' }).bytes);
    const baseStringLength = base.strEnd - base.strStart;
    const types = [struct('s', 4, [member('int', 1)]), ptr(2)];
    const file = tableOf(btfBlob({ types, endian: 'big', baseStringLength }).bytes, base);
    expect(rawLines(merged(base, file, file))).toEqual(rawLines(file));
  });

  it.each<[string, readonly TypeRecord[], string]>([
    ['a type that does not exist', [ptr(9)], 'there is no type 9'],
    ['a name that does not exist', [int(900, 4)], 'there is no string at 900'],
    ['a kind that libbpf 1.8 does not know', [locParam(8, [1])], 'types of LOC_PARAM'],
    ['a function of another type than a prototype', [func('f', 1)], 'is no FUNC_PROTO'],
    ['pointers in a circle', [ptr(3), ptr(2)], 'refers to itself'],
    [
      'a variable in a struct',
      [
        variable('v', 1),
        struct('s', 4, [member('a', 2)]),
        variable('v', 1),
        struct('s', 4, [member('a', 4)]),
      ],
      'refers to a VAR',
    ],
  ])('refuses %s', (_, types, message) => {
    expect(() => mergedLines(baseOf(i32), types, [i32])).toThrow(Malformed);
    expect(() => mergedLines(baseOf(i32), types, [i32])).toThrow(message);
  });

  it('refuses what takes too many comparisons', SOON, () => {
    // Structs with equal signatures that differ only in the type of their last member.
    const types = Array.from({ length: 800 }, (_, i) => [
      array(1, 1, i),
      struct('s', 8, [member('a', 1), member('b', 1), member('c', 2 + 2 * i)]),
    ]);
    expect(() => mergedLines(baseOf(i32), types.flat(), [i32])).toThrow('comparisons');
  });
});

/** Types of a C program: structs first; other types refer to an earlier type or a struct. */
const program = fc
  .array(fc.tuple(fc.nat(11), fc.nat(), fc.nat(), fc.nat(2)), { minLength: 1, maxLength: 25 })
  .map((rows) => (firstId: number) => [
    ...rows.map((row, i) => typeOf(row, firstId + i)),
    declTag('tag', firstId),
  ]);

function typeOf([kind, a, b, n]: readonly number[], id: number): TypeRecord {
  const before = 1 + ((a ?? 0) % (id - 1));
  const other = 1 + ((b ?? 0) % (id - 1));
  const name = `n${n}`;
  const members = [member('a', before), member('b', other, 64)];
  const makers: readonly (() => TypeRecord)[] = [
    () => ptr(before),
    () => ptr(before),
    () => typedef(`t${n}`, before),
    () => modifier('const', before),
    () => array(before, 1, n ?? 0),
    () => struct(name, 16, members),
    () => union(`u${n}`, 16, members),
    () => struct(name, 8, [member('self', id)]),
    () => funcProto(before, [['p', other]]),
    () => int(`i${n}`, 4),
    () => enumeration(`e${n}`, [['E', before]]),
    () => modifier('restrict', before),
  ];
  return makers[kind ?? 0]?.() ?? ptr(before);
}

describe('a merge', () => {
  const base = baseOf(i32, ptr(1), struct('n1', 16, [member('a', 1), member('b', 2, 64)]));

  it('of its own result changes nothing, alone or twice', () => {
    fc.assert(
      fc.property(program, program, (first, second) => {
        const once = merged(base, splitOf(base, first(4)), splitOf(base, second(4)));
        expect(rawLines(merged(base, once))).toEqual(rawLines(once));
        expect(rawLines(merged(base, once, once))).toEqual(rawLines(once));
      }),
      { numRuns: runs(1_000) },
    );
  });
});
