import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { functionAt, functionsIn, functionsOf, functionsRun } from '#analysis/objects/functions.ts';
import { namedSymbolsRun, symbolAt } from '#analysis/objects/symbol-places.ts';
import { relocationIndexRun, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { elfObject, rel } from '#testing/elf-object.ts';
import { openModel } from '#testing/open-model.ts';
import { placesReady } from './places-ready.ts';

const COUNT = 1500;
const FUNC = 2;

/** An object with `COUNT` functions, each in its own section with one relocation. */
const object = elfObject({
  sections: Array.from({ length: COUNT }, (_, i) => [
    { name: `.text.${i}`, flags: 6, data: new Uint8Array(16) },
    {
      name: `.rel.text.${i}`,
      type: 9,
      link: '.symtab',
      info: `.text.${i}`,
      entsize: 16,
      data: rel(64, 8 * (i % 2), 1 + i, 10),
    },
  ]).flat(),
  symbols: Array.from({ length: COUNT }, (_, i) => ({
    name: `fn_${i}`,
    shndx: `.text.${i}`,
    type: FUNC,
    size: i % 3 === 0 ? 0 : 16,
  })),
});

let inSlices: ObjectModel;
let atOnce: ObjectModel;
beforeAll(async () => {
  inSlices = await openModel('a.o', object.bytes);
  atOnce = await openModel('a.o', object.bytes);
});

it('returns the same in many slices as at once', () => {
  // Each index is tested alone, since a fast machine may build several in one slice.
  const parts = [functionsRun(inSlices), namedSymbolsRun(inSlices), relocationIndexRun(inSlices)];
  for (const part of parts) {
    let slices = 0;
    for (; part.result === null; slices++) part.advance(0);
    expect(slices).toBeGreaterThan(1);
  }
  expect(placesReady.of(inSlices)).toBe(true);
  expect(functionsOf(inSlices)).toEqual(functionsOf(atOnce));
  expect(functionsOf(inSlices)).toHaveLength(COUNT);
  fc.assert(
    fc.property(fc.nat(2 * COUNT + 5), fc.integer({ min: -8, max: 24 }), (number, offset) => {
      const section = sectionIndex(number);
      const asked = (model: ObjectModel) => [
        functionAt(model, section, offset),
        symbolAt(model, section, offset),
        relocationsInRange(model, section, offset, offset + 8),
        functionsIn(model, section),
      ];
      expect(asked(inSlices)).toEqual(asked(atOnce));
      const own = functionsOf(atOnce).filter((func) => func.section === section);
      expect(functionsIn(inSlices, section)).toEqual(own);
    }),
  );
});
