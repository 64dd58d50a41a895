/**
 * Which of the 256 opcodes are instructions.
 *
 * Source: Documentation/bpf/standardization/instruction-set.rst, with the legacy
 * packet access of its section "Legacy BPF Packet access instructions", may_goto
 * and callx, which clang writes, too.
 */
import { ALU_OP, JMP_OP, MODE, OPCODE, SIZE, SOURCE } from '#formats/bpf/opcodes.ts';

const CLASS = { ld: 0, ldx: 1, st: 2, stx: 3, alu: 4, jmp: 5, jmp32: 6, alu64: 7 } as const;
const SOURCES = [SOURCE.k, SOURCE.x];
const SIZES = [SIZE.w, SIZE.h, SIZE.b, SIZE.dw];
const NARROW = [SIZE.w, SIZE.h, SIZE.b];

/** No operands to compare: goto, call, exit, may_goto. */
const NOT_COMPARING: readonly number[] = [JMP_OP.ja, JMP_OP.call, JMP_OP.exit, JMP_OP.jcond];

function* knownOpcodes(): Generator<number> {
  yield OPCODE.ldImm64;
  for (const size of NARROW) {
    yield CLASS.ld | MODE.abs | size;
    yield CLASS.ld | MODE.ind | size;
    yield CLASS.ldx | MODE.memsx | size;
  }
  for (const size of SIZES) {
    yield CLASS.ldx | MODE.mem | size;
    yield CLASS.st | MODE.mem | size;
    yield CLASS.stx | MODE.mem | size;
    // Narrow ones are load-acquire and store-release.
    yield CLASS.stx | MODE.atomic | size;
  }
  for (const op of Object.values(ALU_OP)) {
    for (const source of SOURCES) {
      // Negation has one operand, and bswap no other order to go to.
      if (op === ALU_OP.neg && source === SOURCE.x) continue;
      yield CLASS.alu | op | source;
      if (op !== ALU_OP.end || source === SOURCE.k) yield CLASS.alu64 | op | source;
    }
  }
  for (const op of Object.values(JMP_OP)) {
    if (NOT_COMPARING.includes(op)) continue;
    for (const source of SOURCES) {
      yield CLASS.jmp | op | source;
      yield CLASS.jmp32 | op | source;
    }
  }
  yield* [OPCODE.ja, OPCODE.gotol, OPCODE.call, OPCODE.callx, OPCODE.exit, OPCODE.mayGoto];
}

/** 1 for each opcode that is an instruction. */
export const KNOWN_OPCODES: Uint8Array = (() => {
  const table = new Uint8Array(256);
  for (const opcode of knownOpcodes()) table[opcode] = 1;
  return table;
})();
