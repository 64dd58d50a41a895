import { describe, expect, it } from 'vitest';
import { sectionIndex } from '#model/ids.ts';
import { encodingFault } from './encoding-fault.ts';
import { matchMessage } from './message.ts';

const slots = (...rows: readonly (readonly number[])[]) =>
  Uint8Array.from(rows.flatMap((row) => [...row, ...Array(8 - row.length).fill(0)]));

const EXIT = [0x95];
const LOAD = [0x18, 1, 0, 0, 7];

function find(line: string, code: Uint8Array | null, externs = NO_EXTERNS): number | null {
  const message = matchMessage(line);
  if (message === null) throw new Error(line);
  const loaded =
    code === null ? null : ({ bytes: code, endian: 'little', parts: PARTS, externs } as const);
  return encodingFault(message, loaded, null);
}

/** A program of two instructions, and two subprograms of two instructions. */
const PARTS = [0, 2, 4].map((insnOff) => ({
  name: `f${insnOff}`,
  section: sectionIndex(1),
  start: insnOff * 8,
  end: insnOff * 8 + 16,
  insnOff,
  hasFuncInfo: true,
  hasLineInfo: true,
}));
const NO_EXTERNS: ReadonlyMap<number, string> = new Map();
const TAIL_CALL = [0x85, 0, 0, 0, 12];
const PACKET_LOAD = [0x30, 0, 0, 0, 12];

describe('instruction of a fault before the walk', () => {
  it('has the opcode', () => {
    const code = slots(LOAD, [0xdf], [0xdf], EXIT);
    // The first 0xdf is the second half of the load.
    expect(find('unknown opcode df', code)).toBe(2);
    expect(find('unknown opcode 06', code)).toBeNull();
  });

  it('is a load of memory with a field that must be 0', () => {
    const line = 'BPF_LDX uses reserved fields';
    expect(find(line, slots(LOAD, [0], [0x61, 0x10], [0x61, 0x10, 0, 0, 1], EXIT))).toBe(3);
    // Linux before 6.6 has no load that extends the sign.
    expect(find(line, slots([0x61, 0x10], [0x81, 0x10], EXIT))).toBe(1);
    expect(find('BPF_STX uses reserved fields', slots([0x61, 0x10, 0, 0, 1]))).toBeNull();
  });

  it('is a load of the address of a kernel symbol', () => {
    const code = slots(LOAD, [0], [0x18, 0x31, 0, 0, 9], [0], EXIT);
    expect(find("pseudo btf_id 9 in ldimm64 isn't KIND_VAR or KIND_FUNC", code)).toBe(2);
    const line = "ldimm64 failed to find the address for kernel symbol 'runqueues'.";
    expect(find(line, code, new Map([[2, 'runqueues']]))).toBe(2);
    expect(find(line, code)).toBeNull();
  });

  it('is a load with a bad second half', () => {
    expect(find('invalid bpf_ld_imm64 insn', slots(LOAD, [], LOAD, [0x95]))).toBe(2);
    expect(find('invalid bpf_ld_imm64 insn', slots(LOAD, [], EXIT))).toBeNull();
  });

  it('is the jump into a load', () => {
    const code = slots([0xb7], [0x15, 0, 1, 0], LOAD, [], EXIT);
    expect(find('jump into the middle of ldimm64 insn 2', code)).toBe(1);
    expect(find('jump into the middle of ldimm64 insn 2', slots(EXIT, EXIT))).toBeNull();
  });

  it.each([
    ["tail_call is only allowed in functions that return 'int'.", TAIL_CALL],
    ["LD_ABS is only allowed in functions that return 'int'.", PACKET_LOAD],
  ])('is in the only subprogram that has one: %s', (line, insn) => {
    expect(find(line, slots(insn, EXIT, EXIT, EXIT, insn, EXIT))).toBe(4);
    expect(find(line, slots(insn, EXIT, insn, EXIT, insn, EXIT))).toBeNull();
    expect(find(line, slots(insn, EXIT, EXIT, EXIT, EXIT, EXIT))).toBeNull();
    expect(find(line, null)).toBeNull();
  });

  it('is unknown without code', () => {
    expect(find('unknown opcode df', null)).toBeNull();
  });
});
