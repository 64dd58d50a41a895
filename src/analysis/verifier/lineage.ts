/**
 * Follows a value back along a path: over moves, spills, fills, arithmetic, calls and returns of
 * subprograms, to the instruction that created it.
 */
import type { InsnText } from '#formats/verifier-log/insn-text.ts';
import { type StepStates, slotName, statesOf } from './step-states.ts';
import { hasVariableOffset, isPointer, keyOf } from './values.ts';
import type { Walk } from './walk.ts';

/** What an instruction did to a value. */
export type LineageKind =
  | 'birth'
  /** A copy: between registers, into a stack slot, out of it. */
  | 'copy'
  | 'change'
  /** A number that is not constant was added to a pointer. */
  | 'offset'
  /** A call took the value away. */
  | 'end'
  /** Only some of the bytes of a slot were written. */
  | 'part';

export type LineageStep = { readonly step: number; readonly kind: LineageKind };

export type Lineage = {
  /** In the order of the path. */
  readonly steps: readonly LineageStep[];
  /**
   * Where the search ended: at an instruction, at an argument of the program or of a function that
   * is checked on its own, at a place that nothing wrote, or at the head of a log that was cut.
   */
  readonly origin: 'insn' | 'argument' | 'unwritten' | 'cut';
};

/** A register of a frame, or bytes of its stack: `off` from the frame pointer, `size` in bytes. */
export type Place =
  | { readonly register: number; readonly frame: number }
  | { readonly off: number; readonly size: number; readonly frame: number };

/** Which operand is followed where a pointer and a number meet. */
export type Operand = 'pointer' | 'number';

/** Largest number of instructions in a lineage, and of searches for the slot of a pointer. */
const MAX_STEPS = 10_000;
const MAX_NESTED = 4;
const POINTER_CALL = /_(?:lookup|reserve|new|acquire|slice|fullsock)(?:_|$)/;

/**
 * Arguments of callbacks that are arguments of the helper, by their registers. Source:
 * kernel/bpf/verifier.c, set_loop_callback_state() and its neighbours.
 */
export const CALLBACK_ARGUMENTS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  bpf_loop: { 2: 3 },
  bpf_for_each_map_elem: { 1: 1, 4: 3 },
  bpf_find_vma: { 1: 1, 3: 4 },
  bpf_user_ringbuf_drain: { 2: 3 },
};

export class Lineages {
  readonly #walk: Walk;
  readonly #states: StepStates;

  constructor(walk: Walk, states: StepStates) {
    this.#walk = walk;
    this.#states = states;
  }

  /** Returns the lineage of the value that `place` has before `step`. */
  of(step: number, place: Place, operand: Operand = 'pointer', depth = 0): Lineage {
    const found = new Map<number, LineageKind>();
    const open: { step: number; place: Place }[] = [{ step, place }];
    const seen = new Set<string>();
    let origin: Lineage['origin'] = 'unwritten';
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.size >= MAX_STEPS) break;
      const writer = this.#writerOf(next.step, next.place);
      if (writer.step === null) {
        if (found.size === 0 || writer.origin !== 'unwritten') origin = writer.origin;
        continue;
      }
      this.#addEnd(found, writer.step, next.step, writer.place);
      const { kind, sources } = this.#sourcesOf(writer.step, writer.place, operand, depth);
      if (!found.has(writer.step)) found.set(writer.step, kind);
      if (sources.length === 0) origin = 'insn';
      for (const source of sources) {
        const key = `${writer.step} ${JSON.stringify(source)}`;
        if (seen.has(key)) continue;
        seen.add(key);
        open.push({ step: writer.step, place: source });
      }
    }
    const steps = [...found].map(([at, kind]) => ({ step: at, kind }));
    return { steps: steps.sort((a, b) => a.step - b.step), origin };
  }

  /**
   * Returns the bytes of the stack that a memory operand names, `off` bytes from the pointer in
   * `base`; null if the pointer is none to the stack, or its offset is not constant.
   */
  stackPlace(
    step: number,
    base: number,
    off: number,
    size: number,
    depth = 0,
  ): Extract<Place, { off: number }> | null {
    const frame = this.#walk.frameOf(step);
    if (base === 10) return { off, size, frame };
    const value = this.#states.registerBefore(step, base);
    if (value !== undefined) {
      if (value.type !== 'fp' || hasVariableOffset(value)) return null;
      const start = Number(value.off ?? keyOf(value, 'off') ?? 0);
      return { off: start + off, size, frame: value.frame ?? frame };
    }
    if (depth >= MAX_NESTED) return null;
    const start = this.#offsetFromR10(step, base, depth + 1);
    return start === null ? null : { off: start + off, size, frame };
  }

  /** Adds up moves and constants from R10 to a register, where the log has no states. */
  #offsetFromR10(step: number, base: number, depth: number): number | null {
    const frame = this.#walk.frameOf(step);
    let sum = 0;
    let register = base;
    let at = step;
    for (let count = 0; count < MAX_STEPS; count++) {
      if (register === 10) return sum;
      const writer = this.#writerOf(at, { register, frame });
      if (writer.step === null || depth > MAX_NESTED) return null;
      const text = this.#walk.textOf(writer.step);
      if (text === null || this.#walk.frameOf(writer.step) !== frame) return null;
      at = writer.step;
      if (text.form === 'move' && text.src !== null && !text.is32Bit) register = text.src;
      else if (text.form === 'alu' && text.op === '+=' && text.imm !== null) {
        sum += Number(BigInt.asIntN(64, text.imm));
      } else return null;
    }
    return null;
  }

  /** Finds the step before `from` that gave `place` its value. */
  #writerOf(
    from: number,
    place: Place,
  ): { step: number; place: Place } | { step: null; origin: Lineage['origin'] } {
    const walk = this.#walk;
    let wanted = place;
    let child = from;
    for (let at = walk.parents[from] ?? -1; at >= 0; child = at, at = walk.parents[at] ?? -1) {
      const frame = walk.frameOf(at);
      if (frame > wanted.frame) {
        const isReturn = walk.frameOf(child) === wanted.frame;
        if (isReturn && 'register' in wanted && wanted.register === 0) {
          if (walk.textOf(this.#callOf(at, wanted.frame))?.call?.kind === 'subprogram') {
            wanted = { register: 0, frame };
          }
        } else if (!('register' in wanted) && this.#writes(at, wanted)) {
          return { step: at, place: wanted };
        }
        continue;
      }
      if (frame < wanted.frame) {
        if (!('register' in wanted) || wanted.register === 0 || wanted.register > 5) {
          return { step: null, origin: 'unwritten' };
        }
        const call = walk.textOf(at)?.call;
        const register =
          call?.kind === 'subprogram'
            ? wanted.register
            : CALLBACK_ARGUMENTS[call?.name ?? '']?.[wanted.register];
        // Other arguments of a callback are made by the helper that calls it.
        if (register === undefined) return { step: at, place: wanted };
        wanted = { register, frame };
        continue;
      }
      if (this.#writes(at, wanted)) return { step: at, place: wanted };
    }
    return { step: null, origin: this.#startOf(child, wanted) };
  }

  /** Returns where a value comes from that no step of the path wrote. */
  #startOf(first: number, place: Place): Lineage['origin'] {
    const entry = this.#states.before(first);
    const isStart = entry.isFull || this.#walk.insnOf(first) === 0;
    if (!isStart) return 'cut';
    if (!('register' in place)) return 'unwritten';
    if (place.register === 10) return 'argument';
    const isArgument = place.register >= 1 && place.register <= 5;
    const isKnown = entry.regs.has(`R${place.register}`) || (!entry.isFull && place.register === 1);
    return isArgument && isKnown ? 'argument' : 'unwritten';
  }

  /** Returns the step of the call that led from `frame` to the frame of `step`; -1 if it is lost. */
  #callOf(step: number, frame: number): number {
    let at = step;
    while (at >= 0 && this.#walk.frameOf(at) > frame) at = this.#walk.parents[at] ?? -1;
    return at;
  }

  /** True if a step writes to a register of its own frame, or to bytes of the stack. */
  #writes(step: number, place: Place): boolean {
    const text = this.#walk.textOf(step);
    if (text === null) return false;
    if ('register' in place) {
      return text.writes.includes(place.register) || text.clobbers.includes(place.register);
    }
    return this.#stored(step, text, place) !== 'none';
  }

  /** Returns how much of `place` a step overwrites. */
  #stored(
    step: number,
    text: InsnText,
    place: Extract<Place, { off: number }>,
  ): 'none' | 'part' | 'all' {
    const { form, mem } = text;
    if (form === 'call') {
      if (this.#walk.frameOf(step) !== place.frame) return 'none';
      return this.#isSlotChanged(step, place) ? 'all' : 'none';
    }
    if ((form !== 'store' && form !== 'atomic') || mem === null) return 'none';
    if (mem.base !== 10 && !this.#mayStore(step)) return 'none';
    if (mem.base === 10 && this.#walk.frameOf(step) !== place.frame) return 'none';
    const stored = this.stackPlace(step, mem.base, mem.off, mem.size);
    if (stored === null) return this.#isSlotChanged(step, place) ? 'part' : 'none';
    if (stored.frame !== place.frame) return 'none';
    const end = place.off + place.size;
    if (stored.off >= end || stored.off + stored.size <= place.off) return 'none';
    return stored.off <= place.off && stored.off + stored.size >= end ? 'all' : 'part';
  }

  /** False if the log has changes of a store, and none of them is of the stack. */
  #mayStore(step: number): boolean {
    const changes = this.#states.changesOf(step);
    return changes === null || changes.isFull || changes.stack.size > 0;
  }

  /** True if the line of a step has a new value of the slot of `place`. */
  #isSlotChanged(step: number, { off }: Extract<Place, { off: number }>): boolean {
    const name = slotName(off);
    const changes = this.#states.changesOf(step);
    if (changes !== null && !changes.isFull) return changes.stack.has(name);
    // Up to Linux 5.16, level 2 has the whole state before each step.
    const after = this.#states.entryOf(step + 1)?.stack.get(name);
    if (after === undefined || this.#walk.parents[step + 1] !== step) return false;
    const before = this.#states.entryOf(step)?.stack.get(name);
    return JSON.stringify(before) !== JSON.stringify(after);
  }

  /** Returns what a step did to `place`, and the places that its new value is from. */
  #sourcesOf(
    step: number,
    place: Place,
    operand: Operand,
    depth: number,
  ): { kind: LineageKind; sources: readonly Place[] } {
    const text = this.#walk.textOf(step);
    const frame = this.#walk.frameOf(step);
    if (text === null) return { kind: 'birth', sources: [] };
    if (!('register' in place)) {
      if (text.form !== 'store') return { kind: 'birth', sources: [] };
      if (this.#stored(step, text, place) === 'part') return { kind: 'part', sources: [] };
      if (text.src === null) return { kind: 'birth', sources: [] };
      return { kind: 'copy', sources: [{ register: text.src, frame }] };
    }
    const isEnd = text.clobbers.includes(place.register) && !text.writes.includes(place.register);
    if (isEnd && frame === place.frame) return { kind: 'end', sources: [place] };
    if (frame !== place.frame) return { kind: 'birth', sources: [] };
    switch (text.form) {
      case 'move':
        if (text.src === null || text.src === 10) return { kind: 'birth', sources: [] };
        return { kind: 'copy', sources: [{ register: text.src, frame }] };
      case 'alu':
        return this.#aluSources(step, text, frame, operand, depth);
      case 'load': {
        if (text.mem === null) return { kind: 'birth', sources: [] };
        const { base, off, size } = text.mem;
        const slot = this.stackPlace(step, base, off, size, depth);
        if (slot === null || this.#writerOf(step, slot).step === null) {
          return { kind: 'birth', sources: [] };
        }
        return { kind: 'copy', sources: [slot] };
      }
      default:
        return { kind: 'birth', sources: [] };
    }
  }

  #aluSources(
    step: number,
    { dst, src, op }: InsnText,
    frame: number,
    operand: Operand,
    depth: number,
  ): { kind: LineageKind; sources: readonly Place[] } {
    const first: Place = { register: dst ?? 0, frame };
    if (src === null || src === dst || op === 'sign-extend') {
      return { kind: 'change', sources: [src === null ? first : { register: src, frame }] };
    }
    const second: Place = { register: src, frame };
    if (src === 10) return { kind: 'change', sources: [first] };
    const one = this.#states.registerBefore(step, dst ?? 0);
    const two = this.#states.registerBefore(step, src);
    const isOneNumber = !this.isPointer(step, dst ?? 0, depth);
    const isTwoNumber = !this.isPointer(step, src, depth);
    if (isOneNumber !== isTwoNumber) {
      const [pointer, number] = isOneNumber ? [second, first] : [first, second];
      return { kind: 'offset', sources: [operand === 'number' ? number : pointer] };
    }
    if (two?.const !== undefined) return { kind: 'change', sources: [first] };
    if (one?.const !== undefined) return { kind: 'change', sources: [second] };
    return { kind: 'change', sources: [first, second] };
  }

  /**
   * True if a register has a pointer before a step. Without a state, as at level 1 up to Linux 5.16,
   * a copy of R10, an address, and what a call that looks up, reserves or makes something returned.
   */
  isPointer(step: number, register: number, depth = 0): boolean {
    if (register === 10) return true;
    const value = this.#states.registerBefore(step, register);
    if (value !== undefined) return value.type !== 'scalar';
    if (depth >= MAX_NESTED) return false;
    const place = { register, frame: this.#walk.frameOf(step) };
    const { steps, origin } = this.of(step, place, 'pointer', depth + 1);
    if (steps.length === 0 || origin === 'argument') return origin === 'argument';
    const text = this.#walk.textOf(steps[0]?.step ?? -1);
    if (text?.form === 'call') return POINTER_CALL.test(text.call?.name ?? '');
    return text?.form === 'move' && (text.src === 10 || (text.imm ?? 0n) > 0xffffffffn);
  }

  /** Adds the call between two steps that took a value away, if there is one. */
  #addEnd(found: Map<number, LineageKind>, writer: number, user: number, place: Place): void {
    const value =
      'register' in place
        ? this.#states.registerAfter(writer, place.register)
        : this.#states.changesOf(writer)?.stack.get(slotName(place.off));
    if (value === undefined || value.type === 'scalar') return;
    const call = this.#states.endBetween(writer, user, value);
    if (call !== null) found.set(call, 'end');
  }
}

/** Returns the slot that a stack pointer in a register points to before a step, or null. */
export function slotUnder(walk: Walk, step: number, register: string): string | null {
  const digits = /^R(\d)$/.exec(register)?.[1];
  if (digits === undefined) return null;
  const place = new Lineages(walk, statesOf(walk)).stackPlace(step, Number(digits), 0, 8);
  return place === null ? null : slotName(place.off);
}

/** Returns the slot with a pointer that an argument of the call at a step points at, or null. */
export function spillUnderArgument(walk: Walk, step: number): string | null {
  const { stack } = statesOf(walk).before(step);
  for (let i = 1; i <= 5; i++) {
    const slot = slotUnder(walk, step, `R${i}`);
    const value = slot === null ? undefined : stack.get(slot);
    if (value !== undefined && isPointer(value)) return slot;
  }
  return null;
}
