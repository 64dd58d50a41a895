import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AddressRanges } from './address-ranges.ts';

it('finds the first range that contains an address, also if ranges overlap', () => {
  const small = fc.bigInt({ min: 0n, max: 40n });
  const ranges = fc.array(fc.record({ start: small, end: small }), { maxLength: 12 });
  fc.assert(
    fc.property(ranges, small, (all, address) => {
      const found = all.findIndex(({ start, end }) => address >= start && address < end);
      expect(new AddressRanges(all).indexOf(address)).toBe(found);
    }),
  );
});
