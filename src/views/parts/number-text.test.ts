import { describe, expect, it } from 'vitest';
import { hexText } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { countOf, shareText, sizeText } from './number-text.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('grouped', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1 000'],
    [126572, '126 572'],
    [1234567, '1 234 567'],
    [18446744073709551615n, '18 446 744 073 709 551 615'],
  ])('%s is written %s', (value, text) => {
    expect(plain(grouped(value))).toBe(text);
  });
});

it('writes offsets in hex', () => {
  expect(hexText(24)).toBe('0x18');
  expect(hexText(2n ** 64n - 1n)).toBe('0xffffffffffffffff');
});

it('takes the singular for one only', () => {
  expect([0, 1, 2].map((n) => plain(countOf(n, 'type')))).toEqual(['0 types', '1 type', '2 types']);
  expect(plain(countOf(1000, 'entry', 'entries'))).toBe('1 000 entries');
});

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1 023 bytes'],
  [1024, '1.0 KiB'],
  [8592, '8.4 KiB'],
  [1023.9 * 1024, '1.0 MiB'],
  [512 * 1024 * 1024, '512 MiB'],
  [3 * 1024 ** 3, '3.0 GiB'],
])('a size of %d is %s', (bytes, text) => {
  expect(plain(sizeText(bytes))).toBe(text);
});

it.each([
  [0, 10, '0.0 %'],
  [1, 100_000, '< 0.1 %'],
  [3, 1000, '0.3 %'],
  [420, 1000, '42 %'],
  [10, 10, '100 %'],
  [1, 0, ''],
])('%d of %d is %s', (part, whole, text) => {
  expect(plain(shareText(part, whole))).toBe(text);
});
