/**
 * What instructions do with the numbers, pointers and stack of a path. Source:
 * kernel/bpf/verifier.c: check_alu_op, check_load_mem, check_store_reg, check_atomic.
 */
import { type Insn, insnClass } from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  ATOMIC_OP,
  MODE,
  modeOf,
  opOf,
  SIZE,
  SOURCE,
  sizeOf,
  sourceOf,
} from '#formats/bpf/opcodes.ts';
import { resultOf } from './arithmetic.ts';
import { loadedFromContext } from './contexts.ts';
import type { ReachCode } from './flow.ts';
import type { Inputs } from './inputs.ts';
import {
  type Cell,
  isAddress,
  isPointer,
  isVector,
  load,
  type Pointer,
  pointer,
  type State,
  store,
  top,
  type Vector,
} from './path-state.ts';

export class PathData {
  readonly #code: ReachCode;
  readonly #inputs: Inputs;

  constructor(code: ReachCode, inputs: Inputs) {
    this.#code = code;
    this.#inputs = inputs;
  }

  /** Returns what an ld_imm64 loads. */
  loadNumber(slot: number): Cell {
    const func = this.#code.callee(slot);
    if (func !== null) return { func };
    const target = this.#code.target(slot);
    if (target === null) return this.#code.unknown.has(slot) ? undefined : this.#loaded(slot);
    if (target.of === 'map') return { map: target.type };
    return pointer(target.of === 'symbol' ? 'object' : target.of, 0);
  }

  #loaded(slot: number): Cell {
    return this.#code.loaded(slot) ?? undefined;
  }

  /** Returns a register's value; a number if its input has only one value left. */
  read(state: State, register: number): Cell {
    return this.resolved(state, top(state).registers[register]);
  }

  resolved({ live }: State, cell: Cell): Cell {
    if (!isVector(cell)) return cell;
    const left = live.get(cell.input) ?? [...cell.results.keys()];
    const [only] = left;
    if (only === undefined) return undefined;
    return left.length === 1 ? cell.results[only] : cell;
  }

  /** Returns the indexes of the values that the input of a vector may still have. */
  live({ live }: State, { input, results }: Vector): readonly number[] {
    return live.get(input) ?? [...results.keys()];
  }

  operand(state: State, insn: Insn): Cell {
    return sourceOf(insn.opcode) === SOURCE.x
      ? this.read(state, insn.srcReg)
      : BigInt.asUintN(64, BigInt(insn.imm));
  }

  arithmetic(state: State, insn: Insn): Cell {
    const op = opOf(insn.opcode);
    const isUnary = op === ALU_OP.neg || op === ALU_OP.end;
    const isWide = insnClass(insn) === 'alu64';
    const left = op === ALU_OP.mov ? 0n : this.read(state, insn.dstReg);
    const isUnknown = this.#code.unknown.has(state.slot - 1);
    const right = isUnary ? 0n : isUnknown ? undefined : this.operand(state, insn);
    if (op === ALU_OP.mov && isWide && insn.off === 0 && !isUnknown) return right;
    if (op === ALU_OP.end && this.#code.endian === 'big') return undefined;
    if (isPointer(left)) return isWide ? moved(left, op, right) : undefined;
    if (isPointer(right)) return op === ALU_OP.add && isWide ? moved(right, op, left) : undefined;
    const result = this.combined(state, left, right, (a, b) => resultOf(insn, a, b));
    if (!isVector(result)) return result;
    const source = op === ALU_OP.mov ? right : left;
    const anyOf = isVector(source) ? bitsLeft(insn, source.anyOf, right) : 0;
    return { ...result, anyOf };
  }

  /** Applies an operation to numbers. Of two inputs, the second gets one value. */
  combined(
    state: State,
    left: Cell,
    right: Cell,
    operate: (left: bigint, right: bigint) => bigint | undefined,
  ): Cell {
    if (isVector(left) && isVector(right) && left.input !== right.input) {
      const [one = 0] = this.live(state, right);
      state.live.set(right.input, [one]);
      return this.combined(state, left, right.results[one], operate);
    }
    const vector = isVector(left) ? left : isVector(right) ? right : null;
    const at = (cell: Cell, index: number) => (isVector(cell) ? cell.results[index] : cell);
    if (vector === null) {
      return typeof left === 'bigint' && typeof right === 'bigint'
        ? operate(left, right)
        : undefined;
    }
    const results: bigint[] = [];
    for (const index of vector.results.keys()) {
      const [a, b] = [at(left, index), at(right, index)];
      const result = typeof a === 'bigint' && typeof b === 'bigint' ? operate(a, b) : undefined;
      if (result === undefined) return undefined;
      results.push(result);
    }
    return { input: vector.input, results, anyOf: 0 };
  }

  load(state: State, insn: Insn, slot: number): Cell {
    const base = this.read(state, insn.srcReg);
    const bits = bitsOf(insn);
    const isSigned = modeOf(insn.opcode) === MODE.memsx;
    const fresh = () => this.#inputs.create(slot, bits, { isSigned });
    const isUnknown = this.#code.unknown.has(slot);
    if (typeof base === 'object' && 'byteSize' in base) {
      const isWhole = !isUnknown && insn.off === 0 && 8 * base.byteSize === bits && !isSigned;
      return isWhole ? BigInt.asUintN(bits, base.number) : undefined;
    }
    if (!isPointer(base)) return undefined;
    const off = isUnknown || base.off === null ? null : base.off + insn.off;
    switch (base.to) {
      case 'stack': {
        const frame = state.frames[base.frame];
        if (frame === undefined || off === null) return undefined;
        const value = load(frame, off, bits / 8, this.#code.endian === 'little');
        if (value === 'any') return fresh();
        return isSigned ? this.#extended(state, value, bits) : value;
      }
      case 'context': {
        const what = loadedFromContext(this.#code.type, off, bits / 8);
        if (what === 'number') return fresh();
        return what === null ? undefined : pointer(what);
      }
      case 'object':
        return bits === 64 ? pointer('object', null) : fresh();
      case 'end':
        return undefined;
      case 'constants':
        return isSigned ? undefined : { bits };
      default:
        return fresh();
    }
  }

  #extended(state: State, value: Cell, bits: number): Cell {
    return this.combined(state, value, 0n, (a) => BigInt.asUintN(64, BigInt.asIntN(bits, a)));
  }

  store(state: State, insn: Insn, value: Cell): void {
    const base = this.read(state, insn.dstReg);
    if (base === undefined) {
      // The register may have an address in any frame.
      for (const frame of state.frames) frame.stack.clear();
    }
    if (!isPointer(base) || base.to !== 'stack') return;
    const frame = state.frames[base.frame];
    const bits = bitsOf(insn);
    if (base.off === null || this.#code.unknown.has(state.slot - 1)) frame?.stack.clear();
    else if (frame !== undefined) {
      const isNumber = typeof value === 'bigint' || isVector(value);
      const part = isNumber
        ? this.combined(state, value, 0n, (a) => BigInt.asUintN(bits, a))
        : bits === 64
          ? value
          : undefined;
      store(frame, base.off + insn.off, bits / 8, part);
    }
  }

  atomic(state: State, insn: Insn, slot: number): void {
    const { registers } = top(state);
    const isOrderedLoad = insn.imm === ATOMIC_OP.loadAcquire;
    const base = this.read(state, isOrderedLoad ? insn.srcReg : insn.dstReg);
    const isShared = isPointer(base) && (base.to === 'values' || base.to === 'memory');
    if (!isOrderedLoad) this.store(state, insn, undefined);
    const old = isShared ? this.#inputs.create(slot, bitsOf(insn)) : undefined;
    if (isOrderedLoad) registers[insn.dstReg] = old;
    else if (insn.imm === ATOMIC_OP.cmpxchg) registers[0] = old;
    else if ((insn.imm & ATOMIC_OP.fetch) !== 0) registers[insn.srcReg] = old;
  }

  /** Returns true if an operand may be any number, and the other a number of as many bits. */
  mayBeEqual({ live }: State, left: Cell, right: Cell, isWide: boolean): boolean {
    const [vector, other] = isVector(left) ? [left, right] : [right, left];
    if (!isVector(vector) || live.has(vector.input)) return false;
    const isKnown = typeof other === 'object' && 'bits' in other;
    if (other !== undefined && !isKnown) return false;
    const bits = isKnown ? other.bits : 64;
    return vector.anyOf >= (isWide ? bits : 32);
  }

  /** Returns the offsets of two pointers into the packet, whose length is an input; else null. */
  comparedPackets(state: State, left: Cell, right: Cell): [Cell, Cell] | null {
    if (!isPointer(left) || !isPointer(right)) return null;
    if (![left, right].every(({ to }) => to === 'packet' || to === 'end')) return null;
    if (left.off === null || right.off === null) return null;
    if (state.packet === null) {
      const offsets = [left, right].map(({ off }) => BigInt(off ?? 0));
      const more = [...offsets.flatMap((off) => [off, off - 1n, off + 1n]), ...LENGTHS];
      const isPossible = (length: bigint) => length >= 0n && length <= MAX_LENGTH;
      state.packet = this.#inputs.create(state.slot, 64, { isPossible, more });
    }
    const { packet } = state;
    const number = ({ to, off }: Pointer): Cell =>
      to === 'end'
        ? this.combined(state, this.resolved(state, packet), BigInt(off ?? 0), (a, b) => a + b)
        : BigInt(off ?? 0);
    return [number(left), number(right)];
  }
}

/** Lengths of packets to try. */
const LENGTHS: readonly bigint[] = [1500n, 64n, 0n, 14n, 34n, 54n];
const MAX_LENGTH = 0xffffn;

function moved(from: Pointer, op: number, by: Cell): Cell {
  if (op !== ALU_OP.add && op !== ALU_OP.sub) return undefined;
  if (isAddress(by)) return undefined;
  const isKnown = typeof by === 'bigint' && from.off !== null;
  const distance = isKnown ? Number(BigInt.asIntN(64, by)) : null;
  if (distance === null || from.off === null) return { ...from, off: null };
  return { ...from, off: from.off + (op === ALU_OP.add ? distance : -distance) };
}

/** Returns how many bits are still any number, after an operation on a number of `bits`. */
function bitsLeft(insn: Insn, bits: number, by: Cell): number {
  const op = opOf(insn.opcode);
  const isWide = insnClass(insn) === 'alu64';
  const cut = isWide ? bits : Math.min(bits, 32);
  if (op === ALU_OP.mov) return insn.off === 0 ? cut : 0;
  if (typeof by !== 'bigint') return 0;
  if (op === ALU_OP.rsh) return Math.max(0, cut - Number(by & 63n));
  // A mask of the low bits.
  const isMask = op === ALU_OP.and && (by & (by + 1n)) === 0n;
  return isMask ? Math.min(cut, by.toString(2).length) : 0;
}

const BITS: ReadonlyMap<number, number> = new Map([
  [SIZE.b, 8],
  [SIZE.h, 16],
  [SIZE.w, 32],
  [SIZE.dw, 64],
]);

/** Returns the size of a load or store in bits. */
export function bitsOf({ opcode }: Insn): number {
  return BITS.get(sizeOf(opcode)) ?? 64;
}
