import { describe, expect, it } from 'vitest';
import {
  align,
  assemble,
  cstring,
  distance,
  hex,
  i16,
  i32,
  i64,
  label,
  offsetOf,
  raw,
  text,
  u8,
  u16,
  u32,
  u64,
  zeros,
} from './assemble.ts';

describe('assemble', () => {
  it('writes every width in the given byte order', () => {
    const parts = [u8(1), u16(0x203), u32(0x4050607), u64(0x8090a0b0c0d0e0fn)];
    expect([...assemble('big', ...parts).bytes]).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]);
    expect([...assemble('little', ...parts).bytes]).toEqual([
      1, 3, 2, 7, 6, 5, 4, 15, 14, 13, 12, 11, 10, 9, 8,
    ]);
  });

  it('writes negative numbers as two’s complement', () => {
    expect([...assemble('big', i16(-2), i32(-3), i64(-4)).bytes]).toEqual([
      0xff, 0xfe, 0xff, 0xff, 0xff, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfc,
    ]);
  });

  it('resolves labels, even before they are set', () => {
    const { bytes, at } = assemble(
      'little',
      u16(offsetOf('end')),
      u16(distance('body', 'end')),
      label('body'),
      raw([9, 9, 9]),
      label('end'),
    );
    expect([...bytes]).toEqual([7, 0, 3, 0, 9, 9, 9]);
    expect(at('body')).toBe(4);
    expect(at('end')).toBe(7);
  });

  it('aligns from the start of the bytes and adds no padding to aligned bytes', () => {
    const { bytes, at } = assemble('little', u8(1), align(4), label('a'), align(4), label('b'));
    expect([...bytes]).toEqual([1, 0, 0, 0]);
    expect(at('a')).toBe(at('b'));
  });

  it('writes text as UTF-8, hex as bytes, and zeros', () => {
    const { bytes } = assemble('little', text('é'), cstring('a'), hex('de ad\nBE'), zeros(2));
    expect([...bytes]).toEqual([0xc3, 0xa9, 0x61, 0, 0xde, 0xad, 0xbe, 0, 0]);
  });

  it.each([
    ['u8 256', u8(256)],
    ['u8 -1', u8(-1)],
    ['u16 65536', u16(65536)],
    ['i16 32768', i16(32768)],
    ['u32 2^32', u32(2 ** 32)],
    ['u32 0.5', u32(0.5)],
    ['i32 2^31', i32(2 ** 31)],
    ['u64 -1', u64(-1)],
    ['u64 2^64', u64(1n << 64n)],
    ['u64 2^60 as a number', u64(2 ** 60)],
    ['i64 2^63', i64(1n << 63n)],
  ])('refuses %s', (_name, part) => {
    expect(() => assemble('little', part)).toThrow(RangeError);
  });

  it('refuses a label that is missing or set twice, and half a hex byte', () => {
    expect(() => assemble('little', u8(offsetOf('nowhere')))).toThrow('no label nowhere');
    expect(() => assemble('little', label('a'), label('a'))).toThrow('set twice');
    expect(() => hex('abc')).toThrow('not hex bytes');
  });
});
