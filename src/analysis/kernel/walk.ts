/**
 * Walks through a program as if it ran, with chosen values for the inputs that the verifier does not
 * know. What such a run reaches, the verifier reaches: it takes each branch that a run can take.
 * Where the verifier may know more than is known here, a path goes both ways and is in doubt.
 * Source: kernel/bpf/verifier.c: do_check, check_cond_jmp_op, check_helper_call.
 */
import { addTo, getOrCreate } from '#bytes/cache.ts';
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
import { CALL_SOURCE, JMP_OP, MODE, modeOf, OPCODE, opOf } from '#formats/bpf/opcodes.ts';
import { compare } from './arithmetic.ts';
import type { ReachCode, WalkedKfunc } from './flow.ts';
import { callbackOf, filledBy, HELPER, helperResult, onlyReads } from './helper-results.ts';
import { Inputs } from './inputs.ts';
import { bitsOf, PathData } from './path-data.ts';
import {
  type Cell,
  clobber,
  copyState,
  type Doubts,
  type Frame,
  forgetAbove,
  isAddress,
  isCertain,
  isNumber,
  isPointer,
  isVector,
  newFrame,
  pointer,
  type State,
  store,
  top,
  type Vector,
} from './path-state.ts';

/** Maximum number of instructions that all paths execute, and of paths that begin at one slot. */
const MAX_STEPS = 30_000;
/** A global function, whose result the verifier does not know. */
const GLOBAL: WalkedKfunc = { name: '', isNumber: true };
const MAX_PATHS = 24;
/** Instructions after which another path continues. */
const SLICE = 3000;
const MAX_FRAMES = 8;
/** Maximum number of paths to a trap that are kept. */
const MAX_ARRIVALS = 16;

/** Returns those of `traps` that the verifier certainly reaches. Traps do not end a path. */
export function certainTraps(code: ReachCode, traps: readonly number[]): ReadonlySet<number> {
  return new Walk(code, traps).run();
}

class Walk {
  readonly #code: ReachCode;
  readonly #insns = new Map<number, Insn | null>();
  readonly #inputs: Inputs;
  readonly #data: PathData;
  readonly #waiting: State[] = [];
  readonly #delayed: State[] = [];
  readonly #paths = new Map<number, number>();
  readonly #seen = new Set<number>();
  readonly #open: Set<number>;
  readonly #certain = new Set<number>();
  readonly #arrivals = new Map<number, Doubts[]>();
  readonly #globals: ReadonlySet<number>;
  #decisions = 0;
  #steps = 0;

  constructor(code: ReachCode, traps: readonly number[]) {
    this.#code = code;
    this.#inputs = new Inputs((slot) => this.#insnAt(slot));
    this.#data = new PathData(code, this.#inputs);
    this.#open = new Set(traps);
    this.#globals = new Set(code.entries);
  }

  run(): ReadonlySet<number> {
    const first = newFrame(0, null);
    first.registers[1] = pointer('context');
    this.#begin(0, first, new Map());
    while (this.#open.size > 0 && this.#steps < MAX_STEPS) {
      const state = this.#waiting.pop() ?? this.#delayed.shift();
      if (state === undefined) break;
      // A path to known code waits until no path leads to new code.
      if (this.#seen.has(state.slot) && this.#waiting.length > 0) this.#delayed.push(state);
      else this.#follow(state);
    }
    return this.#certain;
  }

  #insnAt(slot: number): Insn | null {
    const { bytes, endian } = this.#code;
    return getOrCreate(this.#insns, slot, () => decodeInsn(bytes, slot * SLOT_SIZE, endian));
  }

  #begin(slot: number, frame: Frame, doubts: Doubts): void {
    this.#add({ slot, frames: [frame], live: new Map(), packet: null, doubts });
  }

  #add(state: State): void {
    const count = this.#paths.get(state.slot) ?? 0;
    if (count >= MAX_PATHS) return;
    this.#paths.set(state.slot, count + 1);
    (this.#seen.has(state.slot) ? this.#delayed : this.#waiting).push(state);
  }

  #follow(state: State): void {
    for (let i = 0; i < SLICE; i++) {
      if (this.#steps++ > MAX_STEPS || this.#open.size === 0) return;
      const insn = this.#insnAt(state.slot);
      if (insn === null) return;
      this.#seen.add(state.slot);
      if (this.#open.has(state.slot)) this.#arrive(state);
      if (!this.#step(state, insn)) return;
    }
    this.#delayed.push(state);
  }

  #arrive({ slot, doubts }: State): void {
    const arrivals = this.#arrivals.get(slot)?.length ?? 0;
    if (arrivals >= MAX_ARRIVALS && doubts.size > 0) return;
    addTo(this.#arrivals, slot, doubts);
    if (!isCertain(this.#arrivals.get(slot) ?? [])) return;
    this.#certain.add(slot);
    this.#open.delete(slot);
  }

  /** Executes an instruction. Returns false if the path ends or goes on as other paths. */
  #step(state: State, insn: Insn): boolean {
    const { slot } = state;
    const after = slot + insn.length / SLOT_SIZE;
    const { registers } = top(state);
    if (isExit(insn)) return this.#exit(state);
    if (isCall(insn)) return this.#call(state, insn, after);
    if (insn.opcode === OPCODE.callx || insn.opcode === OPCODE.gotox) return false;
    const target = jumpTarget(insn);
    if (target !== null) {
      const to = target / SLOT_SIZE;
      if (isConditionalJump(insn)) return this.#branch(state, insn, { to, after });
      if (insn.opcode === OPCODE.mayGoto) this.#add({ ...copyState(state), slot: after });
      state.slot = to;
      return true;
    }
    state.slot = after;
    switch (insnClass(insn)) {
      case 'alu':
      case 'alu64':
        registers[insn.dstReg] = this.#data.arithmetic(state, insn);
        break;
      case 'ldx':
        registers[insn.dstReg] = this.#data.load(state, insn, slot);
        break;
      case 'st':
        this.#data.store(state, insn, BigInt.asUintN(64, BigInt(insn.imm)));
        break;
      case 'stx':
        if (modeOf(insn.opcode) === MODE.atomic) this.#data.atomic(state, insn, slot);
        else this.#data.store(state, insn, this.#data.read(state, insn.srcReg));
        break;
      case 'ld':
        if (isLdImm64(insn)) registers[insn.dstReg] = this.#data.loadNumber(slot);
        else {
          // A load of packet data gives a number, or ends the program.
          clobber(top(state));
          registers[0] = this.#inputs.create(slot, bitsOf(insn));
        }
        break;
      default:
        return false;
    }
    return true;
  }

  #exit(state: State): boolean {
    const done = state.frames.pop();
    const { returnTo } = done ?? { returnTo: null };
    const frame = state.frames.at(-1);
    if (done === undefined || returnTo === null || frame === undefined) return false;
    const result = done.registers[0];
    clobber(frame);
    const isLost =
      isPointer(result) && result.to === 'stack' && result.frame >= state.frames.length;
    frame.registers[0] = isLost ? undefined : result;
    state.slot = returnTo;
    return true;
  }

  #call(state: State, insn: Insn, after: number): boolean {
    const { slot } = state;
    const isFunction = insn.srcReg === CALL_SOURCE.pseudoCall;
    const callee = isFunction ? this.#code.callee(slot) : null;
    const helper = this.#code.helpers.get(slot);
    if (callee !== null && !this.#globals.has(callee)) {
      if (state.frames.length >= MAX_FRAMES) return false;
      const frame = newFrame(state.frames.length, after);
      for (let i = 1; i <= 5; i++) frame.registers[i] = this.#data.read(state, i);
      state.frames.push(frame);
      state.slot = callee;
      return true;
    }
    state.slot = after;
    if (helper === undefined) {
      this.#touchStack(state, null);
      clobber(top(state));
      if (callee !== null) this.#enterGlobal(callee, state.doubts);
      const kfunc = callee === null ? this.#code.kfuncs.get(slot) : GLOBAL;
      this.#setResult(state, kfunc, slot);
      return true;
    }
    const callback = callbackOf(helper);
    if (callback !== undefined) this.#enterCallback(state, helper, slot);
    if (!onlyReads(helper)) this.#touchStack(state, helper);
    const args = [1, 2, 3].map((register) => this.#data.read(state, register));
    clobber(top(state));
    this.#setHelperResult(state, { helper, args, slot });
    return true;
  }

  /** Sets r0 after a call of a kfunc or global function. */
  #setResult(state: State, kfunc: WalkedKfunc | undefined, slot: number): void {
    const { registers } = top(state);
    const { name = '', isNumber = false } = kfunc ?? {};
    // The verifier knows the range of what a lock returns.
    if (isNumber && !name.includes('_lock')) registers[0] = this.#inputs.create(slot, 64);
    else if (/^bpf_iter_\w+_next$/.test(name)) {
      // The verifier follows an iterator with a next element, and one without.
      const other = copyState(state);
      top(other).registers[0] = 0n;
      this.#add(other);
      registers[0] = pointer('object', null);
    } else registers[0] = undefined;
  }

  #setHelperResult(
    state: State,
    { helper, args, slot }: { helper: number; args: readonly Cell[]; slot: number },
  ): void {
    const { registers } = top(state);
    const result = helperResult(helper);
    switch (result.of) {
      case 'number':
        registers[0] = this.#inputs.create(slot, 64);
        break;
      case 'range': {
        const size = result.sizeRegister === null ? 0n : args[result.sizeRegister - 1];
        const most = typeof size === 'bigint' ? size : 0n;
        registers[0] = this.#inputs.create(slot, 64, {
          isPossible: (value) => value >= result.from && value <= most,
        });
        break;
      }
      case 'pointer': {
        if (result.mayBeNull) {
          const other = copyState(state);
          top(other).registers[0] = 0n;
          // Since 6.14, the verifier knows that an array has the element of a constant key.
          if (helper === HELPER.mapLookup && !isNoArray(args[0])) {
            other.doubts = new Map(other.doubts).set(this.#decisions++, true);
          }
          this.#add(other);
        }
        registers[0] = pointer(result.to, 0);
        break;
      }
      default:
        registers[0] = undefined;
    }
  }

  /** Forgets the stack that a call may write; null for a call of a function. */
  #touchStack(state: State, helper: number | null): void {
    const filled = helper === null ? null : filledBy(helper);
    for (const register of filled === null ? [1, 2, 3, 4, 5] : [filled[0]]) {
      const cell = this.#data.read(state, register);
      if (cell === undefined) {
        for (const frame of state.frames) frame.stack.clear();
      }
      if (!isPointer(cell) || cell.to !== 'stack') continue;
      const frame = state.frames[cell.frame];
      if (frame === undefined) continue;
      const size = filled !== null ? this.#data.read(state, filled[1]) : undefined;
      if (cell.off === null) frame.stack.clear();
      else if (typeof size === 'bigint' && size > 0n && size <= 512n) {
        store(frame, cell.off, Number(size), 'any');
      } else forgetAbove(frame, cell.off);
    }
  }

  #enterGlobal(callee: number, doubts: Doubts): void {
    this.#begin(callee, newFrame(0, null), doubts);
  }

  /** Adds the path into the function that a helper calls; it ends with the function. */
  #enterCallback(state: State, helper: number, slot: number): void {
    const callback = callbackOf(helper);
    if (callback === undefined || state.frames.length >= MAX_FRAMES) return;
    const address = this.#data.read(state, callback.register);
    if (typeof address !== 'object' || !('func' in address)) return;
    const entered = copyState(state);
    if (helper === HELPER.loop) {
      const count = this.#data.read(state, 1);
      if (count === 0n) return;
      if (typeof count !== 'bigint') {
        entered.doubts = isVector(count)
          ? entered.doubts
          : new Map(entered.doubts).set(this.#decisions++, true);
        if (isVector(count)) {
          const some = this.#data.live(state, count).filter((at) => count.results[at] !== 0n);
          if (some.length === 0) return;
          entered.live.set(count.input, some);
        }
      }
    }
    const frame = newFrame(state.frames.length, null);
    const args = callback.args.map((arg): Cell => {
      if (arg === 'number') return this.#inputs.create(slot, 64);
      return arg === 'map' ? { map: null } : pointer(arg, 0);
    });
    if (callback.context !== null) args.push(this.#data.read(state, callback.context));
    for (const [at, arg] of args.entries()) frame.registers[at + 1] = arg;
    entered.frames.push(frame);
    this.#add({ ...entered, slot: address.func });
  }

  #branch(state: State, insn: Insn, { to, after }: { to: number; after: number }): boolean {
    const left = this.#data.read(state, insn.dstReg);
    const right = this.#data.operand(state, insn);
    const op = opOf(insn.opcode);
    const isWide = insnClass(insn) === 'jmp';
    const slotOf = (isTaken: boolean) => (isTaken ? to : after);
    const holds = (a: bigint, b: bigint) => compare(op, a, b, isWide);
    if (typeof left === 'bigint' && typeof right === 'bigint') {
      const isTaken = holds(left, right);
      if (isTaken === null) return false;
      state.slot = slotOf(isTaken);
      return true;
    }
    const isEquality = op === JMP_OP.jeq || op === JMP_OP.jne;
    if (isAddress(left) && right === 0n && isWide && isEquality) {
      state.slot = slotOf(op === JMP_OP.jne);
      return true;
    }
    const compared = isWide ? this.#data.comparedPackets(state, left, right) : null;
    const [a, b] = compared ?? [left, right];
    if (isNumber(a) && isNumber(b)) return this.#split(state, [a, b], holds, slotOf);
    // The verifier may know an operand: both ways are in doubt.
    const isDoubtful = !isEquality || !this.#data.mayBeEqual(state, left, right, isWide);
    const decision = this.#decisions++;
    for (const isTaken of [true, false]) {
      const other = copyState(state);
      for (const cell of [left, right]) if (isVector(cell)) other.live.set(cell.input, []);
      if (isDoubtful) other.doubts = new Map(state.doubts).set(decision, isTaken);
      this.#add({ ...other, slot: slotOf(isTaken) });
    }
    return false;
  }

  /** Adds a path for each direction that some values of the inputs take. */
  #split(
    state: State,
    [left, right]: readonly [bigint | Vector, bigint | Vector],
    holds: (left: bigint, right: bigint) => boolean | null,
    slotOf: (isTaken: boolean) => number,
  ): boolean {
    const at = (cell: bigint | Vector, index: number) =>
      isVector(cell) ? (cell.results[index] ?? 0n) : cell;
    for (const isTaken of [true, false]) {
      const other = copyState(state);
      if (isVector(left) && isVector(right) && left.input !== right.input) {
        const pair = this.#pair(state, left, right, (a, b) => holds(a, b) === isTaken);
        if (pair === null) continue;
        other.live.set(left.input, [pair[0]]).set(right.input, [pair[1]]);
      } else {
        const vector = isVector(left) ? left : right;
        if (!isVector(vector)) return false;
        const some = this.#data
          .live(state, vector)
          .filter((index) => holds(at(left, index), at(right, index)) === isTaken);
        if (some.length === 0) continue;
        other.live.set(vector.input, some);
      }
      this.#add({ ...other, slot: slotOf(isTaken) });
    }
    return false;
  }

  #pair(
    state: State,
    left: Vector,
    right: Vector,
    isWanted: (left: bigint, right: bigint) => boolean,
  ): readonly [number, number] | null {
    for (const a of this.#data.live(state, left)) {
      for (const b of this.#data.live(state, right)) {
        if (isWanted(left.results[a] ?? 0n, right.results[b] ?? 0n)) return [a, b];
      }
    }
    return null;
  }
}

/** `BPF_MAP_TYPE_ARRAY`, `BPF_MAP_TYPE_PERCPU_ARRAY`. */
const ARRAYS: readonly number[] = [2, 6];

function isNoArray(cell: Cell): boolean {
  return (
    typeof cell === 'object' && 'map' in cell && cell.map !== null && !ARRAYS.includes(cell.map)
  );
}
