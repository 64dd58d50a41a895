import { describe, expect, it } from 'vitest';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { assemble, hex } from '#testing/assemble.ts';
import { coreRows } from '#testing/goldens.ts';
import { patchedField, patchedValue } from './core-patch.ts';

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
