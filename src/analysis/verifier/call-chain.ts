/** Finds the calls between functions of a program that are too many, or need too much stack together. */
import type { Blame } from './blame.ts';
import type { Message } from './message.ts';
import type { LoadedCode } from './program-codes.ts';
import type { Walk } from './walk.ts';

const SLOT_SIZE = 8;
const LD_IMM64 = 0x18;
const CALL = 0x85;
/** Source register of a call of a function of the program, and of the address of a callback. */
const PSEUDO_CALL = 1;
const PSEUDO_FUNC = 4;

/**
 * Returns the instructions that call from function to function in a chain of `count` functions, in
 * order: those of the walk, else the only call of the program itself in `code`.
 * Of several chains in the walk the one that uses the most stack. Empty if the calls are not known.
 * Source: kernel/bpf/verifier.c, check_max_stack_depth_subprog().
 */
function callChain(walk: Walk, count: number, code: LoadedCode | null): readonly number[] {
  const calls = walkedCalls(walk, count);
  if (calls.length > 0) return calls;
  const [only, other] = code === null ? [] : callsIn(mainOf(code));
  return only === undefined || other !== undefined || count !== 2 ? [] : [only];
}

/** Returns the code of the program itself, without its subprograms. */
function mainOf({ bytes, parts }: LoadedCode): Uint8Array {
  const next = parts[1]?.insnOff;
  return next === undefined ? bytes : bytes.subarray(0, next * SLOT_SIZE);
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

/** Returns the first two instructions that call a function of the program, or take its address. */
function callsIn(code: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let slot = 0; (slot + 1) * SLOT_SIZE <= code.length && found.length < 2; slot++) {
    const [opcode = 0, registers = 0] = code.subarray(slot * SLOT_SIZE, (slot + 1) * SLOT_SIZE);
    const source = registers >> 4;
    if (opcode === CALL && source === PSEUDO_CALL) found.push(slot);
    if (opcode !== LD_IMM64) continue;
    if (source === PSEUDO_FUNC) found.push(slot);
    slot++;
  }
  return found;
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
