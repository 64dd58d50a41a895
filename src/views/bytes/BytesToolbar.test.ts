import { describe, expect, it } from 'vitest';
import { parseOffset } from './BytesToolbar.tsx';

const space = { base: 0x100, length: 0x400, from: 0x120 };

describe('parseOffset', () => {
  it.each([
    ['0x1a4', 0x1a4],
    [' 0X1A4 ', 0x1a4],
    ['420', 420],
    ['1a4', 0x1a4],
    ['+16', 0x130],
    ['+0x10', 0x130],
    ['- 0x20', 0x100],
    ['+1f', 0x13f],
    ['0x4ff', 0x4ff],
  ])('%j goes to %d', (text, offset) => {
    expect(parseOffset(text, space)).toEqual({ ok: true, at: offset });
  });

  it.each(['', '  ', '0x', 'there', '1.5', '--4', '+', '0x10 0x20'])(
    '%j is not an offset',
    (text) => {
      expect(parseOffset(text, space)).toMatchObject({
        ok: false,
        problem: expect.stringMatching(/^Enter an offset/),
      });
    },
  );

  it.each(['0xff', '0x500', '+0x400', '-0x21', '99999999999999999999999'])(
    '%j is outside, and the problem names the range',
    (text) => {
      expect(parseOffset(text, space)).toEqual({
        ok: false,
        problem: 'Offsets here go from 0x100 to 0x4ff (1279)',
      });
    },
  );

  it('reports an empty region', () => {
    expect(parseOffset('0', { base: 0, length: 0, from: 0 })).toEqual({
      ok: false,
      problem: 'The region has no bytes',
    });
  });
});
