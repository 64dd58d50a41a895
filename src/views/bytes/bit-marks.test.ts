import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitsText, bytePieces } from './bit-marks.ts';

const mark = (bitStart: number, bitLength: number, bytes = 4) => ({
  span: { start: 0x10, end: 0x10 + bytes },
  bitStart,
  bitLength,
  role: '',
});

describe('bytePieces', () => {
  it('has 21 bits as two whole bytes and five bits', () => {
    expect(bytePieces(mark(0, 21), 'little')).toEqual([
      { start: 0x10, end: 0x12, bits: null },
      { start: 0x12, end: 0x13, bits: { from: 0, to: 5 } },
    ]);
  });

  it('has a field inside of bytes by the bits at both of its ends', () => {
    expect(bytePieces(mark(12, 19, 8), 'little')).toEqual([
      { start: 0x11, end: 0x12, bits: { from: 4, to: 8 } },
      { start: 0x12, end: 0x13, bits: null },
      { start: 0x13, end: 0x14, bits: { from: 0, to: 7 } },
    ]);
  });

  it('counts from the other end in big-endian words', () => {
    expect(bytePieces(mark(0, 16), 'big')).toEqual([{ start: 0x12, end: 0x14, bits: null }]);
  });

  it('has every bit once, whatever the mark', () => {
    const bytes = fc.constantFrom(1, 2, 4, 8);
    const any = bytes.chain((n) => fc.tuple(fc.constant(n), fc.nat(8 * n - 1), fc.nat(8 * n)));
    fc.assert(
      fc.property(any, fc.constantFrom('little', 'big'), ([n, start, wanted], endian) => {
        const length = Math.min(wanted, 8 * n - start);
        const pieces = bytePieces(mark(start, length, n), endian);
        const bits = pieces.reduce(
          (sum, piece) =>
            sum + (piece.bits ? piece.bits.to - piece.bits.from : 8 * (piece.end - piece.start)),
          0,
        );
        expect(bits).toBe(length);
      }),
    );
  });
});

it('names bits in words', () => {
  expect([bitsText({ from: 0, to: 5 }), bitsText({ from: 7, to: 8 })]).toEqual([
    'bits 0–4',
    'bit 7',
  ]);
});
