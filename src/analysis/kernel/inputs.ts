/**
 * Inputs of a program: numbers that the verifier does not know. Each input has a few values, chosen
 * by the numbers that the code after it compares with.
 */
import { getOrCreate } from '#bytes/cache.ts';
import { type Insn, insnClass } from '#formats/bpf/insn.ts';
import { ALU_OP, opOf, SOURCE, sourceOf } from '#formats/bpf/opcodes.ts';
import type { Vector } from './path-state.ts';

/** Instructions after an input whose numbers are tried. */
const WINDOW = 96;
const MAX_VALUES = 40;
const ALWAYS_TRIED: readonly bigint[] = [1n, 0n, -1n, 2n, 0x7fffffffn, 0x80000000n, 1n << 62n];

type InputOptions = {
  /** True for a number whose sign is extended to 64 bits. */
  readonly isSigned?: boolean;
  readonly isPossible?: (value: bigint) => boolean;
  /** Values to try first. */
  readonly more?: readonly bigint[];
};

export class Inputs {
  readonly #insnAt: (slot: number) => Insn | null;
  readonly #numbers = new Map<number, readonly bigint[]>();
  #count = 0;

  constructor(insnAt: (slot: number) => Insn | null) {
    this.#insnAt = insnAt;
  }

  /** Returns a new input of `bits`, with values that are possible. */
  create(slot: number, bits: number, options: InputOptions = {}): Vector {
    const { isSigned = false, isPossible = () => true, more = [] } = options;
    const values = new Set<bigint>();
    for (const number of [...more, ...this.#numbersAfter(slot)]) {
      if (values.size >= MAX_VALUES) break;
      const value = BigInt.asUintN(
        64,
        isSigned ? BigInt.asIntN(bits, number) : BigInt.asUintN(bits, number),
      );
      if (isPossible(BigInt.asIntN(64, value))) values.add(value);
    }
    this.#count++;
    const isAny = !isSigned && options.isPossible === undefined;
    return { input: this.#count, results: [...values], anyOf: isAny ? bits : 0 };
  }

  #numbersAfter(slot: number): readonly bigint[] {
    return getOrCreate(this.#numbers, slot, () => {
      const exact = new Set<bigint>(ALWAYS_TRIED);
      const near = new Set<bigint>();
      const shifts = new Set<number>();
      for (let at = slot; at < slot + WINDOW; at++) {
        const insn = this.#insnAt(at);
        const number = insn === null ? null : numberIn(insn);
        if (insn === null || number === null) continue;
        const family = insnClass(insn);
        const isShift = [ALU_OP.lsh, ALU_OP.rsh, ALU_OP.arsh].some(
          (op) => op === opOf(insn.opcode),
        );
        if ((family === 'alu' || family === 'alu64') && isShift) {
          shifts.add(insn.imm & 63);
          continue;
        }
        exact.add(number);
        near.add(number + 1n).add(number - 1n);
      }
      const shifted = [...exact].flatMap((number) =>
        Array.from(shifts, (shift) => number << BigInt(shift)),
      );
      return [...exact, ...near, ...shifted];
    });
  }
}

/** Returns the number in an instruction that compares or computes with one; else null. */
function numberIn(insn: Insn): bigint | null {
  switch (insnClass(insn)) {
    case 'ld':
      return insn.imm64;
    case 'alu':
    case 'alu64':
    case 'jmp':
    case 'jmp32':
      return sourceOf(insn.opcode) === SOURCE.k ? BigInt(insn.imm) : null;
    default:
      return null;
  }
}
