import { expect, it } from 'vitest';
import { SectionIndex } from './section-index.ts';

const section = (type: number, address: number, size: number) => ({
  name: '.data',
  type,
  address: BigInt(address),
  size: BigInt(size),
});

it('finds the first section with data that contains an address', () => {
  const index = new SectionIndex([
    section(0, 0, 100),
    section(1, 0x1000, 0x100),
    section(8, 0x1080, 0x100),
    section(7, 0x2000, 0x10),
    section(1, 0, 0x3000),
    section(1, 0x5000, 0),
  ]);
  const found = [0x10, 0x1000, 0x10ff, 0x1100, 0x117f, 0x1180, 0x2000, 0x2fff, 0x3000, 0x5000];
  expect(found.map((address) => index.at(BigInt(address)))).toEqual([4, 1, 1, 2, 2, 4, 4, 4, 0, 0]);
});
