/**
 * The state of the verifier before and after each step. From Linux 5.17 on a log has the whole
 * state only where a path starts, and what an instruction changed elsewhere: the changes are added
 * up along the path.
 */
import type { InsnText } from '#formats/verifier-log/insn-text.ts';
import type { State, Value } from '#formats/verifier-log/line.ts';
import { endsValue } from './ended-values.ts';
import type { Walk } from './walk.ts';

/** Steps between two states that are kept. */
const CHECKPOINT = 64;
/** Largest number of states that are kept. */
const MAX_KEPT = 20_000;

const NO_STATE: State = {
  frame: 0,
  regs: new Map(),
  stack: new Map(),
  refs: [],
  flags: [],
  isFull: false,
};

/** Reads states of the steps of one walk; keeps some of them. */
export class StepStates {
  readonly #walk: Walk;
  /** States after steps. */
  readonly #kept = new Map<number, State>();

  constructor(walk: Walk) {
    this.#walk = walk;
  }

  /**
   * Returns the state before a step. `isFull` is false if the log does not have all of it: only
   * what is known is in it.
   */
  before(step: number): State {
    const { parents } = this.#walk;
    const steps: number[] = [];
    let state: State = NO_STATE;
    for (let at = step; at >= 0; at = parents[at] ?? -1) {
      const kept = at === step ? undefined : this.#kept.get(at);
      if (kept !== undefined) {
        state = kept;
        break;
      }
      steps.push(at);
      if (isWhole(this.#entryOf(at))) break;
    }
    for (let index = steps.length - 1; index >= 0; index--) {
      const at = steps[index] ?? 0;
      state = withEntry(state, this.#entryOf(at));
      if (at === step) break;
      state = this.#through(at, state);
      if (index % CHECKPOINT === 1) this.#keep(at, state);
    }
    return state;
  }

  /** Returns the state after a step: before the next step on the same path. */
  after(step: number): State {
    const kept = this.#kept.get(step);
    if (kept !== undefined) return kept;
    const state = this.#through(step, this.before(step));
    const next = step + 1;
    const isNext = this.#walk.parents[next] === step && this.#walk.edgeOf(next) === 'next';
    const after = isNext ? withEntry(state, this.#entryOf(next)) : state;
    this.#keep(step, after);
    return after;
  }

  /** Returns what the line of a step says that the step changed or used; null without a state. */
  changesOf(step: number): State | null {
    const line = this.#walk.table.line(this.#walk.lines[step] ?? 0);
    if (line.class !== 'insn' || line.stateAt !== null) return null;
    if (line.state !== null) return line.state;
    // A call that changed no register, and after which no reference is held, has only the mark.
    const printed = this.#walk.table.textOf(this.#walk.lines[step] ?? 0);
    return printed.trimEnd().endsWith(';') ? NO_STATE : null;
  }

  #keep(step: number, state: State): void {
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    this.#kept.set(step, state);
  }

  /** Returns the state that the log has before a step: whole, or the changes of the step before. */
  #entryOf(step: number): State | null {
    const at = this.#walk.entryLines[step] ?? -1;
    if (at < 0) return null;
    const line = this.#walk.table.line(at);
    if (line.class === 'state' || line.class === 'from-to') return line.state;
    return line.class === 'insn' && line.stateAt !== null ? line.state : null;
  }

  #through(step: number, before: State): State {
    const changes = this.changesOf(step);
    const text = this.#walk.textOf(step);
    if (changes !== null && isWhole(changes) && changes.isFull) return changes;
    const regs = new Map(before.regs);
    const stack = new Map(before.stack);
    if (text !== null) {
      for (const register of text.writes) regs.delete(`R${register}`);
      for (const register of text.clobbers) regs.delete(`R${register}`);
      dropStored(text, stack);
    }
    const refs = changes === null ? before.refs : changes.refs;
    const flags = changes === null ? before.flags : changes.flags;
    if (text?.form === 'call') {
      const lost = changes === null ? [] : before.refs.filter((id) => !refs.includes(id));
      for (const [name, value] of regs) if (endsValue(text.call, value, lost)) regs.delete(name);
      for (const [name, value] of stack) if (endsValue(text.call, value, lost)) stack.delete(name);
    }
    if (changes !== null) {
      if (text?.form === 'branch') spreadNullChecks(before, changes, regs, stack);
      for (const [name, value] of changes.regs) regs.set(name, value);
      for (const [name, value] of changes.stack) stack.set(name, value);
    }
    return { frame: before.frame, regs, stack, refs, flags, isFull: before.isFull };
  }
}

function isWhole(state: State | null): boolean {
  return state?.regs.has('R10') ?? false;
}

function withEntry(state: State, entry: State | null): State {
  if (entry === null) return state;
  if (isWhole(entry)) return { ...entry, isFull: true };
  return {
    ...state,
    regs: new Map([...state.regs, ...entry.regs]),
    stack: new Map([...state.stack, ...entry.stack]),
    refs: entry.refs,
  };
}

/** Drops the slots that a store to the frame's own stack overwrites. */
function dropStored({ form, mem }: InsnText, stack: Map<string, Value>): void {
  if ((form !== 'store' && form !== 'atomic') || mem?.base !== 10) return;
  stack.delete(slotName(mem.off));
}

/** Returns the name of the stack slot that has the byte at offset `off` from the frame pointer. */
export function slotName(off: number): string {
  return `fp${Math.floor(off / 8) * 8}`;
}

/** A check of a copy for NULL is one of all values with the same id (mark_ptr_or_null_regs). */
function spreadNullChecks(
  before: State,
  changes: State,
  regs: Map<string, Value>,
  stack: Map<string, Value>,
): void {
  for (const [name, value] of changes.regs) {
    const old = before.regs.get(name);
    const id = old === undefined ? undefined : keyOf(old, 'id');
    if (old === undefined || id === undefined || !isNullable(old.type)) continue;
    if (isNullable(value.type)) continue;
    for (const values of [regs, stack]) {
      for (const [other, copy] of values) {
        if (copy.type === old.type && keyOf(copy, 'id') === id) values.set(other, value);
      }
    }
  }
}

/** True if a value of this type may be NULL. */
export function isNullable(type: string): boolean {
  return type.includes('_or_null');
}

/** Returns the text of a key of a value, such as `id` or `umax`. */
export function keyOf(value: Value, key: string): string | undefined {
  for (const [name, text] of value.kv) if (name === key) return text;
  return undefined;
}
