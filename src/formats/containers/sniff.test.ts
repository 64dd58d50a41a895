import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bzImage, peFile } from '#testing/boot-images.ts';
import {
  describeUnknown,
  hasLzop,
  isPackedKind,
  isWithoutWords,
  packedPlaces,
  sniff,
} from './sniff.ts';

const ascii = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(`./testdata/${name}`, import.meta.url)));
}

describe('sniff', () => {
  it.each([
    ['gzip.gz', 'gzip'],
    ['xz-crc32.xz', 'xz'],
    ['zstd.zst', 'zstd'],
    ['lzma.lzma', 'lzma'],
    ['small.lzma', 'lzma'],
    ['bzip2.bz2', 'bzip2'],
    ['lz4.lz4', 'lz4'],
    ['lz4-legacy.lz4', 'lz4'],
    ['gnu.a', 'ar'],
    ['thin.a', 'thin-ar'],
  ])('%s is %s', (name, kind) => {
    expect(sniff(fixture(name).subarray(0, 512))).toBe(kind);
  });

  it.each([
    ['\x7fELF', 'elf'],
    ['\x9f\xeb\x01\x00', 'btf'],
    ['\xeb\x9f\x01\x00', 'btf'],
    ['\x50\x2a\x4d\x18\x04\x00\x00\x00', 'zstd'],
    ['\x50\x2a\x4d\x18\x01\x00\x00\x00?\x04\x22\x4d\x18', 'lz4'],
    ['\x50\x2a\x4d\x18\x01\x00\x00\x00?\x28\xb5\x2f\xfd', 'zstd'],
    ['BZh9\x17\x72\x45\x38\x50\x90', 'bzip2'],
    ['BZh9', 'bzip2'],
    ['BZh9 is a text', 'unknown'],
    ['BZh0\x31\x41\x59\x26\x53\x59', 'unknown'],
    ['\x7fEL', 'unknown'],
    ['', 'unknown'],
  ])('%j is %s', (text, kind) => {
    expect(sniff(ascii(text))).toBe(kind);
  });

  it.each([
    ['properties over 224', 0, 225],
    ['a dictionary of no power of two', 1, 1],
    ['an absurd size', 10, 0],
    ['data that does not begin with 0', 13, 1],
  ])('is not .lzma with %s', (_what, place, byte) => {
    const head = fixture('lzma.lzma').subarray(0, 100);
    expect(sniff(head)).toBe('lzma');
    expect(sniff(head.map((old, i) => (i === place ? byte : old)))).toBe('unknown');
  });

  it('distinguishes a packed kernel from a PE file, although it is both', () => {
    expect(sniff(bzImage(new Uint8Array(9)))).toBe('bzImage');
    expect(sniff(peFile('.linux', new Uint8Array(9)))).toBe('unified kernel image');
    expect(sniff(peFile('.data', new Uint8Array(9)))).toBe('unknown');
  });

  it('detects neither zeros nor text as .lzma', () => {
    expect(sniff(new Uint8Array(512))).toBe('unknown');
    expect(sniff(ascii('] some text that begins like LZMA properties'))).toBe('unknown');
  });

  it('never throws, and describes every unknown file', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (head) => {
        expect(sniff(head)).toBeTypeOf('string');
        expect(describeUnknown(head)).toMatch(/^[\x20-\x7e]+$/);
      }),
    );
  });
});

describe('describeUnknown', () => {
  it.each([
    ['', 'an empty file'],
    ['\x7fEL', 'the first bytes of an ELF file'],
    ['\x9f', 'the first byte of a BTF blob'],
    ['\0\0\0\0\0\0', 'a file of zeros'],
    ['hello, this is text\n', 'plain text'],
    ['gr\xc3\xbc\xc3\x9fe\n', 'plain text'],
    ['cut in a character \xc3', 'plain text'],
    ['\xef\xbb\xbf  <!DOCTYPE html><p>', 'a web page'],
    ['<?xml version="1.0"?>', 'XML'],
    ['{"types":[]}', 'JSON'],
    ['[ {"a": 1} ]', 'JSON'],
    [
      "[1] INT 'int' size=4 bits_offset=0 nr_bits=32 encoding=SIGNED\n",
      'the printed text of a BTF dump, not the BTF itself',
    ],
    ['[section]\nkey=value\n', 'plain text'],
    ['#!/bin/sh\nexit 1\n', 'a script'],
    ['// SPDX-License-Identifier: GPL-2.0\n', 'C source text'],
    ['#ifndef __VMLINUX_H__\n', 'C source text'],
    ['n+sBABgAAAAAAAAAvBQAALwUAAA8GQAAAAAAAAAAAAAAAAAA\nAAAACAAAA==\n', 'base64 text'],
    ['f0VMRgIBAQAAAAAAAAAAAAEA9wABAAAA', 'ELF in base64 text'],
    ['00000000: 7f45 4c46 0201 0100', 'a hex dump of an ELF file'],
    ['\xef\xbb\xbf\x7fELF\x02\x01', 'ELF behind a byte order mark'],
    ['\xff\xfe\x7f\0E\0L\0F\0', 'ELF in UTF-16'],
    ['\xfe\xff\0\x7f\0E\0L\0F', 'ELF in UTF-16'],
    ['\xff\xfeh\0i\0', 'text in UTF-16'],
    ['\xcf\xfa\xed\xfe\x07\0\0\x01', 'a Mach-O file'],
    ['\0asm\x01\0\0\0', 'a WebAssembly module'],
    ['MZ\x90\0\x03\0', 'a PE file (Windows or EFI)'],
    ['\x01\x02\x03\x04\xff', 'data of an unknown kind that begins with 01020304ff'],
  ])('%j: %s', (text, words) => {
    expect(describeUnknown(ascii(text))).toBe(words);
  });

  it('describes everything except data without a mark', () => {
    expect(['', 'plain text', 'MZ\x03\x04', '\0\0\0'].map((t) => isWithoutWords(ascii(t)))).toEqual(
      [false, false, false, false],
    );
    expect(isWithoutWords(ascii('\x01\x02\x03\xff'))).toBe(true);
  });

  it('does not describe packed data as text', () => {
    expect(describeUnknown(deflateSync('a'.repeat(100)))).toContain('unknown kind');
  });
});

const EXTENSIONS: readonly (readonly [string, string])[] = [
  ['gzip', 'gzip.gz'],
  ['xz', 'xz-crc32.xz'],
  ['zstd', 'zstd.zst'],
  ['lzma', 'lzma.lzma'],
  ['bzip2', 'bzip2.bz2'],
  ['lz4', 'lz4.lz4'],
  ['lz4', 'lz4-legacy.lz4'],
];

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
