import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { assemble, u8, u16, u32, zeros } from '#testing/assemble.ts';
import { readExtHeader } from './ext-header.ts';

function header(endian: Endian, { magic = 0xeb9f, hdrLen = 32, size = 200 } = {}): Uint8Array {
  return assemble(
    endian,
    u16(magic),
    u8(1),
    u8(0),
    u32(hdrLen),
    ...[0, 20, 20, 40, 60, 80].map((value) => u32(value)),
    zeros(size - 32),
  ).bytes;
}

function refusal(bytes: Uint8Array): Issue | undefined {
  const issues: Issue[] = [];
  const reader = new ByteReader(bytes, '.BTF.ext', 'little', 1000);
  expect(attempt(issues, () => readExtHeader(reader))).toBeNull();
  return issues[0];
}

describe('readExtHeader', () => {
  it.each(['little', 'big'] as const)('reads a %s-endian header', (endian) => {
    expect(readExtHeader(new ByteReader(header(endian), '.BTF.ext'))).toEqual({
      endian,
      version: 1,
      flags: 0,
      hdrLen: 32,
      funcInfo: { name: 'func_info', field: 8, off: 0, len: 20, start: 32 },
      lineInfo: { name: 'line_info', field: 16, off: 20, len: 40, start: 52 },
      coreRelo: { name: 'core_relo', field: 24, off: 60, len: 80, start: 92 },
    });
  });

  it.each([24, 28, 31])('has no CO-RE part in a header of %i bytes', (hdrLen) => {
    const bytes = header('little', { hdrLen });
    expect(readExtHeader(new ByteReader(bytes, '.BTF.ext'))).toMatchObject({
      hdrLen,
      lineInfo: { start: hdrLen + 20 },
      coreRelo: null,
    });
  });

  it('counts offsets from the end of a header longer than the known size', () => {
    const bytes = header('little', { hdrLen: 48 });
    expect(readExtHeader(new ByteReader(bytes, '.BTF.ext')).coreRelo?.start).toBe(108);
  });

  it.each([
    ['bad magic', header('little', { magic: 0xeba0 }), 'ext.bad-magic', 1000, 1002],
    ['too short', header('little', { hdrLen: 23 }), 'ext.header-too-short', 1004, 1008],
    ['past the end', header('little', { hdrLen: 201 }), 'ext.header-past-end', 1004, 1008],
    ['cut', header('little').subarray(0, 23), 'ext.header-truncated', 1000, 1023],
    ['one byte', header('little').subarray(0, 1), 'ext.header-truncated', 1000, 1001],
    ['empty', new Uint8Array(0), 'ext.header-truncated', 1000, 1000],
  ])('refuses: %s', (_name, bytes, code, start, end) => {
    expect(refusal(bytes)).toMatchObject({ code, region: '.BTF.ext', span: { start, end } });
  });
});
