import { expect, it } from 'vitest';
import { hexDigits } from '#bytes/text.ts';
import { number, reportJson } from './report-value.ts';

it('writes numbers of 64 bits with all their digits', () => {
  const value = { small: number(7n), large: number(2n ** 64n - 1n), text: '"1"' };
  expect(reportJson(value, 0)).toBe('{"small":7,"large":18446744073709551615,"text":"\\"1\\""}');
  expect(hexDigits(new Uint8Array([0, 0xab]))).toBe('00ab');
});
