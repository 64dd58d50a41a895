import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasLzop, isPackedKind, packedPlaces } from './packed-places.ts';

const EXTENSIONS: readonly (readonly [string, string])[] = [
  ['gzip', 'gzip.gz'],
  ['xz', 'xz-crc32.xz'],
  ['zstd', 'zstd.zst'],
  ['lzma', 'lzma.lzma'],
  ['bzip2', 'bzip2.bz2'],
  ['lz4', 'lz4.lz4'],
  ['lz4', 'lz4-legacy.lz4'],
];

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./testdata/${name}`, import.meta.url)));
}

describe('packedPlaces', () => {
  it.each(EXTENSIONS)('finds %s at any offset (%s)', (kind, name) => {
    for (const before of [0, 1, 1002]) {
      const bytes = Buffer.concat([new Uint8Array(before).fill(0x1f), fixture(name)]);
      expect([...packedPlaces(bytes)][0]).toEqual({ kind, byteOffset: before });
    }
  });

  it('finds none in code and in text', () => {
    expect([...packedPlaces(new Uint8Array(5000).fill(0x90))]).toEqual([]);
    expect([...packedPlaces(new TextEncoder().encode('BZh9 is written in this text'))]).toEqual([]);
    expect([...packedPlaces(Uint8Array.of(0x1f, 0x8b, 7, 0))]).toEqual([]);
    expect([...packedPlaces(new Uint8Array(0))]).toEqual([]);
  });
});

describe('hasLzop', () => {
  const lzop = Uint8Array.of(0x89, 0x4c, 0x5a, 0x4f, 0x00, 0x0d, 0x0a, 0x1a, 0x0a);

  it('requires the whole magic', () => {
    expect(hasLzop(Buffer.concat([Uint8Array.of(0x89, 0x89), lzop]))).toBe(true);
    expect(hasLzop(lzop.subarray(0, 8))).toBe(false);
    expect(hasLzop(new Uint8Array(0))).toBe(false);
  });
});

describe('isPackedKind', () => {
  it('distinguishes compressed from plain data', () => {
    expect(['xz', 'lz4', 'elf', 'bzImage', 'unknown'].map(isPackedKind)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
