/**
 * Finds the instructions of a program that are reachable, as far as constants decide. Constants
 * pass through moves, arithmetic, comparisons, calls of static subprograms and loads from
 * `.kconfig`, as in the verifier. Source: kernel/bpf/verifier.c: is_branch_taken,
 * adjust_scalar_min_max_vals, bpf_map_direct_read, prepare_func_exit. Only operations that every
 * kernel since 5.10 evaluates are used.
 */
import { append, upperBound } from '#bytes/arrays.ts';
import { getOrCreate } from '#bytes/cache.ts';
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
  SLOT_SIZE,
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
import { compare, simpleResult } from './arithmetic.ts';

/** Value of a register that has the address of a known number: an option in `.kconfig`. */
export type KnownNumber = { readonly number: bigint; readonly byteSize: number };

/** A known value of a register: a number, or the address of one. */
export type Value = bigint | KnownNumber;

/** The instructions of a program with its subprograms. Slot 0 is its start. */
export type FlowCode = {
  readonly bytes: Uint8Array;
  readonly endian: Endian;
  /** First slots of the program (0) and its subprograms, ascending. */
  readonly starts: readonly number[];
  /** First slots of subprograms verified on their own: global ones and the exception callback. */
  readonly entries: readonly number[];
  /** Returns the first slot of the function that an instruction calls or whose address it loads. */
  readonly callee: (slot: number) => number | null;
  /** Returns the value of a relocated ld_imm64, always the same object; null if unknown. */
  readonly loaded: (slot: number) => Value | null;
  /** Slots whose numbers are unknown, because CO-RE finds no target for them. */
  readonly unknown: ReadonlySet<number>;
};

/** A program with its subprograms, as libbpf passes it to the kernel. */
export type ReachCode = FlowCode & {
  /** Program type, as `XDP`; empty if libbpf knows none. */
  readonly type: string;
  /** Returns what a relocated ld_imm64 has the address of; null for a number or if unknown. */
  readonly target: (slot: number) => AddressTarget | null;
  /** Helper number of each slot that calls a helper. */
  readonly helpers: ReadonlyMap<number, number>;
  /** Kfunc of each slot that calls one. */
  readonly kfuncs: ReadonlyMap<number, WalkedKfunc>;
};

/** A kfunc that a program calls; `isNumber` is true if its result is an integer. */
export type WalkedKfunc = { readonly name: string; readonly isNumber: boolean };

/** A map with its type, values of a map that may change or not, or a variable of the kernel. */
export type AddressTarget =
  | { readonly of: 'map'; readonly type: number }
  | { readonly of: 'values' | 'constants' | 'symbol' };

export type Flow = {
  readonly reached: ReadonlySet<number>;
  /** Slots that can follow a slot in the same function. */
  readonly next: ReadonlyMap<number, ReadonlySet<number>>;
};

/** Values of registers r0 to r9; undefined for an unknown value. */
type Registers = (Value | undefined)[];

const REGISTERS = 10;
/** Arguments of a call are in r1 to r5. */
const FIRST_ARGUMENT = 1;
const AFTER_ARGUMENTS = 6;
/** Maximum number of steps: the kernel accepts 1,000,000 instructions, each visited a few times. */
const MAX_STEPS = 4_000_000;

/** Returns the reachable instructions if paths end at `traps`; null after `MAX_STEPS`. */
export function flowOf(code: FlowCode, traps: ReadonlySet<number>): Flow | null {
  return new Run(code).all(traps);
}

class Run {
  readonly #code: FlowCode;
  readonly #states = new Map<number, Registers>();
  readonly #next = new Map<number, Set<number>>();
  readonly #waiting: number[] = [];
  /** Slots that call a static subprogram, by its first slot. */
  readonly #calls = new Map<number, Set<number>>();
  /** r0 at the return of a static subprogram, by its first slot; undefined for an unknown value. */
  readonly #results = new Map<number, Value | undefined>();
  readonly #globals: ReadonlySet<number>;

  constructor(code: FlowCode) {
    this.#code = code;
    this.#globals = new Set(code.entries);
  }

  all(traps: ReadonlySet<number>): Flow | null {
    const { bytes, endian, entries } = this.#code;
    for (const slot of [0, ...entries]) this.#enter(slot, unknownRegisters());
    let steps = 0;
    for (let slot = this.#waiting.pop(); slot !== undefined; slot = this.#waiting.pop()) {
      if (steps++ > MAX_STEPS) return null;
      if (traps.has(slot)) continue;
      const registers = this.#states.get(slot);
      const insn = decodeInsn(bytes, slot * SLOT_SIZE, endian);
      if (registers === undefined || insn === null) continue;
      // Stop at an indirect jump: the targets of a jump table are unknown.
      if (insn.opcode === OPCODE.gotox) return null;
      this.#step(slot, insn, registers);
    }
    return { reached: new Set(this.#states.keys()), next: this.#next };
  }

  #enter(slot: number, registers: Registers): void {
    if (slot < 0 || slot * SLOT_SIZE >= this.#code.bytes.length) return;
    const known = this.#states.get(slot);
    if (known === undefined) {
      this.#states.set(slot, registers.slice());
      this.#waiting.push(slot);
    } else if (joined(known, registers)) this.#waiting.push(slot);
  }

  #continue(from: number, to: number, registers: Registers): void {
    getOrCreate(this.#next, from, () => new Set<number>()).add(to);
    this.#enter(to, registers);
  }

  #step(slot: number, insn: Insn, registers: Registers): void {
    const after = slot + insn.length / SLOT_SIZE;
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
      const to = target / SLOT_SIZE;
      if (isConditionalJump(insn)) {
        for (const branch of branches(insn, registers, { after, to })) {
          this.#continue(slot, branch.slot, branch.registers);
        }
        return;
      }
      if (insn.opcode === OPCODE.mayGoto) this.#continue(slot, after, registers);
      this.#continue(slot, to, registers);
      return;
    }
    const changed = registers.slice();
    apply(this.#code, slot, insn, changed);
    if (this.#code.unknown.has(slot) && insn.dstReg < REGISTERS) changed[insn.dstReg] = undefined;
    this.#continue(slot, after, changed);
    const callback = isLdImm64(insn) ? this.#code.callee(slot) : null;
    if (callback !== null) this.#enter(callback, unknownRegisters());
  }

  #call(slot: number, after: number, insn: Insn, registers: Registers): void {
    const isSubprogram = isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall;
    const callee = isSubprogram ? this.#code.callee(slot) : null;
    const returned = registers.slice();
    forgetScratch(returned);
    if (callee === null || this.#globals.has(callee)) {
      this.#continue(slot, after, returned);
      if (callee !== null) this.#enter(callee, unknownRegisters());
      return;
    }
    const passed = unknownRegisters();
    for (let i = FIRST_ARGUMENT; i < AFTER_ARGUMENTS; i++) passed[i] = registers[i];
    this.#enter(callee, passed);
    getOrCreate(this.#calls, callee, () => new Set<number>()).add(slot);
    if (!this.#results.has(callee)) return;
    returned[0] = this.#results.get(callee);
    this.#continue(slot, after, returned);
  }

  /** Notes that the function of `slot` returns `value` in r0, and visits the callers again. */
  #return(slot: number, value: Value | undefined): void {
    const start = startOf(this.#code, slot);
    const known = this.#results.get(start);
    if (this.#results.has(start) && (known === undefined || known === value)) return;
    this.#results.set(start, this.#results.has(start) ? undefined : value);
    append(this.#waiting, this.#calls.get(start) ?? []);
  }
}

/** Returns the first slot of the function of `slot`. */
export function startOf({ starts }: FlowCode, slot: number): number {
  return starts[upperBound(starts, slot) - 1] ?? 0;
}

function unknownRegisters(): Registers {
  return new Array<Value | undefined>(REGISTERS).fill(undefined);
}

/** Removes the values from `known` that differ in `more`. Returns true if any was removed. */
function joined(known: Registers, more: Registers): boolean {
  let changed = false;
  for (let i = 0; i < REGISTERS; i++) {
    if (known[i] === undefined || known[i] === more[i]) continue;
    known[i] = undefined;
    changed = true;
  }
  return changed;
}

type Branch = { readonly slot: number; readonly registers: Registers };

/** Returns the branches of a conditional jump that may be taken. */
function branches(
  insn: Insn,
  registers: Registers,
  { after, to }: { readonly after: number; readonly to: number },
): Branch[] {
  const isWide = insnClass(insn) === 'jmp';
  const left = scalar(registers[insn.dstReg]);
  const right = operand(insn, registers);
  const op = opOf(insn.opcode);
  const taken = left === undefined || right === undefined ? null : compare(op, left, right, isWide);
  /** Returns a branch's registers: on equality, the compared register has the known value, too. */
  const refined = (isEqual: boolean): Registers => {
    if (!isEqual || right === undefined || !isWide || insn.dstReg >= REGISTERS) return registers;
    return registers.with(insn.dstReg, right);
  };
  return [
    ...(taken === false ? [] : [{ slot: to, registers: refined(op === JMP_OP.jeq) }]),
    ...(taken === true ? [] : [{ slot: after, registers: refined(op === JMP_OP.jne) }]),
  ];
}

function scalar(value: Value | undefined): bigint | undefined {
  return typeof value === 'bigint' ? value : undefined;
}

/** Returns the second operand of an instruction: imm, or the known value of a register. */
function operand({ opcode, imm, srcReg }: Insn, registers: Registers): bigint | undefined {
  return sourceOf(opcode) === SOURCE.x
    ? scalar(registers[srcReg])
    : BigInt.asUintN(64, BigInt(imm));
}

function apply(code: FlowCode, slot: number, insn: Insn, registers: Registers): void {
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
      // An atomic operation may write the old value to its source register or to r0.
      if (modeOf(opcode) === MODE.atomic) {
        registers[srcReg] = undefined;
        registers[0] = undefined;
        registers[dstReg] = undefined;
      }
      break;
    case 'ld':
      // Loads of packet data write r0 and clobber r1 to r5, like a call.
      forgetScratch(registers);
  }
}

/** Returns the number that a load reads if the register has its address and the sizes agree. */
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

/** Makes r0 to r5 unknown: a call does not preserve them. */
function forgetScratch(registers: Registers): void {
  registers.fill(undefined, 0, 6);
}

function arithmetic(insn: Insn, registers: Registers): Value | undefined {
  const { opcode, dstReg, srcReg, off } = insn;
  const right = operand(insn, registers);
  const isMove = opOf(opcode) === ALU_OP.mov;
  const isWholeMove = isMove && off === 0 && insnClass(insn) === 'alu64';
  if (isWholeMove && sourceOf(opcode) === SOURCE.x) return registers[srcReg];
  const left = isMove ? 0n : scalar(registers[dstReg]);
  return left === undefined || right === undefined ? undefined : simpleResult(insn, left, right);
}
