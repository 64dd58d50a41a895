/** The fields of an instruction by their bytes (instruction-set.rst, "Instruction encoding"). */

export type InsnField = {
  /** As the kernel headers spell it. */
  readonly name: 'code' | 'regs' | 'off' | 'imm' | 'reserved' | 'next_imm';
  /** Bytes from the start of the instruction; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
};

/** The fields of `length` bytes: 16 for a whole ld_imm64, else 8. */
export function insnFields(length: number): readonly InsnField[] {
  return length < 16 ? FIRST : BOTH;
}

const FIRST: readonly InsnField[] = [
  { name: 'code', start: 0, end: 1 },
  { name: 'regs', start: 1, end: 2 },
  { name: 'off', start: 2, end: 4 },
  { name: 'imm', start: 4, end: 8 },
];

const BOTH: readonly InsnField[] = [
  ...FIRST,
  { name: 'reserved', start: 8, end: 12 },
  { name: 'next_imm', start: 12, end: 16 },
];

/** Bytes in hex with spaces between them: `b7 01`. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
