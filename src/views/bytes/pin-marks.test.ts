import { expect, it } from 'vitest';
import { fileField } from '#analysis/structure/structure.ts';
import { NOTHING } from '#model/selection.ts';
import type { Pin } from '#store/lesson/pins.ts';
import { sampleObject } from '#testing/samples.ts';
import type { ByteMark } from '#ui/hex-marks.ts';
import { NOTHING_OPEN, outlineOf, rowAt, rowCount, withOpen } from './anatomy-tree.ts';
import { pinMarks, withPins } from './pin-marks.ts';
import { pinsOnRow } from './pin-rows.ts';

const pin = (number: number, start: number, end: number): Pin => ({
  number,
  text: `the \`${number}\``,
  selection: NOTHING,
  span: { start, end },
  isLit: number === 2,
});
const classOf = (isLit: boolean) => (isLit ? 'lit' : 'pin');

it('makes a mark with its number for each pin that has bytes', () => {
  const marks = pinMarks([pin(1, 4, 8), { ...pin(3, 0, 1), span: null }], 0x40, classOf);
  expect(marks).toEqual([
    {
      start: 0x44,
      end: 0x48,
      tone: 'accent',
      label: 'Pin 1: the 1',
      className: 'pin',
      badge: '1',
    },
  ]);
});

it('lays the pins below what marks the bytes otherwise', () => {
  const own: ByteMark = { start: 0, end: 4, tone: 'reloc-1', label: 'own' };
  const getOwn = () => [own];
  expect(withPins(getOwn, [])).toBe(getOwn);
  const marks = withPins(getOwn, pinMarks([pin(1, 2, 6), pin(2, 6, 8)], 0, classOf));
  expect(marks(0, 4).map(({ label }) => label)).toEqual(['Pin 1: the 1', 'own']);
  expect(marks(4, 8).map(({ className }) => className)).toEqual(['pin', 'lit', undefined]);
});

it('stands on the row of the anatomy that has just these bytes, or is folded over them', async () => {
  const { model, source } = await sampleObject('kinds.btf');
  const file = await source.read(0, source.size);
  const root = fileField(model, (start, end) => file.subarray(start, end));
  const pins = [pin(1, 0, 2), pin(2, 4, 8)];
  const rows = (open: typeof NOTHING_OPEN) => {
    const outline = outlineOf(root, open);
    return Array.from({ length: rowCount(outline) }, (_, i) => rowAt(outline, i)).flatMap((row) => {
      const own = row === null ? [] : pinsOnRow(row, pins);
      return own.length === 0 ? [] : [`${row?.owner.label}: ${own.map((p) => p.number)}`];
    });
  };
  expect(rows(NOTHING_OPEN)).toEqual(['BTF: 1,2']);
  expect(rows(withOpen(NOTHING_OPEN, [0, 0], true))).toEqual(['magic: 1', 'hdr_len: 2']);
});
