/** Finds the calls between functions of a program that are too many, or need too much stack together. */
import {
  decodeInsn,
  type Insn,
  insnClass,
  insnOffsets,
  isCall,
  isLdImm64,
  SLOT_SIZE,
} from '#formats/bpf/insn.ts';
import { CALL_SOURCE, IMM64_SOURCE } from '#formats/bpf/opcodes.ts';
import type { Blame } from './blame.ts';
import type { Message } from './message.ts';
import type { LoadedCode } from './program-codes.ts';
import type { Walk } from './walk.ts';

/**
 * Returns the instructions that call from function to function in a chain of `count` functions, in
 * order: those of the walk, else those of `code`. Of several chains the one that uses the most
 * stack. Empty if the calls are not known. Source: kernel/bpf/verifier.c,
 * check_max_stack_depth_subprog().
 */
function callChain(walk: Walk, count: number, code: LoadedCode | null): readonly number[] {
  const calls = walkedCalls(walk, count);
  return calls.length > 0 || code === null ? calls : codedCalls(code, count);
}

/** A function that is running: the call that entered it, and the stack of it and its callers. */
type Frame = { readonly calls: readonly number[]; readonly above: number; used: number };

function walkedCalls(walk: Walk, count: number): readonly number[] {
  const open: Frame[] = [];
  let best: { readonly calls: readonly number[]; readonly size: number } | null = null;
  for (let step = 0; step < walk.stepCount; step++) {
    const depth = walk.frameOf(step);
    if (depth >= MAX_FRAMES) return [];
    open.length = Math.min(open.length, depth + 1);
    const parent = walk.parentOf(step);
    while (open.length <= depth) {
      const caller = open.at(-1);
      const call = parent === null ? [] : [walk.insnOf(parent)];
      const above = caller === undefined ? 0 : caller.above + caller.used;
      open.push({ calls: caller === undefined ? [] : [...caller.calls, ...call], above, used: 0 });
    }
    const frame = open[depth];
    if (frame === undefined) continue;
    const mem = walk.textOf(step)?.mem ?? null;
    if (mem?.base === 10) frame.used = Math.max(frame.used, -mem.off);
    const size = frame.above + frame.used;
    if (frame.calls.length === count - 1 && size > (best?.size ?? -1)) {
      best = { calls: frame.calls, size };
    }
  }
  return best?.calls ?? [];
}

/** Functions on a chain: MAX_CALL_FRAMES, and one more of a program that has too many. */
const MAX_FRAMES = 16;

/** A call of a function of the program, directly or as a callback. */
type FunctionCall = { readonly insn: number; readonly target: number };

/** A function of the program: its calls in order, and the bytes of its stack. */
type CodedFunction = {
  readonly calls: readonly FunctionCall[];
  readonly stack: number;
};

/** Chains of calls that are compared. */
const MAX_CHAINS = 100_000;

function codedCalls(code: LoadedCode, count: number): readonly number[] {
  const functions = functionsIn(code);
  const calls: number[] = [];
  let found: readonly number[] = [];
  let largest = -1;
  let left = MAX_CHAINS;
  const follow = (start: number, above: number): void => {
    const func = functions.get(start);
    if (func === undefined || --left < 0) return;
    const size = above + func.stack;
    if (calls.length === count - 1) {
      if (size > largest) found = [...calls];
      largest = Math.max(size, largest);
      return;
    }
    for (const { insn, target } of func.calls) {
      calls.push(insn);
      follow(target, size);
      calls.pop();
    }
  };
  if (count > 1 && count <= MAX_FRAMES) follow(0, 0);
  return found;
}

/** Returns the functions of a program by their first instruction. */
function functionsIn({ bytes, endian, externs }: LoadedCode): ReadonlyMap<number, CodedFunction> {
  const insns = Array.from(insnOffsets(bytes, endian), (at) => decodeInsn(bytes, at, endian));
  const known = insns.filter((insn) => insn !== null);
  const calls = callsIn(known, externs);
  const starts = new Set([0, ...calls.map(({ target }) => target)]);
  const insnsOf = new Map<number, Insn[]>();
  let own: Insn[] = [];
  for (const insn of known) {
    const slot = insn.offset / SLOT_SIZE;
    if (starts.has(slot)) {
      own = [];
      insnsOf.set(slot, own);
    }
    own.push(insn);
  }
  return new Map(
    [...insnsOf].map(([start, each]) => [
      start,
      { calls: callsIn(each, externs), stack: stackOf(each) },
    ]),
  );
}

/**
 * Functions of the kernel that call their callback later, whose stack is apart. Source:
 * kernel/bpf/verifier.c, is_async_callback_calling_function() and is_async_callback_calling_kfunc().
 */
const ASYNC_HELPER = 170; // bpf_timer_set_callback
const ASYNC_KFUNC = /^bpf_(?:wq_set_callback|task_work_schedule_)/;

/** Returns the calls of functions; that of a callback is the call of the function that takes it. */
function callsIn(
  insns: readonly Insn[],
  externs: ReadonlyMap<number, string>,
): readonly FunctionCall[] {
  const found: FunctionCall[] = [];
  let callbacks: number[] = [];
  for (const insn of insns) {
    const slot = insn.offset / SLOT_SIZE;
    const target = slot + 1 + insn.imm;
    if (isLdImm64(insn) && insn.srcReg === IMM64_SOURCE.func) callbacks.push(target);
    if (!isCall(insn)) continue;
    if (insn.srcReg === CALL_SOURCE.pseudoCall) found.push({ insn: slot, target });
    else {
      const isLater =
        insn.srcReg === CALL_SOURCE.helper
          ? insn.imm === ASYNC_HELPER
          : ASYNC_KFUNC.test(externs.get(slot) ?? '');
      for (const callback of isLater ? [] : callbacks) found.push({ insn: slot, target: callback });
      callbacks = [];
    }
  }
  return found;
}

/** Returns the bytes of the stack that a function uses, by the constants that it adds to R10. */
function stackOf(insns: readonly Insn[]): number {
  let lowest = 0;
  /** Registers with a copy of R10. */
  const copies = new Set<number>();
  for (const insn of insns) {
    const { opcode, dstReg, srcReg, off, imm } = insn;
    const base = insnClass(insn) === 'ldx' ? srcReg : dstReg;
    if (isMemory(insn)) {
      if (base === FRAME_POINTER) lowest = Math.min(lowest, off);
      if (insnClass(insn) === 'ldx') copies.delete(dstReg);
    } else if (opcode === ADD_K && copies.has(dstReg)) lowest = Math.min(lowest, imm);
    else if (opcode === MOV_X && srcReg === FRAME_POINTER) copies.add(dstReg);
    else copies.delete(dstReg);
  }
  return -lowest;
}

const FRAME_POINTER = 10;
/** Opcodes of `rX += imm` and `rX = rY` of class alu64. */
const ADD_K = 0x07;
const MOV_X = 0xbf;

function isMemory(insn: Insn): boolean {
  const name = insnClass(insn);
  return name === 'ldx' || name === 'st' || name === 'stx';
}

/**
 * Returns the last call of a chain of functions that is too deep, or whose stack is too large; null
 * for other messages.
 */
export function stackBlame(
  { rule, format, values }: Message,
  walk: Walk,
  code: LoadedCode | null,
): Blame | null {
  if (rule === 'call-depth') return depthBlame(walk);
  if (rule !== 'stack-size' || !format.startsWith('combined')) return null;
  const chain = callChain(walk, Number(values[0]), code);
  const insn = chain.at(-1) ?? null;
  return insn === null ? null : { register: null, insn, chain, steps: [], why: 'none' };
}

/** Returns the call that is one too many; `changed` if the chain to it has the call before. */
function depthBlame(walk: Walk): Blame | null {
  const last = walk.stepCount - 1;
  const insn = last < 0 ? null : walk.insnOf(last);
  if (insn === null || walk.textOf(last)?.form !== 'call') return null;
  const steps: number[] = [last];
  let depth = walk.frameOf(last);
  for (let at: number | null = last; at !== null && depth > 0; at = walk.parentOf(at)) {
    if (walk.frameOf(at) >= depth) continue;
    depth = walk.frameOf(at);
    steps.unshift(at);
  }
  const calls = steps.map((at) => walk.insnOf(at));
  const isRecursive = calls.indexOf(insn) < calls.length - 1;
  const chain = [...new Set(calls)];
  return { register: null, insn, chain, steps, why: isRecursive ? 'changed' : 'born' };
}
