import { describe, expect, it } from 'vitest';
import { typeId } from '#model/ids.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  enumeration,
  func,
  funcProto,
  fwd,
  int,
  modifier,
  ptr,
  struct,
  type TypeRecord,
  typedef,
  variable,
} from '#testing/btf-types.ts';
import { corpusKernels, kernelIds, readCorpusFile } from '#testing/corpus.ts';
import { tableOf } from '#testing/type-table.ts';
import { alignOf, approximateSizes, pointerSize, sizeOf } from './sizes.ts';

const table = (...types: TypeRecord[]) => tableOf(btfBlob({ types }).bytes);

describe('pointerSize', () => {
  it.each([
    ['long unsigned int', 4, 4],
    ['long int', 8, 8],
    ['unsigned long', 4, 4],
    ['long', 2, 8],
    ['long long int', 4, 8],
    ['unsigned int', 4, 8],
  ])('INT %s of %i bytes means %i', (name, size, expected) => {
    expect(pointerSize(table(int(name, size)))).toBe(expected);
  });

  it('uses the first type that has the size', () => {
    expect(pointerSize(table(int('long int', 4), int('long unsigned int', 8)))).toBe(4);
  });

  it('is that of the ELF file, whatever `long` has', () => {
    const t = table(int('long int', 4));
    expect(pointerSize({ ...t, pointerBytes: 8 })).toBe(8);
    const split = { ...table(int('long int', 8)), base: { ...t, pointerBytes: 4 as const } };
    expect(pointerSize(split)).toBe(4);
  });

  it('is that of the base for split BTF', () => {
    const base = btfBlob({ types: [int('long int', 4)] });
    const baseTable = tableOf(base.bytes);
    const baseStringLength = baseTable.strEnd - baseTable.strStart;
    const split = btfBlob({ types: [int('long', 8)], baseStringLength });
    expect(pointerSize(tableOf(split.bytes, baseTable))).toBe(4);
  });
});

describe('sizeOf', () => {
  it.each([
    ['void', 0, null],
    ['an INT', 1, 4n],
    ['a pointer', 2, 8n],
    ['an array', 3, 12n],
    ['a typedef of it', 4, 12n],
    ['an array of no elements', 5, 0n],
    ['a FWD', 6, null],
    ['an array of FWD', 7, null],
    ['a FUNC_PROTO', 8, null],
    ['a FUNC', 9, null],
    ['a typedef of itself', 10, null],
    ['a VAR', 11, 12n],
    ['an id that does not exist', 99, null],
  ])('of %s', (_what, id, size) => {
    const t = table(
      int('int', 4),
      ptr(1),
      array(1, 1, 3),
      typedef('three', 3),
      array(1, 1, 0),
      fwd('f'),
      array(6, 1, 2),
      funcProto(0),
      func('g', 8),
      typedef('self', 10),
      variable('v', 4),
    );
    expect(sizeOf(t, typeId(id))).toBe(size);
    if (id > 0 && id <= 11) {
      const approximate = approximateSizes(t)[id - 1] ?? 0;
      expect(approximate).toBe(size === null ? NaN : Number(size));
    }
  });

  it('is exact beyond 64 bits', () => {
    const most = 0xffffffff;
    const t = table(int('long', 8), array(1, 1, most), array(2, 1, most), array(3, 1, most));
    expect(sizeOf(t, typeId(4))).toBe(8n * BigInt(most) ** 3n);
  });

  it('follows a chain of 10,000', () => {
    const types = Array.from({ length: 10_000 }, (_, i) => modifier('const', i + 2));
    const t = table(...types, int('int', 4));
    expect(sizeOf(t, typeId(1))).toBe(4n);
    expect(approximateSizes(t).every((size) => size === 4)).toBe(true);
  });
});

describe('alignOf', () => {
  const t = table(
    int('long', 8),
    int('char', 1),
    struct('natural', 16, [
      { name: 'a', type: 2, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 64 },
    ]),
    struct('packed', 9, [
      { name: 'a', type: 2, bitOffset: 0 },
      { name: 'b', type: 1, bitOffset: 8 },
    ]),
    array(3, 1, 4),
    struct('short_tail', 12, [{ name: 'a', type: 1, bitOffset: 0 }]),
    fwd('f'),
    struct('of_fwd', 8, [{ name: 'a', type: 7, bitOffset: 0 }]),
    int('__int128', 16),
    struct('self', 8, [{ name: 'a', type: 10, bitOffset: 0 }]),
    enumeration('e', [['A', 1]], { size: 2 }),
    modifier('const', 11),
    struct('empty', 0, []),
  );
  it.each([
    ['an INT', 1, 8],
    ['a struct with padding', 3, 8],
    ['a packed struct', 4, 1],
    ['an array of structs', 5, 8],
    ['a struct whose size is no multiple', 6, 1],
    ['a FWD', 7, 0],
    ['a struct that holds a FWD', 8, 0],
    ['more bytes than a pointer has', 9, 8],
    ['a struct that holds itself', 10, 0],
    ['a const enum of 2 bytes', 12, 2],
    ['an empty struct', 13, 1],
    ['void', 0, 0],
  ])('of %s', (_what, id, align) => {
    expect(alignOf(t, typeId(id))).toBe(align);
  });
});

describe('kernels', () => {
  it('decide the size of their pointers', () => {
    const sizes = corpusKernels().map((kernel) => [
      kernel.name,
      pointerSize(tableOf(readCorpusFile(kernel))),
    ]);
    expect(sizes).not.toEqual([]);
    for (const [name, size] of sizes)
      expect([name, size]).toEqual([name, `${name}`.includes(kernelIds.bits32) ? 4 : 8]);
  });
});
