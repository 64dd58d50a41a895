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
import type { Endian } from '#bytes/span.ts';
import {
  decodeInsn,
  type Insn,
  isCall,
  isConditionalJump,
  isExit,
  isLdImm64,
  jumpTarget,
} from '#formats/bpf/insn.ts';
import { CALL_SOURCE } from '#formats/bpf/opcodes.ts';

export type Reach = 'never' | 'perhaps' | 'certain';

/** A program as the kernel gets it, in one piece: bytes count from its start. */
export type ReachCode = {
  readonly bytes: Uint8Array;
  readonly endian: Endian;
  /** Slots at which subprograms begin; the program itself begins at 0. */
  readonly starts: readonly number[];
  /** Slots of subprograms that are verified whether they are called or not: global ones, and the exception callback. */
  readonly entries: readonly number[];
  /** The slot that the call at a slot goes to, or the function whose address is loaded there. */
  readonly callee: (slot: number) => number | null;
  /** The constant that a ld_imm64 at a slot loads once it is relocated; null: an address, or not known. */
  readonly loaded: (slot: number, insn: Insn) => bigint | null;
};

/** Registers 0 to 9; undefined = not known. */
type Registers = (bigint | undefined)[];

const SLOT = 8;
const GOTOX = 0x0d;
const REGISTERS = 10;
/** A program that the kernel takes has at most a million instructions; each is looked at a few times. */
const MOST_STEPS = 4_000_000;

/** The verdict for each slot of `asked`, which are instructions that end the program if they are reached. */
export function reachOf(code: ReachCode, asked: readonly number[]): Map<number, Reach> {
  const traps = new Set(asked);
  const reached = statesOf(code, traps);
  const verdicts = new Map<number, Reach>();
  for (const slot of asked) {
    if (reached === null) verdicts.set(slot, 'perhaps');
    else if (!reached.has(slot)) verdicts.set(slot, 'never');
    else verdicts.set(slot, leadsThrough(code, reached, slot) ? 'certain' : 'perhaps');
  }
  return verdicts;
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
    if (insn.opcode === GOTOX) return null;
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

/** Does every way from the start to an exit lead through `slot`? Only ways that can be taken count. */
function leadsThrough(
  code: ReachCode,
  states: ReadonlyMap<number, Registers>,
  slot: number,
): boolean {
  const start = code.starts.findLast((each) => each <= slot) ?? 0;
  const from = start === 0 || start > slot ? 0 : start;
  const seen = new Set<number>([from]);
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === slot) continue;
    const registers = states.get(at);
    const insn = decodeInsn(code.bytes, at * SLOT, code.endian);
    if (registers === undefined || insn === null) continue;
    if (isExit(insn)) return false;
    for (const { slot: next, isCall: call } of successors(code, at, insn, registers)) {
      if (call || seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  if (from === 0) return true;
  // A subprogram is reached for certain where one of its calls is.
  return [...states.keys()].some(
    (at) =>
      isCallAt(code, at) && code.callee(at) === from && at < from && leadsThrough(code, states, at),
  );
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
  if (isCall(insn)) {
    const callee = insn.srcReg === CALL_SOURCE.pseudoCall ? code.callee(slot) : null;
    const returned = registers.slice();
    for (let i = 0; i <= 5; i++) returned[i] = undefined;
    const back = next(after, returned);
    return callee === null ? [back] : [back, next(callee, nothingKnown(), true)];
  }
  const target = jumpTarget(insn);
  if (target !== null && !isConditionalJump(insn)) return [next(target / SLOT, registers)];
  if (target !== null) return branches(insn, registers, { after, to: target / SLOT });
  const changed = registers.slice();
  apply(code, slot, insn, changed);
  const callback = isLdImm64(insn) ? code.callee(slot) : null;
  const ways = [next(after, changed)];
  return callback === null ? ways : [...ways, next(callback, nothingKnown(), true)];
}

function isCallAt(code: ReachCode, slot: number): boolean {
  const insn = decodeInsn(code.bytes, slot * SLOT, code.endian);
  return insn !== null && isCall(insn);
}

const JMP_CLASS = 5;
const JMP32_CLASS = 6;

function branches(
  insn: Insn,
  registers: Registers,
  { after, to }: { readonly after: number; readonly to: number },
): Next[] {
  const isWide = (insn.opcode & 7) === JMP_CLASS;
  const left = registers[insn.dstReg];
  const fromRegister = (insn.opcode & 8) !== 0;
  const right = fromRegister ? registers[insn.srcReg] : BigInt.asUintN(64, BigInt(insn.imm));
  const op = insn.opcode >> 4;
  const taken = left === undefined || right === undefined ? null : compare(op, left, right, isWide);
  const known = (equal: boolean): Registers => {
    if (!equal || right === undefined || !isWide || insn.dstReg >= REGISTERS) return registers;
    const refined = registers.slice();
    refined[insn.dstReg] = right;
    return refined;
  };
  const ways: Next[] = [];
  const isConditional = JUMPS.has(op) && ((insn.opcode & 7) === JMP32_CLASS || isWide);
  if (taken !== false)
    ways.push({ slot: to, registers: known(op === JEQ && isConditional), isCall: false });
  if (taken !== true)
    ways.push({ slot: after, registers: known(op === JNE && isConditional), isCall: false });
  return ways;
}

const JEQ = 1;
const JNE = 5;
/** JEQ, JGT, JGE, JSET, JNE, JSGT, JSGE, JLT, JLE, JSLT, JSLE. */
const JUMPS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13]);

function compare(op: number, left: bigint, right: bigint, isWide: boolean): boolean | null {
  const bits = isWide ? 64 : 32;
  const [a, b] = [BigInt.asUintN(bits, left), BigInt.asUintN(bits, right)];
  const [s, t] = [BigInt.asIntN(bits, left), BigInt.asIntN(bits, right)];
  switch (op) {
    case JEQ:
      return a === b;
    case 2:
      return a > b;
    case 3:
      return a >= b;
    case 4:
      return (a & b) !== 0n;
    case JNE:
      return a !== b;
    case 6:
      return s > t;
    case 7:
      return s >= t;
    case 10:
      return a < b;
    case 11:
      return a <= b;
    case 12:
      return s < t;
    case 13:
      return s <= t;
    default:
      return null;
  }
}

const ALU64_CLASS = 7;
const ALU32_CLASS = 4;
const LDX_CLASS = 1;
const STX_CLASS = 3;

function apply(code: ReachCode, slot: number, insn: Insn, registers: Registers): void {
  const { opcode, dstReg, srcReg } = insn;
  if (isLdImm64(insn)) {
    registers[dstReg] = code.loaded(slot, insn) ?? undefined;
    return;
  }
  switch (opcode & 7) {
    case ALU64_CLASS:
    case ALU32_CLASS:
      registers[dstReg] = arithmetic(insn, registers);
      break;
    case LDX_CLASS:
      registers[dstReg] = undefined;
      break;
    case STX_CLASS:
      // An atomic operation may fetch into its source, or into r0.
      if (opcode >> 5 === 6) {
        registers[srcReg] = undefined;
        registers[0] = undefined;
        registers[dstReg] = undefined;
      }
      break;
    case 0:
      // Loads of packets give r0, and clobber r1 to r5 as a call does.
      for (let i = 0; i <= 5; i++) registers[i] = undefined;
      break;
    default:
  }
}

function arithmetic(insn: Insn, registers: Registers): bigint | undefined {
  const { opcode, dstReg, srcReg, imm, off } = insn;
  const isWide = (opcode & 7) === ALU64_CLASS;
  const bits = isWide ? 64 : 32;
  const right = (opcode & 8) !== 0 ? registers[srcReg] : BigInt.asUintN(64, BigInt(imm));
  const op = opcode >> 4;
  // Moves with sign extension, and signed division, are told by off.
  if (off !== 0 || right === undefined) return undefined;
  if (op === 11) return BigInt.asUintN(bits, right);
  const left = registers[dstReg];
  if (left === undefined) return undefined;
  const shift = right & BigInt(bits - 1);
  const value = BigInt.asUintN(bits, left);
  switch (op) {
    case 0:
      return BigInt.asUintN(bits, left + right);
    case 1:
      return BigInt.asUintN(bits, left - right);
    case 2:
      return BigInt.asUintN(bits, left * right);
    case 4:
      return BigInt.asUintN(bits, left | right);
    case 5:
      return BigInt.asUintN(bits, left & right);
    case 6:
      return BigInt.asUintN(bits, value << shift);
    case 7:
      return value >> shift;
    case 10:
      return BigInt.asUintN(bits, left ^ right);
    case 12:
      return BigInt.asUintN(bits, BigInt.asIntN(bits, left) >> shift);
    default:
      return undefined;
  }
}
