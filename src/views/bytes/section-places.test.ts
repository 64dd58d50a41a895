import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_SECTIONS } from '#model/sections.ts';
import { sectionsInRange } from './section-places.ts';

const place = fc.record({
  start: fc.integer({ min: 0, max: 60 }),
  length: fc.integer({ min: 0, max: 30 }),
});

it('finds exactly the sections with bytes in the range, also where they overlap', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 12 }), place, (places, range) => {
      const sections = {
        ...NO_SECTIONS,
        count: places.length,
        fileOffset: Float64Array.from(places, ({ start }) => start),
        byteLength: Float64Array.from(places, ({ length }) => length),
      };
      const end = range.start + range.length;
      const touching = places.flatMap(({ start, length }, i) =>
        length > 0 && start < end && start + length > range.start ? [i] : [],
      );
      const found = sectionsInRange(sections, range.start, end);
      expect([...found].sort((a, b) => a - b)).toEqual(touching);
    }),
  );
});
