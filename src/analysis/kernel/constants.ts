/**
 * The instructions of a program that can be reached, as far as constants decide it.
 *
 * Constants are followed through moves, arithmetic and comparisons, into and out of static
 * subprograms and out of `.kconfig`, as the verifier follows them; values of other memory, helpers
 * and the context are unknown.
 *
 * Source: kernel/bpf/verifier.c: is_branch_taken, adjust_scalar_min_max_vals, bpf_map_direct_read,
 * prepare_func_exit; only operations that give a constant for constants in every kernel since 5.10.
 */
import { append, upperBound } from '#bytes/arrays.ts';
import type { Endian } from '#bytes/span.ts';
import {
  decodeInsn,
  type Insn,
  insnClass,
  isCall,
  isConditionalJump,
  isExit,
  isLdImm64,
  jumpTarget,
} from '#formats/bpf/insn.ts';
import {
  ALU_OP,
  CALL_SOURCE,
  JMP_OP,
  MODE,
  modeOf,
  OPCODE,
  opOf,
  SIZE,
  SOURCE,
  sizeOf,
  sourceOf,
} from '#formats/bpf/opcodes.ts';

/** The address of a known number: of an option in `.kconfig`. */
export type KnownNumber = { readonly number: bigint; readonly byteSize: number };

/** The value of a register. */
export type Value = bigint | KnownNumber;

/** A program as the kernel gets it, in one piece: bytes count from its start. */
export type ReachCode = {
  readonly bytes: Uint8Array;
  readonly endian: Endian;
  /** Slots at which the program, at 0, and its subprograms begin, rising. */
  readonly starts: readonly number[];
  /** Slots of subprograms that are verified whether they are called or not: global ones, and the exception callback. */
  readonly entries: readonly number[];
  /** The slot that the call at a slot goes to, or the function whose address is loaded there. */
  readonly callee: (slot: number) => number | null;
  /** Returns the value of a relocated ld_imm64, the same object each time; null: not known. */
  readonly loaded: (slot: number) => Value | null;
};

export type Flow = {
  readonly reached: ReadonlySet<number>;
  /** The next slots in a function by slot; calls are stepped over. */
  readonly next: ReadonlyMap<number, ReadonlySet<number>>;
};

/** Registers 0 to 9; undefined = not known. */
type Registers = (Value | undefined)[];

const SLOT = 8;
const REGISTERS = 10;
/** Registers 1 to 5 have the arguments of a call. */
const FIRST_ARGUMENT = 1;
const AFTER_ARGUMENTS = 6;
/** The kernel accepts at most a million instructions; each takes a few steps. */
const MOST_STEPS = 4_000_000;

/** Returns the reachable instructions; `traps` end the program. null past the limit of steps. */
export function flowOf(code: ReachCode, traps: ReadonlySet<number>): Flow | null {
  return new Run(code).all(traps);
}

class Run {
  readonly #code: ReachCode;
  readonly #states = new Map<number, Registers>();
  readonly #next = new Map<number, Set<number>>();
  readonly #waiting: number[] = [];
  /** Calls of static subprograms by the slot of their first instruction, and r0 after their return. */
  readonly #calls = new Map<number, Set<number>>();
  readonly #results = new Map<number, Value | undefined>();
  readonly #globals: ReadonlySet<number>;

  constructor(code: ReachCode) {
    this.#code = code;
    this.#globals = new Set(code.entries);
  }

  all(traps: ReadonlySet<number>): Flow | null {
    const { bytes, endian, entries } = this.#code;
    for (const slot of [0, ...entries]) this.#enter(slot, nothingKnown());
    let steps = 0;
    for (let slot = this.#waiting.pop(); slot !== undefined; slot = this.#waiting.pop()) {
      if (steps++ > MOST_STEPS) return null;
      if (traps.has(slot)) continue;
      const registers = this.#states.get(slot);
      const insn = decodeInsn(bytes, slot * SLOT, endian);
      if (registers === undefined || insn === null) continue;
      // A jump by a table may go anywhere.
      if (insn.opcode === OPCODE.gotox) return null;
      this.#step(slot, insn, registers);
    }
    return { reached: new Set(this.#states.keys()), next: this.#next };
  }

  #enter(slot: number, registers: Registers): void {
    if (slot < 0 || slot * SLOT >= this.#code.bytes.length) return;
    const known = this.#states.get(slot);
    if (known === undefined) {
      this.#states.set(slot, registers.slice());
      this.#waiting.push(slot);
    } else if (joined(known, registers)) this.#waiting.push(slot);
  }

  #goOn(from: number, to: number, registers: Registers): void {
    const known = this.#next.get(from);
    if (known === undefined) this.#next.set(from, new Set([to]));
    else known.add(to);
    this.#enter(to, registers);
  }

  #step(slot: number, insn: Insn, registers: Registers): void {
    const after = slot + insn.length / SLOT;
    if (isExit(insn)) {
      this.#return(slot, registers[0]);
      return;
    }
    if (isCall(insn) || insn.opcode === OPCODE.callx) {
      this.#call(slot, after, insn, registers);
      return;
    }
    const target = jumpTarget(insn);
    if (target !== null) {
      const to = target / SLOT;
      const isEither = insn.opcode === OPCODE.mayGoto;
      const ways = isEither
        ? [after, to].map((one) => ({ slot: one, registers }))
        : isConditionalJump(insn)
          ? branches(insn, registers, { after, to })
          : [{ slot: to, registers }];
      for (const way of ways) this.#goOn(slot, way.slot, way.registers);
      return;
    }
    const changed = registers.slice();
    apply(this.#code, slot, insn, changed);
    this.#goOn(slot, after, changed);
    const callback = isLdImm64(insn) ? this.#code.callee(slot) : null;
    if (callback !== null) this.#enter(callback, nothingKnown());
  }

  #call(slot: number, after: number, insn: Insn, registers: Registers): void {
    const isSubprogram = isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall;
    const callee = isSubprogram ? this.#code.callee(slot) : null;
    const returned = registers.slice();
    forgetScratch(returned);
    if (callee === null || this.#globals.has(callee)) {
      this.#goOn(slot, after, returned);
      if (callee !== null) this.#enter(callee, nothingKnown());
      return;
    }
    const given = nothingKnown();
    for (let i = FIRST_ARGUMENT; i < AFTER_ARGUMENTS; i++) given[i] = registers[i];
    this.#enter(callee, given);
    const calls = this.#calls.get(callee);
    if (calls === undefined) this.#calls.set(callee, new Set([slot]));
    else calls.add(slot);
    if (!this.#results.has(callee)) return;
    returned[0] = this.#results.get(callee);
    this.#goOn(slot, after, returned);
  }

  /** Continues the calls of the function of `slot`, with the values that all its returns share. */
  #return(slot: number, value: Value | undefined): void {
    const { starts } = this.#code;
    const start = starts[upperBound(starts, slot) - 1] ?? 0;
    const known = this.#results.get(start);
    if (this.#results.has(start) && (known === undefined || known === value)) return;
    this.#results.set(start, this.#results.has(start) ? undefined : value);
    append(this.#waiting, this.#calls.get(start) ?? []);
  }
}

function nothingKnown(): Registers {
  return new Array<Value | undefined>(REGISTERS).fill(undefined);
}

/** Removes the values from `known` that differ in `more`. Returns whether it removed any. */
function joined(known: Registers, more: Registers): boolean {
  let changed = false;
  for (let i = 0; i < REGISTERS; i++) {
    if (known[i] === undefined || known[i] === more[i]) continue;
    known[i] = undefined;
    changed = true;
  }
  return changed;
}

type Way = { readonly slot: number; readonly registers: Registers };

function branches(
  insn: Insn,
  registers: Registers,
  { after, to }: { readonly after: number; readonly to: number },
): Way[] {
  const isWide = insnClass(insn) === 'jmp';
  const left = scalar(registers[insn.dstReg]);
  const right = operand(insn, registers);
  const op = opOf(insn.opcode);
  const taken = left === undefined || right === undefined ? null : compare(op, left, right, isWide);
  /** If both registers are equal, both have the known value. */
  const equal = (is: boolean): Registers => {
    if (!is || right === undefined || !isWide || insn.dstReg >= REGISTERS) return registers;
    const refined = registers.slice();
    refined[insn.dstReg] = right;
    return refined;
  };
  const ways: Way[] = [];
  const way = (slot: number, known: Registers) => ways.push({ slot, registers: known });
  if (taken !== false) way(to, equal(op === JMP_OP.jeq));
  if (taken !== true) way(after, equal(op === JMP_OP.jne));
  return ways;
}

function scalar(value: Value | undefined): bigint | undefined {
  return typeof value === 'bigint' ? value : undefined;
}

/** Returns the second operand: imm, or the known value of a register. */
function operand({ opcode, imm, srcReg }: Insn, registers: Registers): bigint | undefined {
  return sourceOf(opcode) === SOURCE.x
    ? scalar(registers[srcReg])
    : BigInt.asUintN(64, BigInt(imm));
}

function compare(op: number, left: bigint, right: bigint, isWide: boolean): boolean | null {
  const bits = isWide ? 64 : 32;
  const [a, b] = [BigInt.asUintN(bits, left), BigInt.asUintN(bits, right)];
  const [s, t] = [BigInt.asIntN(bits, left), BigInt.asIntN(bits, right)];
  switch (op) {
    case JMP_OP.jeq:
      return a === b;
    case JMP_OP.jgt:
      return a > b;
    case JMP_OP.jge:
      return a >= b;
    case JMP_OP.jset:
      return (a & b) !== 0n;
    case JMP_OP.jne:
      return a !== b;
    case JMP_OP.jsgt:
      return s > t;
    case JMP_OP.jsge:
      return s >= t;
    case JMP_OP.jlt:
      return a < b;
    case JMP_OP.jle:
      return a <= b;
    case JMP_OP.jslt:
      return s < t;
    case JMP_OP.jsle:
      return s <= t;
    default:
      return null;
  }
}

function apply(code: ReachCode, slot: number, insn: Insn, registers: Registers): void {
  const { opcode, dstReg, srcReg } = insn;
  if (isLdImm64(insn)) {
    registers[dstReg] = code.loaded(slot) ?? undefined;
    return;
  }
  switch (insnClass(insn)) {
    case 'alu':
    case 'alu64':
      registers[dstReg] = arithmetic(insn, registers);
      break;
    case 'ldx':
      registers[dstReg] = loadedNumber(insn, registers[srcReg]);
      break;
    case 'stx':
      // An atomic operation may fetch into its source, or into r0.
      if (modeOf(opcode) === MODE.atomic) {
        registers[srcReg] = undefined;
        registers[0] = undefined;
        registers[dstReg] = undefined;
      }
      break;
    case 'ld':
      // Loads of packets give r0, and clobber r1 to r5 as a call does.
      forgetScratch(registers);
      break;
    default:
  }
}

/** The whole of a number whose address is in a register. */
function loadedNumber({ opcode, off }: Insn, from: Value | undefined): bigint | undefined {
  if (typeof from !== 'object' || off !== 0 || modeOf(opcode) !== MODE.mem) return undefined;
  return BYTES.get(sizeOf(opcode)) === from.byteSize
    ? BigInt.asUintN(8 * from.byteSize, from.number)
    : undefined;
}

const BYTES: ReadonlyMap<number, number> = new Map([
  [SIZE.b, 1],
  [SIZE.h, 2],
  [SIZE.w, 4],
  [SIZE.dw, 8],
]);

/** r0 to r5, which no call keeps. */
function forgetScratch(registers: Registers): void {
  registers.fill(undefined, 0, 6);
}

function arithmetic(insn: Insn, registers: Registers): Value | undefined {
  const { opcode, dstReg, srcReg, off } = insn;
  const bits = insnClass(insn) === 'alu64' ? 64 : 32;
  const right = operand(insn, registers);
  const op = opOf(opcode);
  const isWholeMove = op === ALU_OP.mov && off === 0 && bits === 64;
  if (isWholeMove && sourceOf(opcode) === SOURCE.x) return registers[srcReg];
  // off distinguishes moves with sign extension, and signed division.
  if (off !== 0 || right === undefined) return undefined;
  if (op === ALU_OP.mov) return BigInt.asUintN(bits, right);
  const left = scalar(registers[dstReg]);
  if (left === undefined) return undefined;
  const shift = right & BigInt(bits - 1);
  const value = BigInt.asUintN(bits, left);
  switch (op) {
    case ALU_OP.add:
      return BigInt.asUintN(bits, left + right);
    case ALU_OP.sub:
      return BigInt.asUintN(bits, left - right);
    case ALU_OP.mul:
      return BigInt.asUintN(bits, left * right);
    case ALU_OP.or:
      return BigInt.asUintN(bits, left | right);
    case ALU_OP.and:
      return BigInt.asUintN(bits, left & right);
    case ALU_OP.lsh:
      return BigInt.asUintN(bits, value << shift);
    case ALU_OP.rsh:
      return value >> shift;
    case ALU_OP.xor:
      return BigInt.asUintN(bits, left ^ right);
    case ALU_OP.arsh:
      return BigInt.asUintN(bits, BigInt.asIntN(bits, left) >> shift);
    default:
      return undefined;
  }
}
