/**
 * Parts of a BPF opcode byte. Source: instruction-set.rst, "Instruction encoding"; bpf_common.h.
 */

/** Names of the instruction classes, by the value of `BPF_CLASS(code)`. */
export const CLASSES = ['ld', 'ldx', 'st', 'stx', 'alu', 'jmp', 'jmp32', 'alu64'] as const;

/** Values of `BPF_SRC(code)`: the second operand is imm (`k`) or a register (`x`). */
export const SOURCE = { k: 0x00, x: 0x08 } as const;

/** Values of `BPF_OP(code)` in the classes alu and alu64. */
export const ALU_OP = {
  add: 0x00,
  sub: 0x10,
  mul: 0x20,
  div: 0x30,
  or: 0x40,
  and: 0x50,
  lsh: 0x60,
  rsh: 0x70,
  neg: 0x80,
  mod: 0x90,
  xor: 0xa0,
  mov: 0xb0,
  arsh: 0xc0,
  end: 0xd0,
} as const;

/** Values of `BPF_OP(code)` in the classes jmp and jmp32. */
export const JMP_OP = {
  ja: 0x00,
  jeq: 0x10,
  jgt: 0x20,
  jge: 0x30,
  jset: 0x40,
  jne: 0x50,
  jsgt: 0x60,
  jsge: 0x70,
  call: 0x80,
  exit: 0x90,
  jlt: 0xa0,
  jle: 0xb0,
  jslt: 0xc0,
  jsle: 0xd0,
  jcond: 0xe0,
} as const;

/** Values of `BPF_SIZE(code)` of loads and stores. */
export const SIZE = { w: 0x00, h: 0x08, b: 0x10, dw: 0x18 } as const;

/** Values of `BPF_MODE(code)` of loads and stores. */
export const MODE = {
  imm: 0x00,
  abs: 0x20,
  ind: 0x40,
  mem: 0x60,
  memsx: 0x80,
  atomic: 0xc0,
} as const;

/** Values of `imm` in atomic operations. The bit `fetch` means: return the old value. */
export const ATOMIC_OP = {
  add: 0x00,
  or: 0x40,
  and: 0x50,
  xor: 0xa0,
  xchg: 0xe1,
  cmpxchg: 0xf1,
  fetch: 0x01,
  loadAcquire: 0x100,
  storeRelease: 0x110,
} as const;

export const OPCODE = {
  ldImm64: 0x18,
  ja: 0x05,
  gotol: 0x06,
  gotox: 0x0d,
  call: 0x85,
  callx: 0x8d,
  exit: 0x95,
  mayGoto: 0xe5,
} as const;

/** Values of `src_reg` in a call (`BPF_PSEUDO_*` in bpf.h), which define the meaning of imm. */
export const CALL_SOURCE = { helper: 0, pseudoCall: 1, pseudoKfuncCall: 2 } as const;

/** Values of `src_reg` in an ld_imm64 (`BPF_PSEUDO_*` in bpf.h), which define the meaning of imm. */
export const IMM64_SOURCE = {
  number: 0,
  mapFd: 1,
  mapValue: 2,
  btfId: 3,
  func: 4,
  mapIdx: 5,
  mapIdxValue: 6,
} as const;

/** Returns `BPF_OP` of an opcode. */
export function opOf(opcode: number): number {
  return opcode & 0xf0;
}

/** Returns `BPF_SRC` of an opcode. */
export function sourceOf(opcode: number): number {
  return opcode & 0x08;
}

/** Returns `BPF_SIZE` of an opcode. */
export function sizeOf(opcode: number): number {
  return opcode & 0x18;
}

/** Returns `BPF_MODE` of an opcode. */
export function modeOf(opcode: number): number {
  return opcode & 0xe0;
}
