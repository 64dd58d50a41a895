import { describe, expect, it } from 'vitest';
import { markText, rulerParts, wordOf } from './BitRuler.tsx';

const mark = (bitStart: number, bitLength: number, bytes: number, role = 'displacement') => ({
  span: { start: 0, end: bytes },
  bitStart,
  bitLength,
  role,
});

describe('a marked word', () => {
  it('is a number by the byte order', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    expect([wordOf(bytes, 'little'), wordOf(bytes, 'big')]).toEqual([0x04030201n, 0x01020304n]);
  });

  it('is split into plain and marked parts, from the highest bit on', () => {
    const parts = rulerParts(mark(0, 16, 4), 0xa77d8010n, (value) => `${value}`);
    expect(parts.map(({ field, length, value }) => [field, length, value])).toEqual([
      ['kept', 16, 0xa77dn],
      ['displacement', 16, 0x8010n],
    ]);
    expect(parts[1]?.name).toBe('-32752');
    const inside = rulerParts(mark(12, 19, 8, ''), 0n, () => null);
    expect(inside.map(({ field, length }) => [field, length])).toEqual([
      ['kept', 33],
      ['data', 19],
      ['kept', 12],
    ]);
  });

  it('names the bits', () => {
    expect(markText(mark(0, 64, 8))).toBe('all 64 bits');
    expect(markText(mark(0, 21, 4))).toBe('21 of 32 bits');
    expect(markText(mark(12, 19, 8))).toBe('19 of 64 bits, from bit 12 on');
  });
});
