import { expect, it } from 'vitest';
import { UnpackedSum } from './unpacked-sum.ts';

it('limits the sum of what a command unpacks, by the size of its files', () => {
  const sum = new UnpackedSum();
  for (let i = 0; i < 4; i++) sum.unpack(1 << 26);
  expect(() => sum.unpack(1)).toThrow('more than 256 MiB and 64 times their size');
  const larger = new UnpackedSum();
  larger.open(1);
  larger.unpack((1 << 28) + 64);
  expect(() => larger.unpack(1)).toThrow('more than 256 MiB');
});
