/** Computes what BPF arithmetic and comparisons give for known numbers of 64 bits. */
import { type Insn, insnClass } from '#formats/bpf/insn.ts';
import { ALU_OP, JMP_OP, opOf, SOURCE, sourceOf } from '#formats/bpf/opcodes.ts';

type Operation = (left: bigint, right: bigint) => bigint;

const OPERATIONS = new Map<number, Operation>([
  [ALU_OP.add, (left, right) => left + right],
  [ALU_OP.sub, (left, right) => left - right],
  [ALU_OP.mul, (left, right) => left * right],
  [ALU_OP.or, (left, right) => left | right],
  [ALU_OP.and, (left, right) => left & right],
  [ALU_OP.xor, (left, right) => left ^ right],
]);

/**
 * Returns the result of an operation without sign extension, division and change of byte order,
 * which every kernel since 5.10 evaluates; undefined for others.
 */
export function simpleResult(insn: Insn, left: bigint, right: bigint): bigint | undefined {
  const { opcode, off } = insn;
  const bits = bitsOf(insn);
  const op = opOf(opcode);
  // If `off` is not 0, a move has sign extension and a division is signed.
  if (off !== 0) return undefined;
  if (op === ALU_OP.mov) return BigInt.asUintN(bits, right);
  const shift = right & BigInt(bits - 1);
  if (op === ALU_OP.rsh) return BigInt.asUintN(bits, left) >> shift;
  if (op === ALU_OP.arsh) return BigInt.asUintN(bits, BigInt.asIntN(bits, left) >> shift);
  if (op === ALU_OP.lsh) return BigInt.asUintN(bits, left << shift);
  const operate = OPERATIONS.get(op);
  return operate && BigInt.asUintN(bits, operate(left, right));
}

/** Returns the result of any operation; undefined for an operation that does not exist. */
export function resultOf(insn: Insn, left: bigint, right: bigint): bigint | undefined {
  const { opcode, off, imm } = insn;
  const bits = bitsOf(insn);
  switch (opOf(opcode)) {
    case ALU_OP.neg:
      return BigInt.asUintN(bits, -left);
    case ALU_OP.end:
      return swapped(insn, left);
    case ALU_OP.mov:
      if (off === 0) return BigInt.asUintN(bits, right);
      return [8, 16, 32].includes(off)
        ? BigInt.asUintN(bits, BigInt.asIntN(off, right))
        : undefined;
    case ALU_OP.div:
    case ALU_OP.mod:
      return quotient(opOf(opcode) === ALU_OP.div, off === 1, bits, { left, right });
    default:
      return imm === 0 || sourceOf(opcode) === SOURCE.k
        ? simpleResult(insn, left, right)
        : undefined;
  }
}

function bitsOf(insn: Insn): 32 | 64 {
  return insnClass(insn) === 'alu64' ? 64 : 32;
}

/** Returns a quotient or remainder. Division by 0 gives 0, the remainder of it the dividend. */
function quotient(
  isQuotient: boolean,
  isSigned: boolean,
  bits: number,
  operands: { readonly left: bigint; readonly right: bigint },
): bigint {
  const number = (value: bigint) =>
    isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  const left = number(operands.left);
  const right = number(operands.right);
  if (right === 0n) return isQuotient ? 0n : BigInt.asUintN(bits, left);
  return BigInt.asUintN(bits, isQuotient ? left / right : left % right);
}

function swapped(insn: Insn, value: bigint): bigint | undefined {
  const bits = insn.imm;
  if (![16, 32, 64].includes(bits)) return undefined;
  const number = BigInt.asUintN(bits, value);
  // To little endian on a little-endian machine: only cuts. An unconditional swap always swaps.
  const isSwap = insnClass(insn) === 'alu64' || sourceOf(insn.opcode) === SOURCE.x;
  if (!isSwap) return number;
  let result = 0n;
  for (let at = 0; at < bits; at += 8) {
    result = (result << 8n) | ((number >> BigInt(at)) & 0xffn);
  }
  return result;
}

/** Comparisons of unsigned operands, by opcode. */
const UNSIGNED_COMPARISONS = new Map<number, (a: bigint, b: bigint) => boolean>([
  [JMP_OP.jeq, (a, b) => a === b],
  [JMP_OP.jgt, (a, b) => a > b],
  [JMP_OP.jge, (a, b) => a >= b],
  [JMP_OP.jset, (a, b) => (a & b) !== 0n],
  [JMP_OP.jne, (a, b) => a !== b],
  [JMP_OP.jlt, (a, b) => a < b],
  [JMP_OP.jle, (a, b) => a <= b],
]);
const SIGNED_COMPARISONS = new Map<number, (a: bigint, b: bigint) => boolean>([
  [JMP_OP.jsgt, (a, b) => a > b],
  [JMP_OP.jsge, (a, b) => a >= b],
  [JMP_OP.jslt, (a, b) => a < b],
  [JMP_OP.jsle, (a, b) => a <= b],
]);

/** Returns whether a comparison holds; null for an operation that is no comparison. */
export function compare(op: number, left: bigint, right: bigint, isWide: boolean): boolean | null {
  const bits = isWide ? 64 : 32;
  const unsigned = UNSIGNED_COMPARISONS.get(op);
  if (unsigned) return unsigned(BigInt.asUintN(bits, left), BigInt.asUintN(bits, right));
  const signed = SIGNED_COMPARISONS.get(op);
  return signed ? signed(BigInt.asIntN(bits, left), BigInt.asIntN(bits, right)) : null;
}
