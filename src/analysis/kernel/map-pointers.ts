/**
 * Follows pointers to maps and into their values from where a program loads them to its calls:
 * through registers, the stack, lookups, tests for null, and static subprograms. Source:
 * kernel/bpf/verifier.c: check_helper_call, mark_ptr_or_null_regs.
 */
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
import { mapType } from './map-types.ts';
import type { KernelMap, KernelProgram } from './refusals.ts';

/** A pointer to a map, or into the value of an element. */
export type MapPointer = {
  readonly map: KernelMap;
  readonly isValue: boolean;
  /** Offset in the value in bytes; null if it differs between paths. 0 for a pointer to a map. */
  readonly offset: number | null;
  /** Slot of the lookup that returned the pointer; -1 for others. */
  readonly from: number;
  /** True until the program has tested the result of the lookup. */
  readonly mayBeNull: boolean;
};

/** Pointers by the number of the register (4 bits), and on the stack by offset from r10. */
type State = {
  readonly registers: readonly (MapPointer | undefined)[];
  readonly stack: ReadonlyMap<number, MapPointer>;
};

const REGISTERS = 16;
const NO_POINTERS: State = {
  registers: new Array<undefined>(REGISTERS).fill(undefined),
  stack: new Map(),
};
const FRAME = 10;
const FIRST_ARGUMENT = 1;
const AFTER_ARGUMENTS = 6;
/** Maximum number of steps. A program has at most a million instructions. */
const MAX_STEPS = 2_000_000;

/** Helpers that return a place in the value of the map in r1: lookups and storages. */
const LOOKUPS: ReadonlySet<number> = new Set([1, 81, 107, 145, 156, 195, 210]);
/** Helper get_local_storage, whose result is never null. */
const LOCAL_STORAGE = 81;

/** Returns the pointers in registers at each of `slots` that the program may reach. */
export function mapPointersAt(
  program: KernelProgram,
  slots: ReadonlySet<number>,
): ReadonlyMap<number, State['registers']> {
  const states = new Walk(program).run();
  const at = new Map<number, State['registers']>();
  for (const slot of slots) {
    const state = states?.get(slot);
    if (state !== undefined) at.set(slot, state.registers);
  }
  return at;
}

class Walk {
  readonly #program: KernelProgram;
  readonly #states = new Map<number, State>();
  readonly #waiting: number[] = [];

  constructor(program: KernelProgram) {
    this.#program = program;
  }

  /** Returns the state at each slot; null after too many steps, or at a jump to a register. */
  run(): ReadonlyMap<number, State> | null {
    const { bytes, endian, entries } = this.#program;
    for (const slot of [0, ...entries]) this.#enter(slot, NO_POINTERS);
    let steps = 0;
    for (let slot = this.#waiting.pop(); slot !== undefined; slot = this.#waiting.pop()) {
      const state = this.#states.get(slot);
      const insn = decodeInsn(bytes, slot * SLOT_SIZE, endian);
      if (state === undefined || insn === null) continue;
      if (steps++ > MAX_STEPS || insn.opcode === OPCODE.gotox) return null;
      this.#step(slot, insn, state);
    }
    return this.#states;
  }

  #enter(slot: number, state: State): void {
    if (slot < 0 || slot * SLOT_SIZE >= this.#program.bytes.length) return;
    const known = this.#states.get(slot);
    const joined = known === undefined ? state : joinedState(known, state);
    if (joined === known) return;
    this.#states.set(slot, joined);
    this.#waiting.push(slot);
  }

  #step(slot: number, insn: Insn, state: State): void {
    const after = slot + insn.length / SLOT_SIZE;
    if (isExit(insn)) return;
    if (isCall(insn) || insn.opcode === OPCODE.callx) {
      this.#call(slot, insn, state);
      this.#enter(after, this.#returned(slot, state));
      return;
    }
    const target = jumpTarget(insn);
    if (target === null) {
      this.#enter(after, this.#applied(slot, insn, state));
      // The function whose address is loaded is a callback with arguments of its own.
      if (isLdImm64(insn)) this.#enter(this.#program.callee(slot) ?? -1, NO_POINTERS);
      return;
    }
    const to = target / SLOT_SIZE;
    const tested = isConditionalJump(insn) ? nullTest(insn, state) : null;
    const [onJump, onFall] =
      tested === null
        ? [state, state]
        : tested.isNullOnJump
          ? [state, tested.state]
          : [tested.state, state];
    this.#enter(to, onJump);
    if (isConditionalJump(insn) || insn.opcode === OPCODE.mayGoto) this.#enter(after, onFall);
  }

  #call(slot: number, insn: Insn, { registers }: State): void {
    const isSubprogram = isCall(insn) && insn.srcReg === CALL_SOURCE.pseudoCall;
    const callee = isSubprogram ? this.#program.callee(slot) : null;
    if (callee === null) return;
    const isGlobal = this.#program.entries.includes(callee);
    const passed = registers.map((pointer, i) =>
      i >= FIRST_ARGUMENT && i < AFTER_ARGUMENTS ? pointer : undefined,
    );
    this.#enter(callee, isGlobal ? NO_POINTERS : { registers: passed, stack: new Map() });
  }

  /** Returns the state after a call: r0 is its result, r1 to r5 are lost. */
  #returned(slot: number, { registers, stack }: State): State {
    const helper = this.#program.helpers.get(slot);
    const pointer = registers[FIRST_ARGUMENT];
    const isLookup = helper !== undefined && LOOKUPS.has(helper) && pointer?.isValue === false;
    const result: MapPointer | undefined =
      isLookup && !hasInnerMaps(pointer.map)
        ? {
            map: pointer.map,
            isValue: true,
            offset: 0,
            from: slot,
            mayBeNull: helper !== LOCAL_STORAGE,
          }
        : undefined;
    const kept = registers.map((one, i) => (i < AFTER_ARGUMENTS ? undefined : one));
    kept[0] = result;
    return { registers: kept, stack };
  }

  #applied(slot: number, insn: Insn, state: State): State {
    const { opcode, dstReg, srcReg, off, imm } = insn;
    const { registers, stack } = state;
    const set = (pointer: MapPointer | undefined): State => {
      if (registers[dstReg] === pointer) return state;
      const changed = [...registers];
      changed[dstReg] = pointer;
      return { registers: changed, stack };
    };
    if (isLdImm64(insn)) return set(this.#loaded(slot));
    const isFrame = { load: srcReg === FRAME, store: dstReg === FRAME };
    switch (insnClass(insn)) {
      case 'alu64': {
        const op = opOf(opcode);
        if (op === ALU_OP.mov && sourceOf(opcode) === SOURCE.x && off === 0) {
          return set(registers[srcReg]);
        }
        const pointer = registers[dstReg];
        const isConstant = sourceOf(opcode) === SOURCE.k && pointer?.isValue === true;
        if (!isConstant || pointer.mayBeNull) return set(undefined);
        if (op !== ALU_OP.add && op !== ALU_OP.sub) return set(undefined);
        const step = op === ALU_OP.add ? imm : -imm;
        const offset = pointer.offset === null ? null : pointer.offset + step;
        return set({ ...pointer, offset });
      }
      case 'alu':
        return set(undefined);
      case 'ldx':
        return set(
          isFrame.load && modeOf(opcode) === MODE.mem && sizeOf(opcode) === SIZE.dw
            ? stack.get(off)
            : undefined,
        );
      case 'st':
        return isFrame.store ? { registers, stack: stored(stack, off, undefined) } : state;
      case 'stx': {
        if (modeOf(opcode) === MODE.atomic) {
          return { registers: registers.with(0, undefined).with(srcReg, undefined), stack };
        }
        const isWhole = sizeOf(opcode) === SIZE.dw;
        const pointer = isWhole ? registers[srcReg] : undefined;
        return isFrame.store ? { registers, stack: stored(stack, off, pointer) } : state;
      }
      default: {
        // Loads of packet data write r0 and lose r1 to r5, like a call.
        const kept = registers.map((one, i) => (i < AFTER_ARGUMENTS ? undefined : one));
        return { registers: kept, stack };
      }
    }
  }

  #loaded(slot: number): MapPointer | undefined {
    const map = this.#program.maps.get(slot);
    if (map === undefined) return undefined;
    const isValue = map.section !== '.maps';
    const offset = isValue ? (this.#program.offsets.get(slot) ?? null) : 0;
    return { map, isValue, offset, from: -1, mayBeNull: false };
  }
}

const MAPS_OF_MAPS = [mapType('ARRAY_OF_MAPS'), mapType('HASH_OF_MAPS')];
const hasInnerMaps = ({ type }: KernelMap) => MAPS_OF_MAPS.includes(type);

/** Returns a stack with a pointer at an offset; without one, the bytes there are overwritten. */
function stored(
  stack: ReadonlyMap<number, MapPointer>,
  offset: number,
  pointer: MapPointer | undefined,
): ReadonlyMap<number, MapPointer> {
  const isOther = (at: number) => at + 8 <= offset || offset + 8 <= at;
  const kept = [...stack].filter(([at]) => isOther(at));
  return new Map(pointer === undefined ? kept : [...kept, [offset, pointer]]);
}

/** Returns the state where a pointer is not null, for a comparison of it with 0; null for others. */
function nullTest(
  insn: Insn,
  state: State,
): { readonly state: State; readonly isNullOnJump: boolean } | null {
  const { opcode, dstReg, imm } = insn;
  const op = opOf(opcode);
  const pointer = state.registers[dstReg];
  const isTest = op === JMP_OP.jeq || op === JMP_OP.jne;
  const isWithZero = sourceOf(opcode) === SOURCE.k && imm === 0 && insnClass(insn) === 'jmp';
  if (!isTest || !isWithZero || pointer?.mayBeNull !== true) return null;
  const proven = <T extends MapPointer | undefined>(one: T) =>
    one?.from === pointer.from && one.mayBeNull ? { ...one, mayBeNull: false } : one;
  return {
    state: {
      registers: state.registers.map(proven),
      stack: new Map([...state.stack].map(([at, one]) => [at, proven(one)])),
    },
    isNullOnJump: op === JMP_OP.jeq,
  };
}

/** Returns what two paths have in common; `known` itself if that is all of it. */
function joinedState(known: State, more: State): State {
  let isSame = true;
  const common = (one: MapPointer | undefined, other: MapPointer | undefined) => {
    if (one === undefined) return undefined;
    const joined = joinedPointer(one, other);
    if (joined !== one) isSame = false;
    return joined;
  };
  const registers = known.registers.map((one, i) => common(one, more.registers[i]));
  const stack = new Map<number, MapPointer>();
  for (const [at, one] of known.stack) {
    const joined = common(one, more.stack.get(at));
    if (joined !== undefined) stack.set(at, joined);
  }
  return isSame ? known : { registers, stack };
}

function joinedPointer(one: MapPointer, other: MapPointer | undefined): MapPointer | undefined {
  if (other?.map !== one.map || other.isValue !== one.isValue) return undefined;
  if (other.offset !== one.offset) {
    if (one.offset !== null) return joinedPointer({ ...one, offset: null }, other);
    return joinedPointer(one, { ...other, offset: null });
  }
  if (other.from === one.from) return other.mayBeNull && !one.mayBeNull ? other : one;
  if (one.mayBeNull || other.mayBeNull) return undefined;
  return one.from < 0 ? one : { ...one, from: -1 };
}
