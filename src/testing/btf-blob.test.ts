import { describe, expect, it } from 'vitest';
import { ByteReader } from '#bytes/byte-reader.ts';
import { decodeName } from '#bytes/text.ts';
import { type BtfBlob, btfBlob } from './btf-blob.ts';
import * as t from './btf-types.ts';

/** Returns the 32-bit words between two byte offsets. */
function words(blob: BtfBlob, offset: number, end: number, endian: 'little' | 'big' = 'little') {
  const reader = new ByteReader(blob.bytes, '.BTF', endian);
  const out: number[] = [];
  for (let at = offset; at < end; at += 4) out.push(reader.u32(at));
  return out;
}

/** Returns the words of one record. Its name offsets refer to the strings "\0a\0b\0c\0". */
function wordsOf(type: t.TypeRecord): number[] {
  const blob = btfBlob({ types: [type], strings: ['a', 'b', 'c'] });
  return words(blob, blob.typesOffset, blob.layoutOffset);
}

describe('btfBlob', () => {
  it.each(['little', 'big'] as const)('writes a header of 24 bytes, %s-endian', (endian) => {
    const blob = btfBlob({ endian, types: [t.int('int', 4, { encoding: 1 })] });
    const reader = new ByteReader(blob.bytes, '.BTF', endian);
    expect([reader.u16(0), reader.u8(2), reader.u8(3)]).toEqual([0xeb9f, 1, 0]);
    expect(words(blob, 4, 24, endian)).toEqual([24, 0, 16, 16, 5]);
    expect(words(blob, 24, 40, endian)).toEqual([1, 0x01000000, 4, 0x01000020]);
    expect(decodeName(blob.bytes, blob.stringsOffset + blob.stringOff('int'))).toBe('int');
    expect(blob.bytes).toHaveLength(45);
  });

  it('writes a header of 32 bytes with a layout between types and strings', () => {
    const layout = [
      { infoSize: 0, elemSize: 0 },
      { infoSize: 4, elemSize: 0, flags: 1 },
    ];
    const blob = btfBlob({ types: [t.ptr(0)], layout });
    expect(words(blob, 4, 32)).toEqual([32, 0, 12, 20, 1, 12, 8]);
    expect([...blob.bytes.subarray(blob.layoutOffset, blob.stringsOffset)]).toEqual([
      0, 0, 0, 0, 4, 0, 1, 0,
    ]);
    expect(words(btfBlob({ headerLength: 32 }), 4, 32)).toEqual([32, 0, 0, 0, 1, 0, 0]);
  });

  it('returns the offset of each record', () => {
    const blob = btfBlob({ types: [t.int('a', 4), t.ptr(1), t.ptr(2)] });
    expect(blob.typeOffsets).toEqual([24, 40, 52]);
  });

  it('overrides header fields and leaves other bytes unchanged', () => {
    const header = { magic: 0xbeef, version: 9, flags: 7, hdrLen: 8, strLen: 0xffffffff };
    const blob = btfBlob({ types: [t.ptr(0)], header });
    expect(words(blob, 0, 24)).toEqual([0x0709beef, 8, 0, 12, 12, 0xffffffff]);
    expect(blob.bytes).toHaveLength(37);
  });

  it('offsets its own strings after the base’s', () => {
    const blob = btfBlob({ types: [t.typedef('mine', 5), t.ptr(1)], baseStringLength: 100 });
    expect(words(blob, 24, 28)).toEqual([100]);
    expect(words(blob, 36, 40)).toEqual([0]);
    expect(decodeName(blob.bytes, blob.stringsOffset)).toBe('mine');
  });

  it('takes a string section as bytes, and appends further names', () => {
    const blob = btfBlob({ strings: Uint8Array.of(0, 0xff), types: [t.typedef('x', 0)] });
    expect([...blob.bytes.subarray(blob.stringsOffset)]).toEqual([0, 0xff, 0x78, 0]);
    expect(blob.stringOff('x')).toBe(2);
    expect(() => blob.stringOff('y')).toThrow('no string y');
  });
});

// Each expected array lists a record's words: name_off, info, size or type, tail (btf.rst).
describe('type records', () => {
  it.each<[string, t.TypeRecord, number[]]>([
    ['INT', t.int('a', 1, { encoding: 4, bits: 7, bitOffset: 1 }), [1, 0x01000000, 1, 0x04010007]],
    ['PTR', t.ptr(3), [0, 0x02000000, 3]],
    ['ARRAY', t.array(1, 2, 9), [0, 0x03000000, 0, 1, 2, 9]],
    [
      'STRUCT',
      t.struct('a', 8, [{ name: 'b', type: 1, bitOffset: 32 }]),
      [1, 0x04000001, 8, 3, 1, 32],
    ],
    [
      'STRUCT with bitfields',
      t.struct('a', 8, [
        { name: 'b', type: 1, bitOffset: 3, bitfieldSize: 5 },
        { name: '', type: 1, bitOffset: 32 },
      ]),
      [1, 0x84000002, 8, 3, 1, 0x05000003, 0, 1, 32],
    ],
    ['UNION', t.union('a', 4, []), [1, 0x05000000, 4]],
    ['ENUM', t.enumeration('a', [['b', -1]], { signed: true }), [1, 0x86000001, 4, 3, 0xffffffff]],
    ['FWD struct', t.fwd('a'), [1, 0x07000000, 0]],
    ['FWD union', t.fwd('a', 'union'), [1, 0x87000000, 0]],
    ['TYPEDEF', t.typedef('a', 2), [1, 0x08000000, 2]],
    ['VOLATILE', t.modifier('volatile', 2), [0, 0x09000000, 2]],
    ['CONST', t.modifier('const', 2), [0, 0x0a000000, 2]],
    ['RESTRICT', t.modifier('restrict', 2), [0, 0x0b000000, 2]],
    ['FUNC', t.func('a', 2, 2), [1, 0x0c000002, 2]],
    ['FUNC_PROTO', t.funcProto(7, [['b', 1]]), [0, 0x0d000001, 7, 3, 1]],
    ['VAR', t.variable('a', 2, 0), [1, 0x0e000000, 2, 0]],
    ['DATASEC', t.datasec('a', 16, [[2, 4, 8]]), [1, 0x0f000001, 16, 2, 4, 8]],
    ['FLOAT', t.float('a', 8), [1, 0x10000000, 8]],
    ['DECL_TAG', t.declTag('a', 2), [1, 0x11000000, 2, 0xffffffff]],
    ['TYPE_TAG', t.typeTag('a', 2), [1, 0x12000000, 2]],
    ['ENUM64', t.enum64('a', [['b', -2n]]), [1, 0x13000001, 8, 3, 0xfffffffe, 0xffffffff]],
    ['a kind of 2026 with 24 bits of vlen', t.record(127, { vlen: 0x10000 }), [0, 0x7f010000, 0]],
  ])('%s', (_kind, type, expected) => {
    expect(wordsOf(type)).toEqual(expected);
  });

  it('takes a number as a string offset, right or wrong', () => {
    expect(wordsOf(t.typedef(0xdeadbeef, 0))[0]).toBe(0xdeadbeef);
  });
});
