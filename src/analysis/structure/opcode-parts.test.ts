import { describe, expect, it } from 'vitest';
import { opcodeParts } from './opcode-parts.ts';

describe('opcodeParts', () => {
  it.each([
    [0xb7, ['1011 BPF_MOV', '0 BPF_K', '111 BPF_ALU64']],
    [0x61, ['011 BPF_MEM', '00 BPF_W', '001 BPF_LDX']],
    [0x18, ['000 BPF_IMM', '11 BPF_DW', '000 BPF_LD']],
    [0x5e, ['0101 BPF_JNE', '1 BPF_X', '110 BPF_JMP32']],
    [0xe7, ['1110 ', '0 BPF_K', '111 BPF_ALU64']],
  ])('%i', (opcode, expected) => {
    expect(opcodeParts(opcode).map(({ bits, name }) => `${bits} ${name}`)).toEqual(expected);
  });

  it('has eight bits for every opcode', () => {
    for (let opcode = 0; opcode < 256; opcode++) {
      const bits = opcodeParts(opcode).reduce((all, part) => all + part.bits, '');
      expect(Number.parseInt(bits, 2)).toBe(opcode);
      expect(bits).toHaveLength(8);
    }
  });
});
