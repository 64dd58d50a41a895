import { describe, expect, it } from 'vitest';
import type { Endian } from '#bytes/span.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { typeId } from '#model/ids.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { btfBlob } from '#testing/btf-blob.ts';
import { array, enum64, enumeration, fwd, int, struct } from '#testing/btf-types.ts';
import { coreRows } from '#testing/goldens.ts';
import { tableOf } from '#testing/type-table.ts';
import { CORE_KINDS, coreKindName } from './core-kinds.ts';
import { localValue, patchedField, patchedValue } from './core-patch.ts';
import { walkAccess } from './parse-spec.ts';
import { loadUnit } from './spec-value.ts';

function patchOf(digits: string, endian: 'little' | 'big' = 'little') {
  const insn = decodeInsn(assemble(endian, hex(digits)).bytes, 0, endian);
  if (insn === null) return null;
  const field = patchedField(insn);
  return field === null ? null : { field, value: patchedValue(insn) };
}

describe('patchedField and patchedValue', () => {
  it.each([
    [
      'a move of a constant',
      'b7 01 00 00 ff ff ff ff',
      { field: 'imm', value: 0xffffffffffffffffn },
    ],
    ['a load', '79 11 08 00 00 00 00 00', { field: 'off', value: 8n }],
    [
      'a store of a constant',
      '62 0a fc ff 07 00 00 00',
      { field: 'off', value: 0xfffffffffffffffcn },
    ],
    [
      'a ld_imm64',
      '18 01 00 00 04 00 00 00 00 00 00 00 01 00 00 00',
      { field: 'imm64', value: 0x100000004n },
    ],
    ['an addition of a register', '0f 21 00 00 00 00 00 00', null],
    ['a jump', '15 01 02 00 05 00 00 00', null],
    ['a ld_imm64 of a map', '18 11 00 00 04 00 00 00 00 00 00 00 00 00 00 00', null],
    ['half a ld_imm64', '18 01 00 00 04 00 00 00', null],
  ])('%s', (_name, digits, expected) => {
    expect(patchOf(digits)).toEqual(expected);
  });
});

describe('instructions of the corpus', () => {
  it('hold the value that libbpf found there before it patched', () => {
    let compared = 0;
    for (const row of coreRows('"target":"self"')) {
      if (row.text('status') !== 'ok' || !row.flag('validate')) continue;
      // The rows do not tell the byte order of the object; the other one gives another number.
      const found = [patchOf(row.text('insn_before')), patchOf(row.text('insn_before'), 'big')];
      expect(found.map((patch) => patch?.value?.toString())).toContain(row.text('orig_val'));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(1000);
  }, 60_000);
});

/** `struct foo` of the document, then what it leaves out. */
const t = tableOf(
  btfBlob({
    types: [
      int('int', 4, { encoding: 1 }),
      struct('foo', 12, [
        { name: 'a', type: 1, bitOffset: 0 },
        { name: 'b', type: 1, bitOffset: 32 },
        { name: 'c', type: 3, bitOffset: 64, bitfieldSize: 15 },
      ]),
      int('unsigned int', 4),
      enumeration('bar', [
        ['U', 0],
        ['V', 0xfffffffe],
      ]),
      enum64('wide', [['W', 1n << 40n]]),
      array(1, 1, 3),
      struct('arrays', 12, [{ name: 'x', type: 6, bitOffset: 0 }]),
      fwd('opaque'),
      struct('packed', 9, [{ name: 'bits', type: 3, bitOffset: 7, bitfieldSize: 32 }]),
      int('long', 8),
      struct('tight', 16, [{ name: 'bits', type: 10, bitOffset: 60, bitfieldSize: 10 }]),
    ],
  }).bytes,
);

const value = (root: number, accessStr: string, kind: number, endian: Endian = 'little') =>
  localValue(t, walkAccess(t, typeId(root), accessStr, kind), kind, endian);
const numberOf = (name: string) => CORE_KINDS.findIndex((kind) => kind.name === name);

describe('localValue', () => {
  it.each([
    ['byte_off', '0:1', 4n],
    ['byte_sz', '0:1', 4n],
    ['field_exists', '0:1', 1n],
    ['signed', '0:1', 1n],
    ['signed', '0:2', 0n],
    ['lshift_u64', '0:2', 49n],
    ['rshift_u64', '0:2', 49n],
    ['type_exists', '0', 1n],
    ['type_size', '0', 12n],
    ['type_matches', '0', 1n],
    ['local_type_id', '0', 2n],
    ['target_type_id', '0', 2n],
  ])('%s of %s is as in the document', (kind, accessStr, expected) => {
    expect(value(2, accessStr, numberOf(kind)).value).toBe(expected);
  });

  it('counts the bits of a bit-field from the other end in big-endian programs', () => {
    expect(value(2, '0:2', 4, 'big').value).toBe(32n);
  });

  it('is not validated where compilers may disagree', () => {
    expect(value(2, '0:2', 0).validate).toBe(false);
    expect(value(2, '0:2', 5).validate).toBe(true);
    expect(value(2, '0', 6).validate).toBe(false);
    expect(value(2, '0:1', 0).validate).toBe(true);
  });

  it('extends the sign of 32-bit enumerators, and of no others', () => {
    expect(value(4, '1', 11).value).toBe(2n ** 64n - 2n);
    expect(value(5, '0', 11).value).toBe(1n << 40n);
  });

  it('gives offsets and sizes of array elements and refuses the rest', () => {
    expect(value(7, '0:0:2', 0).value).toBe(8n);
    expect(value(7, '0:0:2', 1).value).toBe(4n);
    expect(value(7, '0:0', 1).value).toBe(12n);
    expect(value(7, '0:0:2', 3)).toMatchObject({ value: null });
  });

  it('doubles the load until it holds the bit-field, and gives up past 8 bytes', () => {
    expect(value(9, '0:0', 1)).toMatchObject({ value: 8n });
    expect(value(11, '0:0', 3).error).toContain('no aligned load');
    expect(loadUnit(7, 32, 4)).toEqual({ byteSize: 8, byteOffset: 0 });
  });

  it('has no size for a forward declaration', () => {
    expect(value(8, '0', 9)).toMatchObject({ value: null, error: 'the type has no size' });
  });
});

describe('coreKindName', () => {
  it('is the word of libbpf, or what llvm-objdump writes for others', () => {
    expect(CORE_KINDS.map((kind) => kind.number)).toEqual([...CORE_KINDS.keys()]);
    expect(coreKindName(5)).toBe('rshift_u64');
    expect(coreKindName(13)).toBe('reloc kind #13');
  });
});
