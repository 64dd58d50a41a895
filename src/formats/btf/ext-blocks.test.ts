import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { attempt, type Issue } from '#bytes/issue.ts';
import type { Endian } from '#bytes/span.ts';
import { assemble, type Part, u8, u16, u32, zeros } from '#testing/assemble.ts';
import { type ExtPartHeader, readExtHeader, readExtPart } from './ext-blocks.ts';

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

const block = (secNameOff: number, numInfo: number, recordSize: number): Part[] => [
  u32(secNameOff),
  u32(numInfo),
  zeros(numInfo * recordSize),
];

/** Reads a core_relo part at byte 4 of its region. `over` replaces fields of the part's header. */
function read(parts: readonly Part[], over: Partial<ExtPartHeader> = {}) {
  const { bytes } = assemble('little', u32(0xdeadbeef), ...parts);
  const header: ExtPartHeader = {
    name: 'core_relo',
    field: 0,
    off: 0,
    len: bytes.length - 4,
    start: 4,
    ...over,
  };
  return readExtPart(new ByteReader(bytes, '.BTF.ext', 'little', 500), header);
}

describe('readExtPart', () => {
  it('reads the blocks in order', () => {
    expect(read([u32(16), ...block(7, 2, 16), ...block(9, 1, 16)])).toEqual({
      recordSize: 16,
      blocks: [
        { offset: 8, secNameOff: 7, numInfo: 2, recordsOffset: 16 },
        { offset: 48, secNameOff: 9, numInfo: 1, recordsOffset: 56 },
      ],
      issues: [],
    });
  });

  it('uses a record size larger than the known size', () => {
    const { recordSize, blocks, issues } = read([u32(24), ...block(7, 2, 24), ...block(9, 1, 24)]);
    expect([recordSize, blocks.map((b) => b.recordsOffset), issues]).toEqual([24, [16, 72], []]);
  });

  it('treats a part of length 0 as absent, whatever its offset', () => {
    expect(read([], { len: 0, start: 1e9 })).toEqual({ recordSize: 16, blocks: [], issues: [] });
  });

  it.each([0, 4, 7, 9, 12, 17, 18, 0xffffffff])('rejects record size %i', (size) => {
    const { blocks, issues } = read([u32(size), ...block(7, 1, 16)]);
    expect(blocks).toEqual([]);
    expect(issues).toMatchObject([
      { severity: 'error', code: 'ext.record-size', span: { start: 504, end: 508 } },
    ]);
  });

  it.each<[string, Partial<ExtPartHeader>, string, number]>([
    ['an offset that is not aligned', { off: 1 }, 'ext.part-unaligned', 500],
    ['a length past the end', { len: 1e6 }, 'ext.part-past-end', 500],
    ['a start past the end', { start: 1e6 }, 'ext.part-past-end', 500],
    ['no room for the record size', { len: 3 }, 'ext.part-too-short', 504],
  ])('refuses: %s', (_name, over, code, start) => {
    const { blocks, issues } = read([u32(16), ...block(7, 1, 16)], over);
    expect(blocks).toEqual([]);
    expect(issues).toMatchObject([{ severity: 'error', code, span: { start } }]);
  });

  it.each<[string, Part[], string, number]>([
    ['records past the end', [u32(9), u32(0xffffffff), zeros(16)], 'ext.records-past-end', 536],
    ['one record too many', [u32(9), u32(2), zeros(16)], 'ext.records-past-end', 536],
    ['a block without records', [u32(9), u32(0), ...block(8, 1, 16)], 'ext.block-empty', 536],
    ['half a block header', [u32(9)], 'ext.block-truncated', 532],
  ])('keeps the blocks before: %s', (_name, second, code, start) => {
    const { blocks, issues } = read([u32(16), ...block(7, 1, 16), ...second]);
    expect(blocks).toMatchObject([{ secNameOff: 7, numInfo: 1 }]);
    expect(issues).toMatchObject([{ severity: 'error', code, span: { start } }]);
  });

  it('requires at least one block', () => {
    expect(read([u32(16)]).issues).toMatchObject([{ code: 'ext.block-truncated' }]);
  });

  it('never throws, and returns only records inside the part', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.nat(220),
        fc.nat(220),
        (bytes, start, len) => {
          const reader = new ByteReader(bytes, 'x');
          const part = readExtPart(reader, { name: 'func_info', field: 0, off: 0, len, start });
          for (const b of part.blocks) {
            const end = b.recordsOffset + b.numInfo * part.recordSize;
            expect(end).toBeLessThanOrEqual(Math.min(bytes.length, start + len));
          }
        },
      ),
    );
  });
});
