import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText, insnTokens } from './InsnText.tsx';

const spell = (text: string) =>
  insnTokens(text)
    .filter(({ kind }) => kind !== 'plain')
    .map((token) => `${token.kind} ${token.text}`);

describe('insnTokens', () => {
  it.each([
    ['r1 = *(u64 *)(r10 - 0x8)', ['register r1', 'type u64', 'register r10', 'number 0x8']],
    [
      'if w2 s> -0x1 goto +0x5',
      ['word if', 'register w2', 'number -0x1', 'word goto', 'number +0x5'],
    ],
    ['r1 = 0x2a ll', ['register r1', 'number 0x2a', 'word ll']],
    [
      'lock *(u32 *)(r1 + 0x0) += w2',
      ['word lock', 'type u32', 'register r1', 'number 0x0', 'register w2'],
    ],
    ['call -0x1', ['word call', 'number -0x1']],
    ['<unknown>', ['word unknown']],
  ])('%s', (text, expected) => {
    expect(spell(text)).toEqual(expected);
  });

  it('keeps the whole text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(
          insnTokens(text)
            .map((token) => token.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

it.each([
  ['0x10', '16'],
  ['-0x8', '-8'],
  ['+0x50', '+80'],
  ['0xffffffffffffffff', '18446744073709551615'],
])('writes %s as %s', (hex, decimal) => {
  expect(decimalText(hex)).toBe(decimal);
});
