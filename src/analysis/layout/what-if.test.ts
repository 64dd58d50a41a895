import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { structLayout } from '#analysis/types/struct-layout.ts';
import { typeId } from '#model/ids.ts';
import type { TypeTable } from '#model/type-table.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import {
  array,
  int,
  type Member,
  ptr,
  struct,
  type TypeRecord,
  union,
} from '#testing/btf-types.ts';
import { runs, SOON } from '#testing/runs.ts';
import { tableOf } from '#testing/type-table.ts';
import { reorderedStruct, type WhatIf, whatIf } from './what-if.ts';

/** [1] char, [2] short, [3] int, [4] long, [5] long *, [6] char[3], [7] struct {short, short}, [8] int[0]. */
const BASE: readonly TypeRecord[] = [
  int('char', 1),
  int('short', 2),
  int('int', 4),
  int('long', 8),
  ptr(4),
  array(1, 3, 3),
  struct('pair', 4, [
    { name: 'x', type: 2, bitOffset: 0 },
    { name: 'y', type: 2, bitOffset: 16 },
  ]),
  array(3, 3, 0),
];
const SIZES = [0, 1, 2, 4, 8, 8, 3, 4, 0];
const ALIGNS = [1, 1, 2, 4, 8, 8, 1, 2, 4];
const IT = typeId(BASE.length + 1);

function tableWith(size: number, members: readonly Member[], ...more: TypeRecord[]): TypeTable {
  return tableOf(btfBlob({ types: [...BASE, struct('s', size, members), ...more] }).bytes);
}

const at = (name: string, type: number, byte: number): Member => ({
  name,
  type,
  bitOffset: 8 * byte,
});

function order(outcome: WhatIf): readonly number[] | string {
  if (outcome.kind === 'smaller') return outcome.order;
  return outcome.kind === 'none' ? outcome.why : `least ${outcome.isLeast}`;
}

describe('whatIf', () => {
  it('puts a later member into a hole', () => {
    const t = tableWith(24, [at('a', 1, 0), at('b', 4, 8), at('c', 3, 16)]);
    expect(whatIf(t, IT)).toEqual({
      kind: 'smaller',
      order: [0, 2, 1],
      bitOffsets: [0, 64, 32],
      sizeBytes: 16,
      savedBytes: 8,
      moved: new Set([2]),
      forced: new Map(),
    });
  });

  it.each([
    ['nothing to gain', 16, [at('a', 4, 0), at('b', 1, 8)], 'least true'],
    ['one member', 4, [at('a', 3, 0)], 'few'],
    ['packed by place', 5, [at('a', 1, 0), at('b', 3, 1)], 'packed'],
    ['packed by size', 5, [at('a', 3, 0), at('b', 1, 4)], 'packed'],
    ['room that nothing explains', 24, [at('a', 1, 0), at('b', 1, 13), at('c', 4, 16)], 'gap'],
    ['overlapping members', 16, [at('a', 4, 0), at('b', 3, 4), at('c', 1, 8)], 'irregular'],
    ['members past the end', 8, [at('a', 4, 0), at('b', 4, 8)], 'irregular'],
    ['members out of order', 16, [at('a', 4, 8), at('b', 4, 0)], 'irregular'],
  ])('%s', (_name, size, members, expected) => {
    expect(order(whatIf(tableWith(size, members), IT))).toEqual(expected);
  });

  it('leaves unions alone', () => {
    const t = tableOf(
      btfBlob({ types: [...BASE, union('u', 8, [at('a', 4, 0), at('b', 1, 0)])] }).bytes,
    );
    expect(order(whatIf(t, IT))).toBe('union');
  });

  it('keeps a struct at the start first', () => {
    const members = [
      at('base', 7, 0),
      at('a', 4, 8),
      at('b', 1, 16),
      at('c', 4, 24),
      at('d', 3, 32),
    ];
    const outcome = whatIf(tableWith(40, members), IT);
    expect(order(outcome)).toEqual([0, 4, 1, 2, 3]);
    expect(outcome).toMatchObject({ sizeBytes: 32 });
  });

  it('moves no member over an array without elements', () => {
    const split = [at('a', 1, 0), at('b', 4, 8), at('mark', 8, 16), at('c', 1, 16), at('d', 4, 24)];
    expect(order(whatIf(tableWith(32, split), IT))).toEqual([1, 0, 2, 3, 4]);
    const tail = [at('a', 1, 0), at('b', 4, 8), at('c', 3, 16), at('data', 8, 20)];
    expect(order(whatIf(tableWith(24, tail), IT))).toEqual([0, 2, 1, 3]);
  });

  it('keeps consecutive bit-fields adjacent', () => {
    const bits = (name: string, bitOffset: number, bitfieldSize: number) => ({
      name,
      type: 3,
      bitOffset,
      bitfieldSize,
    });
    const members = [
      at('a', 1, 0),
      at('b', 4, 8),
      bits('x', 128, 3),
      bits('y', 131, 20),
      at('c', 4, 24),
    ];
    const outcome = whatIf(tableWith(32, members), IT);
    expect(order(outcome)).toEqual([0, 2, 3, 1, 4]);
    expect(outcome).toMatchObject({ sizeBytes: 24, bitOffsets: [0, 64, 8, 11, 128] });
  });

  it('keeps alignment from an attribute', () => {
    const members = [
      at('a', 1, 0),
      at('b', 4, 8),
      at('line', 3, 64),
      at('c', 3, 68),
      at('d', 1, 72),
    ];
    const outcome = whatIf(tableWith(128, members), IT);
    expect(outcome).toMatchObject({ kind: 'smaller', sizeBytes: 64, forced: new Map([[2, 64]]) });
    if (outcome.kind === 'smaller') expect(outcome.bitOffsets[2]).toBe(0);
  });

  it('infers the alignment of a struct from the enclosing struct', () => {
    // 'wide' has 128 bytes: its second member begins a cache line, as does that of 'held'.
    const wide = struct('wide', 128, [at('a', 3, 0), at('b', 3, 64)]);
    const t = tableOf(
      btfBlob({
        types: [
          ...BASE,
          struct('s', 320, [
            at('a', 1, 0),
            at('held', 10, 64),
            at('b', 4, 192),
            at('many', 11, 200),
          ]),
          wide,
          array(1, 3, 100),
        ],
      }).bytes,
    );
    const outcome = whatIf(t, IT);
    expect(outcome).toMatchObject({ kind: 'smaller', sizeBytes: 256 });
    if (outcome.kind === 'smaller') expect((outcome.bitOffsets[1] ?? 1) % 512).toBe(0);
  });
});

type Drawn = { readonly type: number; readonly bits: number };

/** Returns the layout that a compiler gives the members, by an independent implementation. */
function compiled(drawn: readonly Drawn[]): { size: number; members: Member[] } {
  let free = 0;
  let align = 8;
  const members = drawn.map(({ type, bits }, i): Member => {
    const unit = 8 * (ALIGNS[type] ?? 1);
    align = Math.max(align, unit);
    if (bits > 0) {
      while (Math.floor(free / unit) !== Math.floor((free + bits - 1) / unit)) free++;
    } else {
      while (free % unit !== 0) free++;
    }
    const bitOffset = free;
    free += bits > 0 ? bits : 8 * (SIZES[type] ?? 0);
    return { name: `m${i}`, type, bitOffset, bitfieldSize: bits };
  });
  while (free % align !== 0) free++;
  return { size: free / 8, members };
}

const anyMember: fc.Arbitrary<Drawn> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.integer({ min: 1, max: 8 }), bits: fc.constant(0) }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 4 }).chain((type) =>
      fc.record({
        type: fc.constant(type),
        bits: fc.integer({ min: 1, max: 8 * (SIZES[type] ?? 1) }),
      }),
    ),
  },
);

it('proposes orders of the same members, aligned, apart and never larger', () => {
  let smaller = 0;
  fc.assert(
    fc.property(fc.array(anyMember, { minLength: 2, maxLength: 24 }), (drawn) => {
      const { size, members } = compiled(drawn);
      const t = tableWith(size, members);
      const outcome = whatIf(t, IT);
      expect(outcome.kind).not.toBe('none');
      if (outcome.kind !== 'smaller') return;
      smaller++;
      expect(outcome.sizeBytes).toBe(size - outcome.savedBytes);
      expect(outcome.savedBytes).toBeGreaterThan(0);
      expect(outcome.order.toSorted((a, b) => a - b)).toEqual(drawn.map((_, i) => i));

      // The compiler's layout of the proposed order has the proposed offsets.
      const again = compiled(outcome.order.map((i) => drawn[i] ?? { type: 1, bits: 0 }));
      expect(again.size).toBe(outcome.sizeBytes);
      expect(again.members.map(({ bitOffset }) => bitOffset)).toEqual(
        outcome.order.map((i) => outcome.bitOffsets[i]),
      );

      const after = reorderedStruct(t, IT, outcome);
      const layout = structLayout(after.types, after.type);
      expect(layout).toMatchObject({ sizeBytes: outcome.sizeBytes, outOfOrder: false });
      const rows = layout.rows.filter(({ kind }) => kind === 'member');
      expect(rows.map(({ name }) => name)).toEqual(outcome.order.map((i) => `m${i}`));
      expect(rows.some(({ overlaps, pastEnd }) => overlaps || pastEnd)).toBe(false);
    }),
    { numRuns: runs(400) },
  );
  expect(smaller).toBeGreaterThan(runs(50));
});

it('takes no longer than a moment for thousands of members', SOON, () => {
  const members = Array.from({ length: 10_000 }, (_, i) =>
    i % 2 === 0 ? at('c', 1, 8 * i) : at('l', 4, 8 * i),
  );
  const t = tableWith(8 * 10_000, members);
  expect(whatIf(t, IT)).toMatchObject({ kind: 'smaller', sizeBytes: 45_000 });
  const wide = Array.from({ length: 10_001 }, (_, i) => at('c', 1, 8 * i));
  expect(whatIf(tableWith(8 * 10_001, wide), IT)).toEqual({ kind: 'none', why: 'wide' });
});
