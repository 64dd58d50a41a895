/** Tests the parts of an atlas, each written and read separately. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { type Entry, EntryKind, readKernelSet, type WrittenRow, writeKernelSet } from './entry.ts';
import { readEntryBlock } from './read-entry-block.ts';
import { VarintReader, VarintWriter } from './varints.ts';
import { EntryBlockWriter } from './write-entry-block.ts';

it('round-trips numbers', () => {
  const number = fc.integer({ min: -(2 ** 52) + 1, max: 2 ** 52 - 1 });
  fc.assert(
    fc.property(fc.array(number), (numbers) => {
      const out = new VarintWriter();
      for (const each of numbers) out.sint(each);
      const from = new VarintReader(out.finish(), 'test');
      expect(numbers.map(() => from.sint('a number'))).toEqual(numbers);
    }),
  );
});

it('round-trips sets of kernels', () => {
  const sets = fc
    .integer({ min: 1, max: 300 })
    .chain((count) => fc.tuple(fc.constant(count), fc.uniqueArray(fc.nat(count - 1))));
  fc.assert(
    fc.property(sets, ([count, members]) => {
      const kernels = members.toSorted((a, b) => a - b);
      const out = new VarintWriter();
      writeKernelSet(out, kernels, count);
      expect(readKernelSet(new VarintReader(out.finish(), 'test'), count)).toEqual(kernels);
    }),
  );
});

/** Texts of the entries. The index is the number of the text. */
const TEXTS = ['', 'a', 'b', 'int', 'struct list_head *', 'next', 'prev'].map((text) =>
  new TextEncoder().encode(text),
);
const text = fc.nat(TEXTS.length - 1);
const size = fc.oneof(fc.nat(100), fc.constantFrom(2 ** 32, 2 ** 40));
const word = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer());
const ITEMS = {
  [EntryKind.struct]: { head: [size], item: [text, text, size, size] },
  [EntryKind.enum]: { head: [size, fc.nat(1)], item: [text, word, word] },
  [EntryKind.func]: { head: [text], item: [text, text] },
  [EntryKind.typedef]: { head: [text, size], item: [] },
};

/** Numbers of kernels and modules in the tested atlas. */
const HAS = { kernels: 5, modules: 3 };

type Numbers = readonly fc.Arbitrary<number>[];

function entries(kind: keyof typeof ITEMS) {
  const { head, item }: { readonly head: Numbers; readonly item: Numbers } = ITEMS[kind];
  const items = fc.array(fc.tuple(...item), { maxLength: 6 }).map((list) => list.flat());
  const variant = fc.tuple(fc.tuple(...head), items).map(([first, rest]) => [...first, ...rest]);
  return fc.array(
    fc.array(variant, { minLength: 1, maxLength: 4 }).map(
      (variants): Entry<WrittenRow> => ({
        kind,
        name: 1,
        variants,
        rows: variants.map((_, i) => ({
          variants: [variants.length - 1 - i, 0],
          holders: [i, i + 3],
        })),
      }),
    ),
    { maxLength: 4 },
  );
}

it.each([EntryKind.struct, EntryKind.enum, EntryKind.func, EntryKind.typedef])(
  'reads entries of kind %d as they were written',
  (kind) => {
    fc.assert(
      fc.property(entries(kind), (given) => {
        const writer = new EntryBlockWriter(8, (string) => TEXTS[string] ?? new Uint8Array(0));
        for (const entry of given) writer.add(entry);
        const { strings, entries: found } = readEntryBlock(writer.finish(), kind, HAS, 'test');
        const read = found.map(({ rows, ...entry }) => ({
          ...entry,
          rows: rows.map(({ variants, kernels, modules }) => ({
            variants,
            holders: [...kernels, ...modules.map((module) => HAS.kernels + module)],
          })),
        }));
        const shown = (list: readonly Entry<WrittenRow>[], texts: readonly Uint8Array[]) =>
          list.map(({ name, variants, rows }) => ({
            name: texts[name],
            rows,
            variants: variants.map((numbers) =>
              numbers.map((number, i) => {
                const { head, item } = ITEMS[kind];
                const role = i < head.length ? head[i] : item[(i - head.length) % item.length];
                return role === text ? texts[number] : number;
              }),
            ),
          }));
        expect(shown(read, strings)).toEqual(shown(given, TEXTS));
      }),
    );
  },
);

it('returns entries or Malformed for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(4), (bytes, kind) => {
      try {
        readEntryBlock(bytes, kind, HAS, 'test');
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
      }
    }),
  );
});
