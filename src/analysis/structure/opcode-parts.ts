/**
 * Splits the opcode byte. Source: Documentation/bpf/standardization/instruction-set.rst,
 * "Instruction encoding"; names of include/uapi/linux/bpf_common.h and bpf.h.
 */
import {
  ALU_OP,
  CLASSES,
  JMP_OP,
  MODE,
  modeOf,
  opOf,
  SIZE,
  SOURCE,
  sizeOf,
  sourceOf,
} from '#formats/bpf/opcodes.ts';

export type OpcodePart = {
  readonly field: 'op' | 'source' | 'mode' | 'size' | 'class';
  /** Bits of the part, highest first: `1011`. */
  readonly bits: string;
  /** Name of the part's value: `BPF_MOV`; empty for a value without a name. */
  readonly name: string;
  /** Explanation of the value, in one or two words. */
  readonly about: string;
};

const SIZE_WORDS = new Map<number, string>([
  [SIZE.w, '4 bytes'],
  [SIZE.h, '2 bytes'],
  [SIZE.b, '1 byte'],
  [SIZE.dw, '8 bytes'],
]);

const MODE_WORDS = new Map<number, string>([
  [MODE.imm, '64-bit constant'],
  [MODE.abs, 'packet, fixed offset'],
  [MODE.ind, 'packet, offset in src'],
  [MODE.mem, 'memory'],
  [MODE.memsx, 'memory, sign-extended'],
  [MODE.atomic, 'atomic'],
]);

const CLASS_WORDS: Readonly<Record<(typeof CLASSES)[number], string>> = {
  ld: 'loads of constants',
  ldx: 'loads from memory',
  st: 'stores of a constant',
  stx: 'stores of a register',
  alu: '32-bit arithmetic',
  jmp: 'jumps, 64-bit compare',
  jmp32: 'jumps, 32-bit compare',
  alu64: '64-bit arithmetic',
};

/** Returns the parts from the highest bit down: op, source and class, or mode, size and class. */
export function opcodeParts(opcode: number): OpcodePart[] {
  const family = CLASSES[opcode & 0x07] ?? 'ld';
  const last: OpcodePart = {
    field: 'class',
    bits: bits(opcode, 3),
    name: `BPF_${family.toUpperCase()}`,
    about: CLASS_WORDS[family],
  };
  if (family.startsWith('alu')) return [operation(opcode, ALU_OP), source(opcode), last];
  if (family.startsWith('jmp')) return [operation(opcode, JMP_OP), source(opcode), last];
  return [mode(opcode), size(opcode), last];
}

function operation(opcode: number, names: Readonly<Record<string, number>>): OpcodePart {
  const name = constant(names, opOf(opcode));
  const about = name === '' ? 'no such operation' : 'operation';
  return { field: 'op', bits: bits(opcode >> 4, 4), name, about };
}

function source(opcode: number): OpcodePart {
  const [name, about] =
    sourceOf(opcode) === SOURCE.x ? ['BPF_X', 'operand is src'] : ['BPF_K', 'operand is imm'];
  return { field: 'source', bits: bits(opcode >> 3, 1), name, about };
}

function mode(opcode: number): OpcodePart {
  const value = modeOf(opcode);
  const about = MODE_WORDS.get(value) ?? 'no such mode';
  return { field: 'mode', bits: bits(opcode >> 5, 3), name: constant(MODE, value), about };
}

function size(opcode: number): OpcodePart {
  const value = sizeOf(opcode);
  const about = SIZE_WORDS.get(value) ?? '';
  return { field: 'size', bits: bits(opcode >> 3, 2), name: constant(SIZE, value), about };
}

/** Returns the kernel's name for a value, or an empty text. */
function constant(names: Readonly<Record<string, number>>, value: number): string {
  const name = Object.keys(names).find((key) => names[key] === value);
  return name === undefined ? '' : `BPF_${name.toUpperCase()}`;
}

function bits(value: number, count: number): string {
  return (value & ((1 << count) - 1)).toString(2).padStart(count, '0');
}
