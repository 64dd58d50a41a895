import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Steps } from '#bytes/long-work.ts';
import { adler32, crc32, crc32Forward, crc64, xxh32 } from './checksums.ts';
import { xxh64 } from './zstd.ts';

const ascii = (text: string) => new TextEncoder().encode(text);

function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe('checksums', () => {
  // Catalogues of CRCs give the checksum of "123456789" as `check`.
  it('agree with the published check values', () => {
    const check = ascii('123456789');
    expect(crc32(0, check)).toBe(0xcbf43926);
    expect(crc32Forward(0, check)).toBe(0xfc891918);
    expect(crc64({ high: 0, low: 0 }, check)).toEqual({ high: 0x995dc9bb, low: 0xdf1939fa });
    expect(adler32(1, ascii('Wikipedia'))).toBe(0x11e60398);
  });

  it.each([
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['abc', 0x44bc2cf5ad770999n],
    ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ])('XXH64 of %j', (text, hash) => {
    expect(finish(xxh64(ascii(text)))).toBe(hash);
  });

  it.each([
    ['', 0x02cc5d05],
    ['a', 0x550d7456],
    ['abc', 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('XXH32 of %j', (text, hash) => {
    expect(finish(xxh32(ascii(text)))).toBe(hash);
  });

  it('XXH64 and XXH32 of many stripes equal those of zstd and lz4', () => {
    const data = Uint8Array.from({ length: 1_000_003 }, (_, i) => (i * i * 7 + (i >> 3)) & 0xff);
    expect(finish(xxh64(data)) & 0xffffffffn).toBe(0x08e59656n);
    expect(finish(xxh32(data))).toBe(0xae1eaa51);
  });

  it('do not depend on how the data is split', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (data, at) => {
        const head = data.subarray(0, at);
        const tail = data.subarray(at);
        expect(crc32(crc32(0, head), tail)).toBe(crc32(0, data));
        expect(crc32Forward(crc32Forward(0, head), tail)).toBe(crc32Forward(0, data));
        expect(adler32(adler32(1, head), tail)).toBe(adler32(1, data));
        const zero = { high: 0, low: 0 };
        expect(crc64(crc64(zero, head), tail)).toEqual(crc64(zero, data));
      }),
    );
  });

  it('keep Adler-32 exact over a long run of the largest byte', () => {
    let a = 1;
    let b = 0;
    for (let i = 0; i < 100_000; i++) {
      a = (a + 255) % 65521;
      b = (b + a) % 65521;
    }
    expect(adler32(1, new Uint8Array(100_000).fill(255))).toBe(b * 0x10000 + a);
  });
});
