import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue } from '#bytes/issue.ts';
import { type BtfSpec, btfBlob } from '#testing/btf-blob.ts';
import { int, ptr } from '#testing/btf-types.ts';
import { type BtfHeader, magicEndian, readBtfHeader } from './header.ts';

const types = [int('int', 4, { encoding: 1 }), ptr(1)];
const layout = Array.from({ length: 20 }, () => ({ infoSize: 0, elemSize: 0 }));

function read(spec: BtfSpec): BtfHeader {
  return readBtfHeader(new ByteReader(btfBlob({ types, ...spec }).bytes, '.BTF'));
}

/** Returns the issue that `readBtfHeader` throws for `bytes` at `fileOffset` of a file. */
function refusal(bytes: Uint8Array, fileOffset = 0): Issue | undefined {
  const issues: Issue[] = [];
  expect(
    attempt(issues, () => readBtfHeader(new ByteReader(bytes, '.BTF', 'little', fileOffset))),
  ).toBeNull();
  return issues[0];
}

describe('readBtfHeader', () => {
  it.each(['little', 'big'] as const)('reads a %s-endian header of 24 bytes', (endian) => {
    expect(read({ endian })).toEqual({
      endian,
      version: 1,
      flags: 0,
      hdrLen: 24,
      typeOff: 0,
      typeLen: 28,
      strOff: 28,
      strLen: 5,
      layoutOff: null,
      layoutLen: null,
      types: { start: 24, end: 52 },
      strings: { start: 52, end: 57 },
      layout: null,
    });
  });

  it.each(['little', 'big'] as const)('reads a %s-endian header with a layout', (endian) => {
    expect(read({ endian, layout })).toMatchObject({
      hdrLen: 32,
      layoutOff: 28,
      layoutLen: 80,
      types: { start: 32, end: 60 },
      layout: { start: 60, end: 140 },
      strings: { start: 140, end: 145 },
    });
  });

  it('returns a null layout for a header of 32 bytes without a layout', () => {
    expect(read({ headerLength: 32 })).toMatchObject({ layoutOff: 0, layoutLen: 0, layout: null });
  });

  it('ignores the byte order of the reader', () => {
    const { bytes } = btfBlob({ types, endian: 'big' });
    expect(readBtfHeader(new ByteReader(bytes, '.BTF', 'little')).endian).toBe('big');
  });

  it('counts sections from the end of a header longer than the known size', () => {
    const { bytes } = btfBlob({
      types,
      headerLength: 32,
      header: { hdrLen: 40, typeLen: 20, strOff: 20 },
    });
    expect(readBtfHeader(new ByteReader(bytes, '.BTF'))).toMatchObject({
      types: { start: 40, end: 60 },
      strings: { start: 60, end: 65 },
    });
  });

  it.each<[string, BtfSpec, string, number, number]>([
    ['header length 0', { header: { hdrLen: 0 } }, 'btf.header-too-short', 4, 8],
    ['header length 23', { header: { hdrLen: 23 } }, 'btf.header-too-short', 4, 8],
    ['header longer than the data', { header: { hdrLen: 58 } }, 'btf.header-past-end', 4, 8],
    ['types not aligned', { header: { typeOff: 2 } }, 'btf.types-unaligned', 8, 12],
    ['strings inside the types', { header: { strOff: 24 } }, 'btf.sections-overlap', 16, 24],
    [
      'strings before the types',
      { header: { typeOff: 8, typeLen: 4, strOff: 0, strLen: 5 } },
      'btf.sections-order',
      16,
      24,
    ],
    [
      'types past the end',
      { header: { typeLen: 0x7ffffffc, strOff: 0x7ffffffc } },
      'btf.section-past-end',
      8,
      16,
    ],
    ['strings past the end', { header: { strLen: 6 } }, 'btf.section-past-end', 16, 24],
    [
      'a sum that wraps in 32 bits',
      { header: { strOff: 0xfffffffc, strLen: 9 } },
      'btf.section-past-end',
      16,
      24,
    ],
    ['layout of odd length', { layout, header: { layoutLen: 77 } }, 'btf.layout-length', 28, 32],
    [
      'layout inside the types',
      { layout, header: { layoutOff: 4 } },
      'btf.sections-overlap',
      24,
      32,
    ],
    [
      'layout past the strings',
      { layout, header: { layoutLen: 0x7ffffffc } },
      'btf.sections-overlap',
      24,
      32,
    ],
  ])('refuses: %s', (_name, spec, code, start, end) => {
    const { bytes } = btfBlob({ types, ...spec });
    expect(refusal(bytes, 100)).toMatchObject({
      severity: 'error',
      code,
      region: '.BTF',
      span: { start: 100 + start, end: 100 + end },
    });
  });

  it('names every section that is past the end', () => {
    const issue = refusal(btfBlob({ types }).bytes.subarray(0, 30));
    expect(issue?.message).toContain('type and string sections');
    expect(issue).toMatchObject({ expected: 'an end of at most 30' });
  });

  it('distinguishes data that is not BTF, an empty header and a truncated header', () => {
    const { bytes } = btfBlob({ types });
    expect(refusal(new Uint8Array(0))?.code).toBe('btf.empty');
    expect(refusal(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46))).toMatchObject({
      code: 'btf.bad-magic',
      found: '0x457f',
    });
    for (const length of [1, 2, 8, 23]) {
      expect(refusal(bytes.subarray(0, length))?.code).toBe('btf.header-truncated');
    }
  });

  it('names the byte order of an absurd header length', () => {
    const { bytes } = btfBlob({ types });
    bytes.set([0xeb, 0x9f]);
    expect(refusal(bytes)?.message).toContain('big-endian, but header length 402653184');
  });
});

describe('magicEndian', () => {
  it.each([
    [[0x9f, 0xeb], 'little'],
    [[0xeb, 0x9f], 'big'],
    [[0x9f, 0xec], null],
    [[0x9f], null],
    [[], null],
  ])('%j is %s', (bytes, endian) => {
    expect(magicEndian(new ByteReader(Uint8Array.from(bytes), 'x'))).toBe(endian);
  });
});
