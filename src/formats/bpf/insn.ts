/**
 * Decodes BPF instructions to numbers. Accepts any bytes, also invalid instructions. Source:
 * Documentation/bpf/standardization/instruction-set.rst, "Instruction encoding".
 */
import type { Endian } from '#bytes/span.ts';
import { ATOMIC_OP, CALL_SOURCE, CLASSES, JMP_OP, MODE, modeOf, OPCODE, opOf } from './opcodes.ts';

export type Insn = {
  /** Offset of the instruction in bytes from the start of the section. */
  readonly offset: number;
  /** Length in bytes: 16 for an ld_imm64 with both slots, else 8. */
  readonly length: 8 | 16;
  readonly opcode: number;
  readonly dstReg: number;
  readonly srcReg: number;
  /** The field `offset` as a signed number. */
  readonly off: number;
  /** The field `imm` as a signed number. */
  readonly imm: number;
  /** Signed `imm` of the second slot of an ld_imm64; 0 for other instructions. */
  readonly nextImm: number;
  /** Both `imm` of an ld_imm64 as one unsigned number; 0 for other instructions. */
  readonly imm64: bigint;
  /** True for an ld_imm64 whose second slot is missing. */
  readonly truncated: boolean;
};

export type InsnClass = (typeof CLASSES)[number];

/** Size of an instruction slot in bytes. An ld_imm64 takes two slots. */
export const SLOT_SIZE = 8;

/** Returns the instruction at byte `offset` of a section; null if fewer than 8 bytes are left. */
export function decodeInsn(bytes: Uint8Array, offset: number, endian: Endian): Insn | null {
  if (offset < 0 || offset + SLOT_SIZE > bytes.length) return null;
  const isLittle = endian === 'little';
  const opcode = bytes[offset] ?? 0;
  const registers = bytes[offset + 1] ?? 0;
  const low = registers & 0x0f;
  const high = registers >> 4;
  const imm = wordAt(bytes, offset + 4, isLittle);
  const length = lengthAt(bytes, offset);
  const nextImm = length === 16 ? wordAt(bytes, offset + 12, isLittle) : 0;
  const first = bytes[offset + 2] ?? 0;
  const second = bytes[offset + 3] ?? 0;
  return {
    offset,
    length,
    opcode,
    dstReg: isLittle ? low : high,
    srcReg: isLittle ? high : low,
    off: ((isLittle ? (second << 8) | first : (first << 8) | second) << 16) >> 16,
    imm,
    nextImm,
    imm64: length === 16 ? (BigInt(nextImm >>> 0) << 32n) | BigInt(imm >>> 0) : 0n,
    truncated: opcode === OPCODE.ldImm64 && length === SLOT_SIZE,
  };
}

// Uses no `ByteReader`, because whole kernels are decoded at once. Callers check the bounds.
function wordAt(bytes: Uint8Array, at: number, isLittle: boolean): number {
  const a = bytes[at] ?? 0;
  const b = bytes[at + 1] ?? 0;
  const c = bytes[at + 2] ?? 0;
  const d = bytes[at + 3] ?? 0;
  return isLittle ? a | (b << 8) | (c << 16) | (d << 24) : (a << 24) | (b << 16) | (c << 8) | d;
}

/** Returns the byte offset of each instruction. An ld_imm64 without second slot takes 8 bytes. */
export function insnOffsets(bytes: Uint8Array, _endian: Endian): Uint32Array {
  const offsets = new Uint32Array(Math.floor(bytes.length / SLOT_SIZE));
  let count = 0;
  for (let offset = 0; offset + SLOT_SIZE <= bytes.length; offset += lengthAt(bytes, offset)) {
    offsets[count] = offset;
    count += 1;
  }
  return offsets.slice(0, count);
}

function lengthAt(bytes: Uint8Array, offset: number): 8 | 16 {
  return bytes[offset] === OPCODE.ldImm64 && offset + 2 * SLOT_SIZE <= bytes.length
    ? 16
    : SLOT_SIZE;
}

/** Returns the target offset of a jump or local call, unchecked; null for other instructions. */
export function jumpTarget(insn: Insn): number | null {
  const distance = jumpDistance(insn);
  return distance === null ? null : insn.offset + SLOT_SIZE * (1 + distance);
}

/** Returns how many slots after the next instruction the target is; null if there is no target. */
function jumpDistance(insn: Insn): number | null {
  if (isConditionalJump(insn)) return insn.off;
  switch (insn.opcode) {
    case OPCODE.ja:
    case OPCODE.mayGoto:
      return insn.off;
    case OPCODE.gotol:
      return insn.imm;
    case OPCODE.call:
      return insn.srcReg === CALL_SOURCE.pseudoCall ? insn.imm : null;
    default:
      return null;
  }
}

/** Returns the class of an instruction, for example `alu64`. */
export function insnClass(insn: Insn): InsnClass {
  return CLASSES[insn.opcode & 0x07] ?? 'ld';
}

/** Returns true for a jump that compares operands; false for goto, gotol and may_goto. */
export function isConditionalJump(insn: Insn): boolean {
  const family = insnClass(insn);
  if (family !== 'jmp' && family !== 'jmp32') return false;
  const op = opOf(insn.opcode);
  return op >= JMP_OP.jeq && op <= JMP_OP.jsle && op !== JMP_OP.call && op !== JMP_OP.exit;
}

/** Returns true for a call of a helper, a BPF function or a kernel function; false for callx. */
export function isCall(insn: Insn): boolean {
  return insn.opcode === OPCODE.call;
}

export function isExit(insn: Insn): boolean {
  return insn.opcode === OPCODE.exit;
}

/** Returns true for an atomic load from src_reg + off (`BPF_LOAD_ACQ` in bpf.h). */
export function isLoadAcquire(insn: Insn): boolean {
  return (
    insnClass(insn) === 'stx' &&
    modeOf(insn.opcode) === MODE.atomic &&
    insn.imm === ATOMIC_OP.loadAcquire
  );
}

/** Returns true for an ld_imm64, also if its second slot is missing. */
export function isLdImm64(insn: Insn): boolean {
  return insn.opcode === OPCODE.ldImm64;
}
