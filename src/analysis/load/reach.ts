/**
 * Whether the verifier comes to an instruction of a program, as far as constants decide it.
 *
 * Constants are followed through moves, arithmetic and comparisons, as the verifier follows
 * them; what comes from memory, helpers and the context is unknown. So an instruction that
 * is not reached here is dead code for the verifier too; one that every way leads to is reached
 * for certain; of all others nothing is said.
 *
 * Source: kernel/bpf/verifier.c: is_branch_taken, adjust_scalar_min_max_vals; of the operations
 * only those that give a constant for constants in every kernel since 5.10.
 */
import { upperBound } from '#bytes/binary-search.ts';
import { addTo } from '#bytes/keep.ts';
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
  SOURCE,
  sourceOf,
} from '#formats/bpf/opcodes.ts';

export type Reach = 'never' | 'perhaps' | 'certain';

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
  /** The constant that a ld_imm64 at a slot loads once it is relocated; null: an address, or not known. */
  readonly loaded: (slot: number) => bigint | null;
};

/** Registers 0 to 9; undefined = not known. */
type Registers = (bigint | undefined)[];

const SLOT = 8;
const REGISTERS = 10;
/** A program that the kernel takes has at most a million instructions; each is looked at a few times. */
const MOST_STEPS = 4_000_000;

/** The verdict for each slot of `asked`, which are instructions that end the program if they are reached. */
export function reachOf(code: ReachCode, asked: readonly number[]): Map<number, Reach> {
  const traps = new Set(asked);
  const states = statesOf(code, traps);
  const certain = states === null ? null : certainFunctions(code, states, traps);
  const verdict = (slot: number): Reach => {
    if (states === null || certain === null) return 'perhaps';
    if (!states.has(slot)) return 'never';
    return certain.get(startOf(code, slot)) === 'all' ? 'certain' : 'perhaps';
  };
  return new Map(asked.map((slot) => [slot, verdict(slot)]));
}

/** The slot at which the function of `slot` begins. */
function startOf({ starts }: ReachCode, slot: number): number {
  return starts[upperBound(starts, slot) - 1] ?? 0;
}

/** What is known at each slot that can be reached; null where there is too much to look at. */
function statesOf(code: ReachCode, traps: ReadonlySet<number>): Map<number, Registers> | null {
  const states = new Map<number, Registers>();
  const waiting: number[] = [];
  const enter = (slot: number, registers: Registers) => {
    if (slot < 0 || slot * SLOT >= code.bytes.length) return;
    const known = states.get(slot);
    if (known === undefined) {
      states.set(slot, registers.slice());
      waiting.push(slot);
    } else if (joined(known, registers)) waiting.push(slot);
  };
  for (const slot of [0, ...code.entries]) enter(slot, nothingKnown());
  let steps = 0;
  for (let slot = waiting.pop(); slot !== undefined; slot = waiting.pop()) {
    if (steps++ > MOST_STEPS) return null;
    if (traps.has(slot)) continue;
    const registers = states.get(slot);
    const insn = decodeInsn(code.bytes, slot * SLOT, code.endian);
    if (registers === undefined || insn === null) continue;
    // A jump by a table may go anywhere.
    if (insn.opcode === OPCODE.gotox) return null;
    for (const next of successors(code, slot, insn, registers)) enter(next.slot, next.registers);
  }
  return states;
}

function nothingKnown(): Registers {
  return new Array<bigint | undefined>(REGISTERS).fill(undefined);
}

/** Forgets in `known` what is otherwise in `more`; whether that was something. */
function joined(known: Registers, more: Registers): boolean {
  let changed = false;
  for (let i = 0; i < REGISTERS; i++) {
    if (known[i] === undefined || known[i] === more[i]) continue;
    known[i] = undefined;
    changed = true;
  }
  return changed;
}

/** The slots that every way from the start of a function to its exits leads through; `all` where no exit is reached. */
type Certain = ReadonlySet<number> | 'all';

/** Where the function goes on from a slot, calls stepped over. */
type NextOf = (slot: number) => number[];

/** Of the functions that are entered for certain: the program itself, and those with a call that is. */
function certainFunctions(
  code: ReachCode,
  states: ReadonlyMap<number, Registers>,
  traps: ReadonlySet<number>,
): ReadonlyMap<number, Certain> {
  const nextOf: NextOf = (slot) => {
    const registers = states.get(slot);
    const insn = decodeInsn(code.bytes, slot * SLOT, code.endian);
    if (registers === undefined || insn === null || traps.has(slot)) return [];
    const ways = successors(code, slot, insn, registers);
    return ways.filter((way) => !way.isCall).map((way) => way.slot);
  };
  const calls = new Map<number, number[]>();
  for (const at of states.keys()) {
    const callee = isCallAt(code, at) ? code.callee(at) : null;
    if (callee !== null && at < callee) addTo(calls, callee, at);
  }
  const certain = new Map<number, Certain>();
  // libbpf appends a subprogram behind what calls it first.
  for (const start of code.starts) {
    const isCalled = (calls.get(start) ?? []).some((at) => {
      const around = certain.get(startOf(code, at));
      return around === 'all' || around?.has(at) === true;
    });
    if (start === 0 || isCalled) certain.set(start, certainSlots(code, nextOf, start));
  }
  return certain;
}

/**
 * One way to an exit is found; what is certain is on it. Then the slots beside it are walked
 * once, from each slot of the way on: where they come back to it, those passed are not certain.
 */
function certainSlots(code: ReachCode, nextOf: NextOf, start: number): Certain {
  const way = wayToExit(code, nextOf, start);
  if (way === null) return 'all';
  const placeOf = new Map(way.map((slot, place) => [slot, place]));
  const certain = new Set<number>();
  const seen = new Set<number>();
  let furthest = 0;
  for (const [place, slot] of way.entries()) {
    if (furthest <= place) certain.add(slot);
    const waiting = nextOf(slot);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const back = placeOf.get(at);
      if (back !== undefined) furthest = Math.max(furthest, back);
      else if (!seen.has(at)) {
        seen.add(at);
        // Another exit: nothing behind this slot is certain.
        if (isExitAt(code, at)) furthest = way.length;
        waiting.push(...nextOf(at));
      }
    }
  }
  return certain;
}

/** Slots from `start` to the first exit that is found; null where none is reached. */
function wayToExit(code: ReachCode, nextOf: NextOf, start: number): readonly number[] | null {
  const cameFrom = new Map<number, number | null>([[start, null]]);
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isExitAt(code, at)) {
      const way: number[] = [];
      for (let step: number | null = at; step !== null; step = cameFrom.get(step) ?? null) {
        way.push(step);
      }
      return way.reverse();
    }
    for (const next of nextOf(at)) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      waiting.push(next);
    }
  }
  return null;
}

type Next = { readonly slot: number; readonly registers: Registers; readonly isCall: boolean };

function successors(code: ReachCode, slot: number, insn: Insn, registers: Registers): Next[] {
  const after = slot + insn.length / SLOT;
  const next = (to: number, known: Registers, call = false): Next => ({
    slot: to,
    registers: known,
    isCall: call,
  });
  if (isExit(insn)) return [];
  if (isCall(insn) || insn.opcode === OPCODE.callx) {
    const callee =
      isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall ? code.callee(slot) : null;
    const returned = registers.slice();
    forgetScratch(returned);
    const back = next(after, returned);
    return callee === null ? [back] : [back, next(callee, nothingKnown(), true)];
  }
  const target = jumpTarget(insn);
  if (insn.opcode === OPCODE.mayGoto && target !== null) {
    return [next(after, registers), next(target / SLOT, registers)];
  }
  if (target !== null && !isConditionalJump(insn)) return [next(target / SLOT, registers)];
  if (target !== null) return branches(insn, registers, { after, to: target / SLOT });
  const changed = registers.slice();
  apply(code, slot, insn, changed);
  const callback = isLdImm64(insn) ? code.callee(slot) : null;
  const ways = [next(after, changed)];
  return callback === null ? ways : [...ways, next(callback, nothingKnown(), true)];
}

function isCallAt(code: ReachCode, slot: number): boolean {
  return code.bytes[slot * SLOT] === OPCODE.call;
}

function isExitAt(code: ReachCode, slot: number): boolean {
  return code.bytes[slot * SLOT] === OPCODE.exit;
}

function branches(
  insn: Insn,
  registers: Registers,
  { after, to }: { readonly after: number; readonly to: number },
): Next[] {
  const isWide = insnClass(insn) === 'jmp';
  const left = registers[insn.dstReg];
  const right = operand(insn, registers);
  const op = opOf(insn.opcode);
  const taken = left === undefined || right === undefined ? null : compare(op, left, right, isWide);
  /** Where both are equal, one that is known tells the other. */
  const equal = (is: boolean): Registers => {
    if (!is || right === undefined || !isWide || insn.dstReg >= REGISTERS) return registers;
    const refined = registers.slice();
    refined[insn.dstReg] = right;
    return refined;
  };
  const ways: Next[] = [];
  const way = (slot: number, known: Registers) =>
    ways.push({ slot, registers: known, isCall: false });
  if (taken !== false) way(to, equal(op === JMP_OP.jeq));
  if (taken !== true) way(after, equal(op === JMP_OP.jne));
  return ways;
}

/** The second operand: imm, or what is known of a register. */
function operand({ opcode, imm, srcReg }: Insn, registers: Registers): bigint | undefined {
  return sourceOf(opcode) === SOURCE.x ? registers[srcReg] : BigInt.asUintN(64, BigInt(imm));
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
      registers[dstReg] = undefined;
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

/** r0 to r5, which no call keeps. */
function forgetScratch(registers: Registers): void {
  registers.fill(undefined, 0, 6);
}

function arithmetic(insn: Insn, registers: Registers): bigint | undefined {
  const { opcode, dstReg, off } = insn;
  const bits = insnClass(insn) === 'alu64' ? 64 : 32;
  const right = operand(insn, registers);
  const op = opOf(opcode);
  // Moves with sign extension, and signed division, are told by off.
  if (off !== 0 || right === undefined) return undefined;
  if (op === ALU_OP.mov) return BigInt.asUintN(bits, right);
  const left = registers[dstReg];
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
