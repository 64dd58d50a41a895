import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slices } from '#bytes/slices.ts';
import { namedRows } from './named-rows.ts';

it('groups rows by offset, in order', async () => {
  const END = 200;
  const offsets = fc.array(fc.integer({ min: 0, max: END + 40 }), { maxLength: 300 });
  const firsts = fc.constantFrom(0, 1, 31, 77, END);
  await fc.assert(
    fc.asyncProperty(offsets, firsts, async (offs, first) => {
      const slices = new Slices(1000, new AbortController().signal);
      const rows = await namedRows(Uint32Array.from(offs), first, END, slices);
      const expected = new Map<number, number[]>();
      offs.forEach((off, row) => {
        if (off > 0 && off >= first && off < END)
          expected.set(off, [...(expected.get(off) ?? []), row]);
      });
      const found = Array.from({ length: rows.count }, (_, name): [number, number[]] => [
        rows.nameOff[name] ?? -1,
        [...rows.rows.subarray(rows.starts[name], rows.starts[name + 1])],
      ]);
      expect(found).toEqual([...expected].sort(([a], [b]) => a - b));
    }),
  );
});

it('takes no room for strings that are not at hand', async () => {
  const slices = new Slices(1000, new AbortController().signal);
  const [first, end] = [0xfffff000, 0xfffff100];
  const rows = await namedRows(Uint32Array.of(5, first, first + 9, first), first, end, slices);
  expect([...rows.nameOff]).toEqual([first, first + 9]);
  expect([...rows.rows]).toEqual([1, 3, 2]);
});
