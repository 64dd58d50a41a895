import { readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sampleBytes } from '#testing/container-samples.ts';
import { type CompressedKind, decompress } from './decompress.ts';

const SAMPLE = sampleBytes();
const LIMIT = 1 << 20;

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./testdata/${name}`, import.meta.url)));
}

function unpack(kind: CompressedKind, bytes: Uint8Array, limit = LIMIT) {
  return decompress(kind, bytes, { region: 'sample', limit });
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

const FIXTURES: readonly (readonly [CompressedKind, string])[] = [
  ['gzip', 'gzip.gz'],
  ['gzip', 'gzip-members.gz'],
  ['xz', 'xz-crc64.xz'],
  ['xz', 'xz-crc32.xz'],
  ['xz', 'xz-sha256.xz'],
  ['xz', 'xz-none.xz'],
  ['xz', 'xz-blocks.xz'],
  ['xz', 'xz-streams.xz'],
  ['xz', 'xz-x86.xz'],
  ['lzma', 'lzma.lzma'],
  ['bzip2', 'bzip2.bz2'],
  ['bzip2', 'bzip2-blocks.bz2'],
  ['bzip2', 'bzip2-streams.bz2'],
  ['zstd', 'zstd.zst'],
  ['zstd', 'zstd-19.zst'],
  ['zstd', 'zstd-pipe.zst'],
  ['zstd', 'zstd-frames.zst'],
  ['zstd', 'zstd-long.zst'],
  ['lz4', 'lz4.lz4'],
  ['lz4', 'lz4-blocks.lz4'],
  ['lz4', 'lz4-frames.lz4'],
  ['lz4', 'lz4-legacy.lz4'],
];

describe('decompress', () => {
  it.each(FIXTURES)('%s: unpacks %s', async (kind, name) => {
    const { bytes, issues } = await unpack(kind, fixture(name));
    expect(issues).toEqual([]);
    expect(Buffer.compare(bytes, SAMPLE)).toBe(0);
  });

  it.each(FIXTURES)('%s: limits %s to the byte', async (kind, name) => {
    await expect(unpack(kind, fixture(name), SAMPLE.length)).resolves.toMatchObject({ issues: [] });
    await expect(unpack(kind, fixture(name), SAMPLE.length - 1)).rejects.toMatchObject({
      name: 'Malformed',
      message: expect.stringContaining(`the limit of ${SAMPLE.length - 1} bytes`),
      issue: { code: 'container.too-large' },
    });
  });

  it('unpacks zlib, as in sections', async () => {
    const { bytes, issues } = await unpack('zlib', deflateSync(SAMPLE));
    expect(issues).toEqual([]);
    expect(Buffer.compare(bytes, SAMPLE)).toBe(0);
  });

  it('stops a bomb at 64 MiB and 32 times the packed size', async () => {
    const bomb = gzipSync(new Uint8Array(80 << 20), { level: 9 });
    const expected = `at most ${(64 << 20) + 32 * bomb.length} bytes`;
    const options = { region: 'bomb.gz', limit: 1 << 29 };
    await expect(decompress('gzip', bomb, options)).rejects.toMatchObject({
      issue: { code: 'container.too-large', expected },
    });
  });

  it('stops a bomb at the limit', async () => {
    const bomb = gzipSync(new Uint8Array(64 << 20), { level: 9 });
    await expect(unpack('gzip', bomb)).rejects.toMatchObject({
      issue: { code: 'container.too-large', expected: `at most ${LIMIT} bytes` },
    });
  });

  it('allocates nothing for a declared size without data', async () => {
    const lie = fixture('lzma.lzma').slice(0, 40);
    new DataView(lie.buffer).setBigUint64(5, 1n << 25n, true);
    const { bytes, issues } = await unpack('lzma', lie, 1 << 30);
    expect(bytes.buffer.byteLength).toBeLessThan(1 << 20);
    expect(issues).toMatchObject([{ code: 'container.truncated' }]);
  });

  it('advises what to do about unsupported .xz filters', async () => {
    await expect(unpack('xz', fixture('xz-delta.xz'))).rejects.toMatchObject({
      message: expect.stringContaining('the delta filter'),
      issue: { code: 'container.unsupported', advice: expect.stringContaining('"xz -d"') },
    });
  });

  it('names the dictionary that zstd data needs', async () => {
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 0, 1, 0, 0);
    await expect(unpack('zstd', frame)).rejects.toMatchObject({
      message: expect.stringContaining('dictionary 7'),
      issue: { code: 'container.unsupported' },
    });
  });

  it('skips skippable zstd frames', async () => {
    const skipped = Uint8Array.of(0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3);
    const { bytes, issues } = await unpack('zstd', join(skipped, fixture('zstd.zst'), skipped));
    expect(issues).toEqual([]);
    expect(bytes.length).toBe(SAMPLE.length);
  });

  it('accepts a .lzma with a declared size and an end marker', async () => {
    const sized = fixture('lzma.lzma');
    new DataView(sized.buffer).setBigUint64(5, BigInt(SAMPLE.length), true);
    const { bytes, issues } = await unpack('lzma', sized);
    expect(issues).toEqual([]);
    expect(Buffer.compare(bytes, SAMPLE)).toBe(0);
  });

  it('reads every optional field of a gzip header', async () => {
    const plain = gzipSync('text');
    const header = [0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9, 0x6e, 0, 0x63, 0, 1, 2];
    const { bytes } = await unpack('gzip', join(Uint8Array.from(header), plain.subarray(10)));
    expect(new TextDecoder().decode(bytes)).toBe('text');
  });

  it.each([
    ['gzip', 'gzip.gz'],
    ['xz', 'xz-crc64.xz'],
    ['lzma', 'lzma.lzma'],
    ['bzip2', 'bzip2.bz2'],
    ['zstd', 'zstd.zst'],
    ['lz4', 'lz4.lz4'],
    ['lz4', 'lz4-legacy.lz4'],
  ] as const)('%s: warns of bytes after the end of %s', async (kind, name) => {
    const packed = fixture(name);
    const { bytes, issues } = await unpack(
      kind,
      join(packed, Uint8Array.of(0x4c, 0x4f, 0x4c, 0x21)),
    );
    expect(bytes.length).toBe(SAMPLE.length);
    expect(issues).toMatchObject([
      {
        severity: 'warning',
        code: 'container.trailing',
        span: { start: packed.length, end: packed.length + 4 },
      },
    ]);
  });

  it.each([
    ['xz', 'xz-x86.xz'],
    ['lzma', 'lzma.lzma'],
    ['bzip2', 'bzip2.bz2'],
    ['zstd', 'zstd.zst'],
    ['lz4', 'lz4-legacy.lz4'],
  ] as const)('%s: takes the unpacked size behind %s, as kernels have it', async (kind, name) => {
    const size = new Uint8Array(4);
    new DataView(size.buffer).setUint32(0, SAMPLE.length, true);
    const { bytes, issues } = await unpack(kind, join(fixture(name), size));
    expect(bytes.length).toBe(SAMPLE.length);
    expect(issues).toEqual([]);
    size[0] = (size[0] ?? 0) ^ 1;
    expect((await unpack(kind, join(fixture(name), size))).issues).not.toEqual([]);
  });

  it.each([
    ['lz4 of another version', [0x80, 0x40], 'lz4 of version 2'],
    ['the dictionary that lz4 data needs', [0x41, 0x40, 7, 0, 0, 0, 0xb4], 'dictionary 7'],
  ])('names %s', async (_what, header, words) => {
    const frame = Uint8Array.of(0x04, 0x22, 0x4d, 0x18, ...header, 0, 0, 0, 0);
    await expect(unpack('lz4', frame)).rejects.toMatchObject({
      message: expect.stringContaining(words),
      issue: { code: 'container.unsupported' },
    });
  });

  // Each test begins with a legacy frame: block size, token, literals, distance.
  it.each([
    ['a match before the start', [5, 0, 0, 0, 0x10, 0x61, 2, 0, 0]],
    ['a distance of 0', [5, 0, 0, 0, 0x10, 0x61, 0, 0, 0]],
    ['a block that ends in a match', [4, 0, 0, 0, 0x10, 0x61, 1, 0]],
    ['literals past the block', [2, 0, 0, 0, 0x20, 0x61, 0x61, 0x61]],
  ])('lz4: %s is damage', async (_what, block) => {
    const { issues } = await unpack('lz4', Uint8Array.of(0x02, 0x21, 0x4c, 0x18, ...block));
    expect(issues).toMatchObject([{ code: 'container.corrupt' }]);
  });

  it('counts spans from the given file offset', async () => {
    const cut = deflateSync(SAMPLE).subarray(0, 100);
    const { issues } = await decompress('zlib', cut, {
      region: '.BTF',
      limit: LIMIT,
      fileOffset: 5000,
    });
    expect(issues).toMatchObject([{ region: '.BTF', span: { start: 5100, end: 5100 } }]);
  });

  it('stops when the signal is aborted, before and during the work', async () => {
    const options = { region: 'sample', limit: 1 << 30 };
    const aborted = AbortSignal.abort();
    await expect(
      decompress('xz', fixture('xz-none.xz'), { ...options, signal: aborted }),
    ).rejects.toBe(aborted.reason);

    const controller = new AbortController();
    const long = gzipSync(new Uint8Array(256 << 20), { level: 1 });
    const running = decompress('gzip', long, { ...options, signal: controller.signal });
    setTimeout(() => controller.abort('enough'), 5);
    await expect(running).rejects.toBe('enough');
  });
});
