import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LayoutRow, StructLayout } from '#analysis/struct-layout.ts';
import { typeId } from '#model/ids.ts';
import { layoutStrip } from './layout-strip.ts';

const row = (bitOffset: number, bitSize: number, more: Partial<LayoutRow> = {}): LayoutRow => ({
  kind: 'member',
  index: 0,
  name: 'm',
  type: typeId(1),
  bitOffset,
  bitSize,
  isBitfield: false,
  overlaps: false,
  pastEnd: false,
  ...more,
});

const layout = (
  sizeBytes: number,
  rows: readonly LayoutRow[],
  more: Partial<StructLayout> = {},
): StructLayout => ({
  sizeBytes,
  rows,
  holes: 0,
  holeBits: 0,
  paddingBits: 0,
  isUnion: false,
  outOfOrder: false,
  ...more,
});

describe('layoutStrip', () => {
  it('fits a small struct on one line', () => {
    const strip = layoutStrip(layout(12, [row(0, 64), row(64, 3), row(67, 29)]));
    expect(strip?.lineBits).toBe(96);
    expect(strip?.lines).toHaveLength(1);
    expect(strip?.lines[0]?.cells.map(({ bits }) => bits)).toEqual([64, 3, 29]);
  });

  it('goes on to the next line with what does not fit, a flexible array left out', () => {
    const strip = layoutStrip(layout(72, [row(0, 480), row(480, 96), row(576, 0)]));
    expect(strip?.lines.map(({ startByte }) => startByte)).toEqual([0, 64]);
    expect(
      strip?.lines.map(({ cells }) => cells.map(({ bits, isRest }) => [bits, isRest])),
    ).toEqual([
      [
        [480, false],
        [32, false],
      ],
      [[64, true]],
    ]);
  });

  it.each([
    ['a union', layout(8, [row(0, 64)], { isUnion: true })],
    ['an empty struct', layout(0, [])],
    ['a large one', layout(257, [row(0, 257 * 8)])],
    ['members that overlap', layout(8, [row(0, 64), row(32, 32, { overlaps: true })])],
    ['a member past the end', layout(4, [row(0, 64, { pastEnd: true })])],
  ])('draws nothing for %s', (_what, odd) => {
    expect(layoutStrip(odd)).toBeNull();
  });

  it('covers every bit once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 }),
        (sizes) => {
          let at = 0;
          const rows = sizes.map((size) => {
            const next = row(at, size);
            at += size;
            return next;
          });
          const sizeBytes = Math.ceil(at / 8);
          const strip = layoutStrip(layout(sizeBytes, rows));
          const cells = strip?.lines.flatMap((line) => line.cells) ?? [];
          expect(cells.reduce((sum, { bits }) => sum + bits, 0)).toBe(at);
          let end = 0;
          for (const cell of cells) {
            expect(cell.startBit).toBe(end);
            end += cell.bits;
          }
        },
      ),
    );
  });
});
