/**
 * BPF instructions as numbers. Source: Documentation/bpf/standardization/instruction-set.rst,
 * "Instruction encoding". The decoder accepts any bytes, also invalid instructions.
 */
import type { Endian } from '#bytes/span.ts';
import { ATOMIC_OP, CALL_SOURCE, CLASSES, JMP_OP, MODE, modeOf, OPCODE, opOf } from './opcodes.ts';

export type Insn = {
  /** Bytes from the start of the section. */
  readonly offset: number;
  /** Length in bytes: 16 for a whole ld_imm64, else 8. */
  readonly length: 8 | 16;
  readonly opcode: number;
  readonly dstReg: number;
  readonly srcReg: number;
  /** Signed. */
  readonly off: number;
  /** Signed. */
  readonly imm: number;
  /** Signed imm of the second slot of a ld_imm64, else 0. */
  readonly nextImm: number;
  /** The two imm of a ld_imm64 as one unsigned number; 0 for all others. */
  readonly imm64: bigint;
  /** True for a ld_imm64 without its second slot. */
  readonly truncated: boolean;
};

export type InsnClass = (typeof CLASSES)[number];

/** Size of an instruction slot in bytes; an ld_imm64 takes two. */
export const SLOT_SIZE = 8;

/** Decodes the instruction at byte `offset` of a section; null if fewer than 8 bytes are left. */
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

// No reader per instruction: the code of whole kernels is decoded at once, and the bounds are checked.
function wordAt(bytes: Uint8Array, at: number, isLittle: boolean): number {
  const a = bytes[at] ?? 0;
  const b = bytes[at + 1] ?? 0;
  const c = bytes[at + 2] ?? 0;
  const d = bytes[at + 3] ?? 0;
  return isLittle ? a | (b << 8) | (c << 16) | (d << 24) : (a << 24) | (b << 16) | (c << 8) | d;
}

/** Returns the byte offset of each instruction. A ld_imm64 without its second slot has 8 bytes. */
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

/** Returns the target of a jump or local call, in bytes of the section, unchecked; else null. */
export function jumpTarget(insn: Insn): number | null {
  const distance = jumpDistance(insn);
  return distance === null ? null : insn.offset + SLOT_SIZE * (1 + distance);
}

/** Returns the slots from the next instruction to the target. */
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

/** Returns the class of an instruction. */
export function insnClass(insn: Insn): InsnClass {
  return CLASSES[insn.opcode & 0x07] ?? 'ld';
}

/** True for a jump that compares two operands; false for goto, gotol and may_goto. */
export function isConditionalJump(insn: Insn): boolean {
  const family = insnClass(insn);
  if (family !== 'jmp' && family !== 'jmp32') return false;
  const op = opOf(insn.opcode);
  return op >= JMP_OP.jeq && op <= JMP_OP.jsle && op !== JMP_OP.call && op !== JMP_OP.exit;
}

/** True for a call by number: of a helper, a BPF function or a kernel function. False for callx. */
export function isCall(insn: Insn): boolean {
  return insn.opcode === OPCODE.call;
}

export function isExit(insn: Insn): boolean {
  return insn.opcode === OPCODE.exit;
}

/** True for an atomic load, of class stx, that reads from src_reg + off (`BPF_LOAD_ACQ` in bpf.h). */
export function isLoadAcquire(insn: Insn): boolean {
  return (
    insnClass(insn) === 'stx' &&
    modeOf(insn.opcode) === MODE.atomic &&
    insn.imm === ATOMIC_OP.loadAcquire
  );
}

/** True for the load of a 64-bit constant, whole or truncated. */
export function isLdImm64(insn: Insn): boolean {
  return insn.opcode === OPCODE.ldImm64;
}
