/**
 * The state of the verifier before and after each step. From Linux 5.17 on a log has the whole
 * state only where a path starts, and elsewhere what an instruction read or changed: the value of a
 * register is in the latest line on the path that has it.
 */
import { memoized } from '#bytes/cache.ts';
import type { State, Value } from '#formats/verifier-log/line.ts';
import { type CallEffect, endsValue, mayEnd } from './ended-values.ts';
import { isNullable, keyOf } from './values.ts';
import type { Walk } from './walk.ts';

/** Steps between two states of a path that are kept for good. */
const CHECKPOINT = 4096;
/** Largest number of other states that are kept. */
const MAX_KEPT = 4096;
/** Largest number of lines that are read for the stack slots of one state. */
const MAX_STACK_LINES = 20_000;
const ALL_REGISTERS = 0x7ff;
const FP = new TextEncoder().encode('fp');

const NO_STATE: State = {
  frame: 0,
  regs: new Map(),
  stack: new Map(),
  refs: [],
  flags: [],
  isFull: false,
};

/** What a step's instruction has in its line: registers as bits, and stack slots. */
type Mentions = {
  /** Registers that it reads, writes or clobbers. */
  readonly registers: number;
  /** Registers that have a new value, or none, after it. */
  readonly written: number;
  /** Slot of the frame's own stack that a load or store names; else null. */
  readonly slot: string | null;
  readonly isStore: boolean;
  /** It may have a slot that its text does not name: a call, or memory over another pointer. */
  readonly hasOtherSlots: boolean;
};

type Found = { readonly value: Value; readonly step: number };

/** Returns the states of a walk: all who ask share those that were read. */
export const statesOf = memoized((walk: Walk) => new StepStates(walk));

/** Reads states of the steps of one walk; keeps those that were read last. */
export class StepStates {
  readonly #walk: Walk;
  /** States before steps. */
  readonly #kept = new Map<number, State>();
  readonly #checkpoints = new Map<number, State>();
  readonly #mentions = new Map<number, Mentions>();

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /**
   * Returns the state before a step. `isFull` is false if the log does not have all of it: only
   * what is known is in it.
   */
  before(step: number): State {
    let state = this.#keptBefore(step);
    if (state === undefined) {
      this.#makeCheckpoints(step);
      const entry = this.entryOf(step);
      state = isWhole(entry)
        ? entry
        : this.#add(entry, this.#search(this.#walk.parents[step] ?? -1));
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(step, state);
    }
    return state;
  }

  #keptBefore(step: number): State | undefined {
    return this.#kept.get(step) ?? this.#checkpoints.get(step);
  }

  /** Keeps the states before some steps of a long path, the first ones first. */
  #makeCheckpoints(step: number): void {
    const { parents } = this.#walk;
    const open: number[] = [];
    for (let at = parents[step] ?? -1; at >= 0; at = parents[at] ?? -1) {
      if (this.#checkpoints.has(at) || isWhole(this.entryOf(at))) break;
      if (at % CHECKPOINT === 0) open.push(at);
    }
    for (const at of open.reverse()) {
      const state = this.#search(parents[at] ?? -1);
      this.#checkpoints.set(at, this.#add(this.entryOf(at), state));
    }
  }

  /** Returns the state after a step: before the next step on the same path. */
  after(step: number): State {
    const next = step + 1;
    if (this.#walk.parents[next] === step && this.#walk.edgeOf(next) === 'next') {
      return this.before(next);
    }
    return this.#search(step);
  }

  /** Returns the value of a register before a step; undefined if the log does not have it. */
  registerBefore(step: number, register: number): Value | undefined {
    const kept = this.#keptBefore(step);
    if (kept !== undefined) return kept.regs.get(`R${register}`);
    const found = this.#latest(step, register);
    if (found === null) return undefined;
    const last = this.#walk.parents[step] ?? -1;
    return this.#current(new Map([['', found]]), last).get('');
  }

  /** Returns the value of a register after a step; undefined if the log does not have it. */
  registerAfter(step: number, register: number): Value | undefined {
    const next = step + 1;
    if (this.#walk.parents[next] === step && this.#walk.edgeOf(next) === 'next') {
      return this.registerBefore(next, register);
    }
    return this.changesOf(step)?.regs.get(`R${register}`);
  }

  /** Returns what the line of a step says that the step used or changed; null without a state. */
  changesOf(step: number): State | null {
    const at = this.#walk.lines[step] ?? 0;
    const line = this.#walk.table.line(at);
    if (line.class !== 'insn' || line.stateAt !== null) return null;
    if (line.state !== null) return line.state;
    // A call that changed no register, and after which no reference is held, has only the mark.
    return this.#walk.table.textOf(at).trimEnd().endsWith(';') ? NO_STATE : null;
  }

  /** Returns the call between two steps of a path that took `value` away, or null. */
  endBetween(writer: number, user: number, value: Value): number | null {
    if (!mayEnd(value)) return null;
    const { parents } = this.#walk;
    for (let at = parents[user] ?? -1; at > writer; at = parents[at] ?? -1) {
      if (endsValue(this.#effectOf(at), value)) return at;
    }
    return null;
  }

  /** Returns what a call takes away; null if the step is none. */
  #effectOf(step: number): CallEffect | null {
    const call = this.#walk.textOf(step)?.call ?? null;
    if (call === null) return null;
    const held = (id: number): boolean => {
      const state = this.#printedAfter(step);
      return state === null || state.refs.includes(id);
    };
    return { name: call.name, isHeldAfter: held, isHeldBefore: (id) => this.#heldBefore(step, id) };
  }

  /** State that the log has after a step: on its line, or up to Linux 6.0 on one of its own. */
  #printedAfter(step: number): State | null {
    const next = step + 1;
    const isNext = this.#walk.parents[next] === step && this.#walk.edgeOf(next) === 'next';
    return this.changesOf(step) ?? (isNext ? this.entryOf(next) : null);
  }

  /** True if the latest line with a state before a step lists a reference. */
  #heldBefore(step: number, id: number): boolean {
    const { parents } = this.#walk;
    for (let at = parents[step] ?? -1; at >= 0; at = parents[at] ?? -1) {
      const state = this.#printedAfter(at);
      if (state !== null) return state.refs.includes(id);
    }
    return false;
  }

  /** Returns the state that the log has before a step: whole, or the changes of the step before. */
  entryOf(step: number): State | null {
    const at = this.#walk.entryLines[step] ?? -1;
    if (at < 0) return null;
    const line = this.#walk.table.line(at);
    const state =
      line.class === 'state' || line.class === 'from-to' || line.class === 'insn'
        ? line.state
        : null;
    return isWhole(state) ? { ...state, isFull: true } : state;
  }

  #add(entry: State | null, state: State): State {
    if (entry === null) return state;
    return {
      ...state,
      regs: new Map([...state.regs, ...entry.regs]),
      stack: new Map([...state.stack, ...entry.stack]),
      refs: entry.refs,
    };
  }

  /** Returns the state after `last`, from the latest lines of its path that have each value. */
  #search(last: number): State {
    const { parents } = this.#walk;
    const registers = new Map<string, Found>();
    const slots = new Map<string, Found>();
    const dropped = new Set<string>();
    let missing = ALL_REGISTERS;
    let head: Pick<State, 'refs' | 'flags'> | null = null;
    let isFull = false;
    let linesLeft = MAX_STACK_LINES;

    const take = (state: State, step: number): void => {
      head ??= state;
      for (const [name, value] of state.regs) {
        const bit = 1 << Number(name.slice(1));
        if ((missing & bit) !== 0) registers.set(name, { value, step });
        missing &= ~bit;
      }
      for (const [name, value] of state.stack) {
        if (!slots.has(name) && !dropped.has(name)) slots.set(name, { value, step });
      }
    };

    for (let at = last; at >= 0; at = parents[at] ?? -1) {
      const mentions = this.#mentionsOf(at);
      const isWanted = (mentions.registers & missing) !== 0 || head === null;
      const { slot } = mentions;
      const isNewSlot = slot !== null && !slots.has(slot) && !dropped.has(slot);
      const isOther = mentions.hasOtherSlots && linesLeft-- > 0 && this.#namesSlot(at);
      if (isWanted || isNewSlot || isOther) {
        const changes = this.changesOf(at);
        if (changes !== null) take(changes, at);
        missing &= ~mentions.written;
        if (mentions.isStore && slot !== null) dropped.add(slot);
      }
      const kept = this.#keptBefore(at);
      const known = kept ?? this.entryOf(at);
      // The step itself may take values away that there were before it.
      if (known !== null) take(known, at - 1);
      if (known !== null && (kept !== undefined || isWhole(known))) {
        isFull = known.isFull;
        break;
      }
    }
    return {
      frame: this.#walk.frameOf(last),
      regs: this.#current(registers, last),
      stack: this.#current(slots, last),
      refs: (head as State | null)?.refs ?? [],
      flags: (head as State | null)?.flags ?? [],
      isFull: isFull && linesLeft > 0,
    };
  }

  /** Leaves out values that a call took away; a check for NULL is one of all copies. */
  #current(found: ReadonlyMap<string, Found>, last: number): Map<string, Value> {
    const values = new Map<string, Value>();
    for (const [name, { value, step }] of found) {
      if (mayEnd(value) && this.#isEnded(value, step, last)) continue;
      if (isNullable(value.type)) values.set(name, this.#checked(value, step, last));
      else if (value.type.startsWith('pkt')) values.set(name, this.#bounded(value, step, last));
      else values.set(name, value);
    }
    return values;
  }

  #isEnded(value: Value, from: number, last: number): boolean {
    const { parents } = this.#walk;
    for (let at = last; at > from; at = parents[at] ?? -1) {
      if (endsValue(this.#effectOf(at), value)) return true;
    }
    return false;
  }

  /**
   * Returns a pointer that may be NULL as the checks of its copies after `from` leave it. Source:
   * mark_ptr_or_null_regs.
   */
  #checked(value: Value, from: number, last: number): Value {
    const id = keyOf(value, 'id');
    if (id === undefined) return value;
    const { parents } = this.#walk;
    for (let at = last; at > from; at = parents[at] ?? -1) {
      const text = this.#walk.textOf(at);
      if (text?.form !== 'branch' || text.imm !== 0n || text.dst === null) continue;
      const name = `R${text.dst}`;
      const checked = this.changesOf(at)?.regs.get(name);
      if (checked === undefined || isNullable(checked.type)) continue;
      const copy = this.#latest(at, text.dst)?.value;
      if (copy?.type === value.type && keyOf(copy, 'id') === id) return checked;
    }
    return value;
  }

  /**
   * Returns a packet pointer with the bytes that comparisons of its copies after `from` proved.
   * Source: find_good_pkt_pointers.
   */
  #bounded(value: Value, from: number, last: number): Value {
    const id = keyOf(value, 'id') ?? '0';
    let range = Number(keyOf(value, 'r') ?? 0);
    const before = range;
    const { parents } = this.#walk;
    for (let at = last; at > from; at = parents[at] ?? -1) {
      if (this.#walk.textOf(at)?.form !== 'branch') continue;
      for (const copy of this.changesOf(at)?.regs.values() ?? []) {
        if (copy.type !== value.type || (keyOf(copy, 'id') ?? '0') !== id) continue;
        range = Math.max(range, Number(keyOf(copy, 'r') ?? 0));
      }
    }
    if (range === before) return value;
    const kv = value.kv.map(([key, text]) => [key, key === 'r' ? `${range}` : text] as const);
    return { ...value, kv };
  }

  /** Returns the value that the latest line before a step has for a register, or null. */
  #latest(step: number, register: number): Found | null {
    const { parents } = this.#walk;
    const name = `R${register}`;
    const bit = 1 << register;
    for (let at = step; at >= 0; at = parents[at] ?? -1) {
      const before = parents[at] ?? -1;
      const entry = this.entryOf(at);
      const known = entry?.regs.get(name);
      if (known !== undefined) return { value: known, step: before };
      if (isWhole(entry) || before < 0) return null;
      const mentions = this.#mentionsOf(before);
      if ((mentions.registers & bit) === 0) continue;
      const changed = this.changesOf(before)?.regs.get(name);
      if (changed !== undefined) return { value: changed, step: before };
      if ((mentions.written & bit) !== 0) return null;
    }
    return null;
  }

  #namesSlot(step: number): boolean {
    return this.#walk.table.hasBytes(this.#walk.lines[step] ?? 0, FP);
  }

  #mentionsOf(step: number): Mentions {
    const insn = this.#walk.insnOf(step);
    let mentions = this.#mentions.get(insn);
    if (mentions === undefined) {
      const text = this.#walk.textOf(step);
      const written = bitsOf(text?.writes) | bitsOf(text?.clobbers);
      const slot = text?.mem?.base === 10 ? slotName(text.mem.off) : null;
      mentions = {
        registers: text === null ? ALL_REGISTERS : written | bitsOf(text.reads),
        written,
        slot,
        isStore: text?.form === 'store' || text?.form === 'atomic',
        hasOtherSlots:
          slot === null && (text === null || text.mem !== null || text.form === 'call'),
      };
      this.#mentions.set(insn, mentions);
    }
    return mentions;
  }
}

function bitsOf(registers: readonly number[] = []): number {
  return registers.reduce((bits, register) => bits | (1 << register), 0);
}

/** R10 has a value everywhere: a state without it has only the registers that changed. */
function isWhole(state: State | null): state is State {
  return state?.regs.has('R10') ?? false;
}

/** Returns the name of the stack slot that has the byte at offset `off` from the frame pointer. */
export function slotName(off: number): string {
  return `fp${Math.floor(off / 8) * 8}`;
}
