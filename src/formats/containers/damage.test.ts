/**
 * Tests truncated, changed and random bytes: decoders return a result or throw `Malformed`. Wrong
 * data always has an issue.
 */
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Malformed } from '#bytes/issue.ts';
import { sampleBytes, smallBytes } from '#testing/container-samples.ts';
import { runs } from '#testing/runs.ts';
import { type CompressedKind, type Decompressed, decompress } from './decompress.ts';

const LIMIT = 1 << 20;
const SMALL = smallBytes();
const SAMPLE = sampleBytes();

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./testdata/${name}`, import.meta.url)));
}

/** Returns the unpacked data; null for a thrown `Malformed`. Other errors fail the test. */
async function unpack(kind: CompressedKind, bytes: Uint8Array): Promise<Decompressed | null> {
  try {
    return await decompress(kind, bytes, { region: 'sample', limit: LIMIT });
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

const SMALL_STREAMS: readonly (readonly [CompressedKind, Uint8Array])[] = [
  ['gzip', fixture('small.gz')],
  ['zlib', deflateSync(SMALL)],
  ['xz', fixture('small.xz')],
  ['lzma', fixture('small.lzma')],
  ['bzip2', fixture('small.bz2')],
  ['zstd', fixture('small.zst')],
  ['lz4', fixture('small.lz4')],
];

const LARGE_STREAMS: readonly (readonly [CompressedKind, Uint8Array])[] = [
  ['gzip', fixture('gzip-members.gz')],
  ['zlib', deflateSync(SAMPLE)],
  ['xz', fixture('xz-blocks.xz')],
  ['lzma', fixture('lzma.lzma')],
  ['bzip2', fixture('bzip2-blocks.bz2')],
  ['zstd', fixture('zstd-frames.zst')],
  ['lz4', fixture('lz4-blocks.lz4')],
];

describe.each(SMALL_STREAMS)('%s, every offset', (kind, packed) => {
  it('unpacks whole', async () => {
    const whole = await unpack(kind, packed);
    expect(whole?.issues).toEqual([]);
    expect(Buffer.from(whole?.bytes ?? [])).toEqual(Buffer.from(SMALL));
  });

  it('truncated anywhere, returns the beginning of the data and reports it', async () => {
    for (let length = 0; length < packed.length; length++) {
      const result = await unpack(kind, packed.subarray(0, length));
      expect(result?.issues, `cut at ${length}`).toMatchObject([
        { severity: 'error', code: 'container.truncated', span: { start: length, end: length } },
      ]);
      const bytes = result?.bytes ?? Uint8Array.of(0);
      expect(Buffer.compare(bytes, SMALL.subarray(0, bytes.length)), `cut at ${length}`).toBe(0);
    }
  });

  it('flipped anywhere, never returns wrong data without an issue', async () => {
    for (let bit = 0; bit < packed.length * 8; bit++) {
      const flipped = packed.slice();
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const result = await unpack(kind, flipped);
      // .lzma has no checksum, so wrong data cannot be detected.
      if (kind === 'lzma' || result === null || result.issues.length > 0) continue;
      expect(Buffer.compare(result.bytes, SMALL), `bit ${bit}`).toBe(0);
    }
  });
});

describe.each(LARGE_STREAMS)('%s, many blocks', (kind, packed) => {
  it('truncated anywhere, returns the beginning of the data', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), async (length) => {
        const result = await unpack(kind, packed.subarray(0, length));
        expect(result).not.toBeNull();
        const bytes = result?.bytes ?? Uint8Array.of(0);
        expect(Buffer.compare(bytes, SAMPLE.subarray(0, bytes.length))).toBe(0);
        // A cut after a complete member cannot be detected.
        if (bytes.length < SAMPLE.length && kind !== 'gzip' && kind !== 'zstd') {
          expect(result?.issues).toMatchObject([{ code: 'container.truncated' }]);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('damaged in several places, returns a result or Malformed', async () => {
    const place = fc.tuple(fc.nat(packed.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 6 }), async (places) => {
        const damaged = packed.slice();
        for (const [at, byte] of places) damaged[at] = byte;
        const result = await unpack(kind, damaged);
        expect(result === null || result.bytes.length <= LIMIT).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  it('followed by random bytes, returns a result or throws Malformed', async () => {
    const input = fc.tuple(fc.nat(40), fc.uint8Array({ maxLength: 400 }));
    await fc.assert(
      fc.asyncProperty(input, async ([kept, noise]) => {
        const bytes = Uint8Array.from([...packed.subarray(0, kept), ...noise]);
        const result = await unpack(kind, bytes);
        expect(result === null || result.bytes.length <= LIMIT).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a wrong checksum', () => {
  /** Format, file, offset of the last checksum (negative: from the end), part of the message. */
  it.each([
    ['gzip', 'gzip.gz', -8, 'CRC-32'],
    ['gzip', 'gzip.gz', -4, 'size'],
    ['zstd', 'zstd.zst', -4, 'XXH64'],
    ['bzip2', 'bzip2.bz2', 10, 'CRC-32'],
    ['lz4', 'lz4.lz4', -4, 'XXH32'],
  ] as const)(
    'in %s %s (at %i) leaves all data and one error',
    async (kind, name, place, words) => {
      const packed = fixture(name);
      const start = place < 0 ? packed.length + place : place;
      packed[start] = (packed[start] ?? 0) ^ 0xff;
      const result = await unpack(kind, packed);
      expect(Buffer.compare(result?.bytes ?? new Uint8Array(0), SAMPLE)).toBe(0);
      expect(result?.issues).toMatchObject([
        {
          severity: 'error',
          code: 'container.checksum',
          message: expect.stringContaining(words),
          span: { start, end: start + 4 },
        },
      ]);
    },
  );

  it.each(['xz-crc32.xz', 'xz-crc64.xz', 'xz-sha256.xz'])(
    'of the block in %s leaves all data',
    async (name) => {
      const packed = fixture(name);
      // The checksum of xz is before the index. The footer has the size of the index.
      const view = new DataView(packed.buffer);
      const indexLength = (view.getUint32(packed.length - 8, true) + 1) * 4;
      const checkEnd = packed.length - 12 - indexLength;
      packed[checkEnd - 1] = (packed[checkEnd - 1] ?? 0) ^ 1;
      const result = await unpack('xz', packed);
      expect(Buffer.compare(result?.bytes ?? new Uint8Array(0), SAMPLE)).toBe(0);
      expect(result?.issues).toMatchObject([
        { code: 'container.checksum', span: { end: checkEnd } },
      ]);
    },
  );

  it('of zlib data is detected', async () => {
    const packed = new Uint8Array(deflateSync(SMALL));
    packed[packed.length - 1] = (packed[packed.length - 1] ?? 0) ^ 1;
    const result = await unpack('zlib', packed);
    expect(result?.issues).toMatchObject([{ code: 'container.checksum' }]);
  });
});
