import { describe, expect, it } from 'vitest';
import {
  asciiOf,
  asciiSpan,
  byteLabel,
  hexSpan,
  hexWidth,
  offsetDigits,
  offsetText,
  segmentInRow,
} from './hex-marks.ts';
import { copyText } from './use-byte-selection.ts';

describe('segmentInRow', () => {
  const mark = { start: 10, end: 36 };

  it.each([
    ['where it begins', 0, { fromColumn: 10, toColumn: 16, first: true, last: false }],
    ['where it goes on', 16, { fromColumn: 0, toColumn: 16, first: false, last: false }],
    ['where it ends', 32, { fromColumn: 0, toColumn: 4, first: false, last: true }],
    ['where it is not', 48, null],
  ])('%s', (_name, rowStart, segment) => {
    expect(segmentInRow(mark, rowStart, 16)).toEqual(segment);
  });

  it('is null for an empty range', () => {
    expect(segmentInRow({ start: 4, end: 4 }, 0, 16)).toBeNull();
  });
});

describe('the place of a segment', () => {
  it('goes over the wider gap between two groups as one piece', () => {
    const segment = { fromColumn: 6, toColumn: 10, first: true, last: true };
    expect(hexSpan(segment)).toEqual({ from: 18, to: 31 });
    expect(asciiSpan(segment)).toEqual({ from: 6, to: 10 });
  });

  it('ends with the eighth cell, before the gap', () => {
    expect(hexSpan({ fromColumn: 4, toColumn: 8, first: true, last: true }).to).toBe(24);
  });

  it('is three wide for one byte', () => {
    expect(hexSpan({ fromColumn: 8, toColumn: 9, first: true, last: true })).toEqual({
      from: 25,
      to: 28,
    });
    expect(hexWidth(16)).toBe(49);
  });
});

describe('texts', () => {
  it('names a byte by offset, value and marks', () => {
    const marks = [{ start: 16, end: 20, tone: 'reloc-2', label: 'R_BPF_64_32 gfunc' }] as const;
    expect(byteLabel(0x10, 0x85, marks)).toBe('0x0010: 85, R_BPF_64_32 gfunc');
    expect(byteLabel(0x12345, null, [])).toBe('0x12345: not loaded');
  });

  it.each([
    [0x10, 4],
    [0xffff, 4],
    [0x1_0000, 6],
    [0xb2d0_5e00, 8],
  ])('offsets up to %i have %i digits', (last, digits) => {
    expect(offsetDigits(last)).toBe(digits);
    expect(offsetText(last, digits)).toHaveLength(digits + 2);
  });

  it('shows only printable ASCII as itself', () => {
    expect([0x1f, 0x20, 0x41, 0x7e, 0x7f, 0xff].map(asciiOf).join('')).toBe('. A~..');
  });
});

describe('copyText', () => {
  it('gives the bytes as hex', () => {
    const copied = copyText({ start: 2, end: 4 }, () => Uint8Array.of(0x85, 0x0f));
    expect(copied).toEqual({ text: '85 0f', result: 'Copied 2 bytes as hex' });
  });

  it('reports bytes that are missing or too many', () => {
    expect(copyText({ start: 0, end: 4 }, () => null).text).toBeNull();
    const unasked = () => {
      throw new Error('asked for a megabyte of text');
    };
    expect(copyText({ start: 0, end: 2_000_000 }, unasked).text).toBeNull();
  });
});
