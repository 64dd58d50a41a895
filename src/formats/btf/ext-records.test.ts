import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { assemble, type Part, u32, zeros } from '#testing/assemble.ts';
import type { ExtPartHeader } from './ext-header.ts';
import { readExtPart } from './ext-records.ts';

const block = (secNameOff: number, numInfo: number, recordSize: number): Part[] => [
  u32(secNameOff),
  u32(numInfo),
  zeros(numInfo * recordSize),
];

/** Reads a core_relo part at byte 4 of its region; `over` replaces fields of its header. */
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
