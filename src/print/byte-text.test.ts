import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteText, gathered } from './byte-text.ts';

const textOf = (write: (out: ByteText) => void) =>
  [...gathered(write)].map((byte) => String.fromCharCode(byte)).join('');

describe('ByteText', () => {
  it('writes decimals as JavaScript does', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (n) => {
        expect(textOf((out) => out.decimal(n))).toBe(`${n}`);
      }),
    );
    for (const n of [0, 9, 10, 99, 100, 0x7fffffff, 0x80000000, 0xffffffff, -1, -0x80000000])
      expect(textOf((out) => out.decimal(n))).toBe(`${n}`);
  });

  it('keeps the order over the ends of chunks', () => {
    const long = 'abcdefg'.repeat(30_000);
    const bytes = new TextEncoder().encode(long);
    const text = textOf((out) => out.latin1(long).decimal(-12).bytes(bytes, 1, 1e9).byte(0x0a));
    expect(text).toBe(`${long}-12${long.slice(1)}\n`);
  });

  it('counts what it wrote', () => {
    const out = new ByteText(() => undefined);
    out.latin1('x'.repeat(100_000)).decimal(1234);
    expect(out.length).toBe(100_004);
  });
});
