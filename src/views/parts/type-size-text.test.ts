import { describe, expect, it } from 'vitest';
import { widthText } from './layout-text.ts';
import { longSize, shortSize } from './number-text.ts';

const plain = (text: string | null) => text?.replaceAll('\u202f', ' ') ?? null;

describe('sizes of types', () => {
  it.each([
    [null, '', null],
    [0n, '0', '0 bytes'],
    [1n, '1', '1 byte'],
    [9792n, '9 792', '9 792 bytes, 0x2640'],
    [
      2n ** 64n - 1n,
      '18 446 744 073 709 551 615',
      '18 446 744 073 709 551 615 bytes, 0xffffffffffffffff',
    ],
    [2n ** 64n, '≥ 2^64', '2^64 bytes or more'],
    [2n ** 96n - 1n, '≥ 2^95', '2^95 bytes or more'],
    [3n ** 4000n, '≥ 2^6339', '2^6339 bytes or more'],
  ])('%s is %s, in words %s', (size, short, long) => {
    expect(plain(shortSize(size))).toBe(short);
    expect(plain(longSize(size))).toBe(long);
  });
});

it.each([
  [0, '0 bytes'],
  [1, '1 bit'],
  [8, '1 byte'],
  [617, '77 bytes and 1 bit'],
  [32, '4 bytes'],
])('%d bits are %s', (bits, text) => {
  expect(plain(widthText(bits))).toBe(text);
});
