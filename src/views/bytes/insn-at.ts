/** The BPF instruction that a byte of a code section belongs to. */
import type { Endian } from '#bytes/span.ts';
import { decodeInsn, type Insn } from '#formats/bpf/insn.ts';
import { OPCODE } from '#formats/bpf/opcodes.ts';

const SLOT = 8;

/** Bytes around an offset of a section that are enough to tell its instruction; clipped to the section. */
export function insnWindow(byteOffset: number, sectionLength: number) {
  const slot = byteOffset - (byteOffset % SLOT);
  return { start: Math.max(0, slot - SLOT), end: Math.min(sectionLength, slot + 2 * SLOT) };
}

/**
 * The instruction around `byteOffset` (bytes of the section); `bytes` are those
 * of `insnWindow`. A slot whose opcode is 0 behind a ld_imm64 is its second
 * half. Null where too few bytes are left for one.
 */
export function insnAround(
  bytes: Uint8Array,
  windowStart: number,
  byteOffset: number,
  endian: Endian,
): Insn | null {
  const slot = byteOffset - (byteOffset % SLOT) - windowStart;
  const isSecondHalf = slot >= SLOT && bytes[slot] === 0 && bytes[slot - SLOT] === OPCODE.ldImm64;
  const insn = decodeInsn(bytes, isSecondHalf ? slot - SLOT : slot, endian);
  return insn && { ...insn, offset: insn.offset + windowStart };
}
