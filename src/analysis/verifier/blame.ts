/** Finds the instruction that made a refused value what it is, and the chain from it to the fault. */

import { MAX_PACKET_OFF, movesPacket } from './ended-values.ts';
import { type LineageStep, Lineages } from './lineage.ts';
import { lastLoop } from './loops.ts';
import { type BoundName, NumberBounds } from './number-bounds.ts';
import { openRegion, type Region } from './open-regions.ts';
import type { Question } from './question.ts';
import { type StepStates, statesOf } from './step-states.ts';
import { emptyReturn, skippedAssignment } from './unwritten.ts';
import { boundsOf } from './value-text.ts';
import { hasVariableOffset, isAboveFrame, keyOf } from './values.ts';
import type { Walk } from './walk.ts';

/** The origin of a refused value. */
export type Blame = {
  /** `R0` … `R10`, `fp-N`, `ref`, or null where no value is concerned. */
  readonly register: string | null;
  /** Instruction that made the value what it is; null if none did. */
  readonly insn: number | null;
  /** Instructions from the value's birth to the fault, in the order of the path. */
  readonly chain: readonly number[];
  /** Steps of the walk of `chain`, where they are known. */
  readonly steps: readonly number[];
  readonly why: 'born' | 'changed' | 'merged' | 'none';
};

/** What a message says beside the register and the question. */
export type BlameHint = {
  /**
   * An instruction that the message names (`alloc_insn=12`, `acquired at insn_idx=7`); with step -1,
   * of an error that was found before the walk, the failing one.
   */
  readonly insn?: number;
  /** First byte of the stack that the message names, from the frame pointer. */
  readonly stackOff?: number;
  readonly size?: number;
  /** The bound of a number that is wrong: a comparison may have set it. */
  readonly bound?: BoundName;
  /** Bytes of the stack that a call would access. */
  readonly accessed?: number;
  /** The access begins before the packet. */
  readonly isBefore?: boolean;
  /** The verifier takes the value for a number. */
  readonly isNumber?: boolean;
};

/**
 * Returns where the value in `register` before `step` comes from. `register` is `R0` … `R10`,
 * `fp-N`, or null where the message names none. Source of the rules: the order in which
 * kernel/bpf/verifier.c takes its decisions; kernel/bpf/diagnostics.c, Linux 7.3.
 */
export function blameFor(
  walk: Walk,
  step: number,
  register: string | null,
  question: Question,
  hint: BlameHint = {},
): Blame {
  return new Search(walk, step, register, hint).answer(question);
}

class Search {
  readonly #walk: Walk;
  readonly #step: number;
  readonly #register: string | null;
  readonly #hint: BlameHint;
  readonly #states: StepStates;
  readonly #lineages: Lineages;
  readonly #bounds: NumberBounds;

  constructor(walk: Walk, step: number, register: string | null, hint: BlameHint) {
    this.#walk = walk;
    this.#step = step;
    this.#register = register;
    this.#hint = hint;
    this.#states = statesOf(walk);
    this.#lineages = new Lineages(walk, this.#states);
    this.#bounds = new NumberBounds(walk, this.#states);
  }

  answer(question: Question): Blame {
    if (this.#step < 0) return this.#withoutWalk(question);
    switch (question) {
      case 'value':
      case 'null':
        return this.#fromValue(this.#pointers());
      case 'trust':
        return this.#fromTrust();
      case 'range':
      case 'unbounded':
        return this.#fromNumber(question);
      case 'offset':
        return this.#fromOffset();
      case 'access':
        return this.#fromAccess();
      case 'constant':
        return this.#found(this.#step, [], 'born');
      case 'packet':
        return this.#fromPacket();
      case 'length':
        return this.#fromLength();
      case 'uninitialised':
        return this.#fromUnwritten();
      case 'slot':
        return this.#fromSlot();
      case 'reference':
        return this.#fromReference();
      case 'region-lock':
      case 'region-rcu':
      case 'region-preempt':
      case 'region-irq':
      case 'region-any':
        return this.#fromRegion(question);
      case 'loop':
        return this.#fromLoop();
      case 'missing':
        return { ...this.#fromValue(this.#pointers()), insn: null, why: 'none' };
      case 'none':
        return this.#nothing();
    }
  }

  #withoutWalk(question: Question): Blame {
    const { insn } = this.#hint;
    if (question !== 'constant' || insn === undefined) return this.#nothing();
    return { register: this.#register, insn, chain: [insn], steps: [], why: 'born' };
  }

  /** Registers that the question is about: of arithmetic on pointers, its pointers. */
  #pointers(): readonly number[] {
    const text = this.#walk.textOf(this.#step);
    const named = registerNumber(this.#register);
    if (text?.form === 'alu' && text.src !== null && text.dst !== null) {
      const operands = [text.dst, text.src].filter((operand) =>
        this.#lineages.isPointer(this.#step, operand),
      );
      if (operands.length > 0) return operands;
    }
    return named === null ? [] : [named];
  }

  #lineageOf(register: number, operand: 'pointer' | 'number' = 'pointer'): readonly LineageStep[] {
    const frame = this.#walk.frameOf(this.#step);
    return this.#lineages.of(this.#step, { register, frame }, operand).steps;
  }

  #slotLineage(): readonly LineageStep[] {
    const slot = this.#slot();
    return slot === null ? [] : this.#lineages.of(this.#step, slot).steps;
  }

  #fromValue(registers: readonly number[]): Blame {
    if (registers.length === 0 && isSlot(this.#register)) {
      return this.#blamed(this.#slotLineage(), ['end', 'birth', 'part']);
    }
    const steps = merged(registers.map((register) => this.#lineageOf(register)));
    const end = lastOf(steps, ['end']) ?? this.#directEnd(registers, steps);
    const births = steps.filter(({ kind }) => kind === 'birth');
    const birth = births.at(-1)?.step ?? steps[0]?.step ?? null;
    const all = end === null ? steps : merged([steps, [{ step: end, kind: 'end' }]]);
    return this.#found(end ?? birth, all.map(toStep), end === null ? 'born' : 'changed');
  }

  /** Returns the call that took the value away since its last copy. */
  #directEnd(registers: readonly number[], steps: readonly LineageStep[]): number | null {
    const [register] = registers;
    const writer = steps.at(-1)?.step;
    if (register === undefined || writer === undefined) return null;
    const value = this.#states.registerAfter(writer, register);
    if (value !== undefined) {
      const end = this.#states.endBetween(writer, this.#step, value);
      return end ?? (value.type === 'scalar' ? null : this.#silentEnd(writer));
    }
    return this.#earlierRelease(steps[0]?.step ?? writer);
  }

  /**
   * Returns the call since `writer` that moved the packet, for a pointer which the verifier takes
   * for a number without a line of the log: a slice of a dynptr, or the packet itself where the
   * packet is written through a dynptr or moved by a global function. Source:
   * clear_all_pkt_pointers().
   */
  #silentEnd(writer: number): number | null {
    if (this.#hint.isNumber !== true) return null;
    const { parents } = this.#walk;
    let other: number | null = null;
    let child = this.#step;
    for (let at = parents[child] ?? -1; at > writer; child = at, at = parents[at] ?? -1) {
      const call = this.#walk.textOf(at)?.call ?? null;
      if (call === null) continue;
      if (movesPacket(call.name)) return at;
      const isGlobal =
        call.kind === 'subprogram' && this.#walk.frameOf(child) === this.#walk.frameOf(at);
      if (isGlobal || call.name === 'bpf_dynptr_write') other ??= at;
    }
    return other;
  }

  /**
   * Returns the earlier call on the path of the function that is called now, with the value that
   * `birth` gave, if it is one that releases; for logs without states.
   */
  #earlierRelease(birth: number): number | null {
    const { parents } = this.#walk;
    const name = this.#walk.textOf(this.#step)?.call?.name ?? '';
    if (!RELEASE.test(name) || this.#walk.textOf(birth)?.form !== 'call') return null;
    for (let at = parents[this.#step] ?? -1; at > birth; at = parents[at] ?? -1) {
      if (this.#walk.textOf(at)?.call?.name !== name) continue;
      const place = { register: 1, frame: this.#walk.frameOf(at) };
      if (this.#lineages.of(at, place).steps[0]?.step === birth) return at;
    }
    return null;
  }

  /** A pointer that was loaded over another one: what was trusted, and the load that lost it. */
  #fromTrust(): Blame {
    const own = this.#fromValue(this.#pointers());
    if (own.why === 'changed') return own;
    const birth = own.steps[0];
    const text = birth === undefined ? null : this.#walk.textOf(birth);
    if (birth === undefined || text?.form !== 'load' || text.mem === null) return own;
    const frame = this.#walk.frameOf(birth);
    const base = this.#lineages.of(birth, { register: text.mem.base, frame }).steps;
    return this.#found(birth, [...base.map(toStep), ...own.steps], 'born');
  }

  #number(): { register: number | null; steps: readonly LineageStep[] } {
    const named = registerNumber(this.#register);
    const text = this.#walk.textOf(this.#step);
    if (text?.form === 'alu' && text.src !== null && text.dst !== null) {
      // Of a pointer and a number, the number is wrong.
      const pair = [text.dst, text.src];
      const numbers = pair.filter((operand) => !this.#lineages.isPointer(this.#step, operand));
      const [number] = numbers;
      if (number !== undefined && numbers.length === 1) {
        return { register: number, steps: this.#lineageOf(number, 'number') };
      }
    }
    if (named === null) return { register: null, steps: this.#slotLineage() };
    return { register: named, steps: this.#lineageOf(named, 'number') };
  }

  #fromNumber(question: 'range' | 'unbounded'): Blame {
    const { register, steps } = this.#number();
    const name = register === null ? this.#register : `R${register}`;
    const offset = steps.findIndex(({ kind }) => kind === 'offset');
    const text = this.#walk.textOf(this.#step);
    if (text?.form === 'alu' && text.src === null && this.#isPointerOperand(text.dst)) {
      // The number is a constant of the instruction.
      return this.#found(this.#step, this.#lineageOf(text.dst ?? 0).map(toStep), 'born');
    }
    const isPlainPointer =
      offset < 0 && register !== null && this.#lineages.isPointer(this.#step, register);
    if (isPlainPointer) return this.#fromOffset();
    const number = offset < 0 ? steps : steps.slice(0, offset);
    const setters = this.#bounds.setters(number);
    const blamed =
      question === 'unbounded' ? (this.#bounds.lostBound(number) ?? setters[0]) : setters.at(-1);
    const since = blamed?.step ?? steps[0]?.step ?? null;
    const user = offset < 0 ? this.#step : (steps[offset]?.step ?? this.#step);
    const branch =
      question === 'range'
        ? this.#bounds.boundingBranch(number, user, since, this.#hint.bound)
        : null;
    const why = branch !== null || blamed?.kind === 'change' ? 'changed' : 'born';
    const chain = branch === null ? steps.map(toStep) : [...steps.map(toStep), branch];
    return { ...this.#found(branch ?? since, chain, why), register: this.#register ?? name };
  }

  #isPointerOperand(register: number | null): boolean {
    return register !== null && this.#lineages.isPointer(this.#step, register);
  }

  /** The constant or variable offset of a pointer. */
  #fromOffset(): Blame {
    const register = registerNumber(this.#register);
    if (register === null) return this.#fromValue([]);
    const value = this.#states.registerBefore(this.#step, register);
    const number = this.#lineageOf(register, 'number');
    const isVariable =
      value === undefined ? lastOf(number, ['offset']) !== null : hasVariableOffset(value);
    const steps = isVariable ? number : this.#lineageOf(register);
    const setter = lastOf(steps, isVariable ? ['offset'] : ['offset', 'change']);
    if (setter !== null) return this.#found(setter, steps.map(toStep), 'changed');
    return this.#fromValue([register]);
  }

  #fromAccess(): Blame {
    const register = registerNumber(this.#register);
    const { accessed } = this.#hint;
    if (accessed !== undefined && register !== null) {
      const length = this.#states.registerBefore(this.#step, register + 1)?.const;
      const isAbove = isAboveFrame(this.#states.registerBefore(this.#step, register));
      return length === `${accessed}` && !isAbove ? this.#fromLength() : this.#fromOffset();
    }
    const steps = register === null ? [] : this.#lineageOf(register).map(toStep);
    return this.#found(this.#step, steps, 'born');
  }

  /** The proven range of a packet: the comparison, or the number that has none after it. */
  #fromPacket(): Blame {
    const register = registerNumber(this.#register);
    if (register === null) return this.#nothing();
    const pointer = this.#lineageOf(register);
    const ended = lastOf(pointer, ['end']) ?? this.#directEnd([register], pointer);
    if (ended !== null) return this.#fromValue([register]);
    const number = this.#lineageOf(register, 'number');
    const offset = lastOf(number, ['offset']);
    if (this.#hint.isBefore === true) return this.#fromOffset();
    if (offset !== null && this.#isTooFar(register)) return this.#fromNumber('range');
    const guard = this.#packetGuard(offset ?? pointer[0]?.step ?? 0);
    const steps = pointer.map(toStep);
    if (guard !== null) return this.#found(guard, [...steps, guard], 'changed');
    if (offset === null) return this.#fromValue([register]);
    const birth = number.find(({ kind }) => kind === 'birth')?.step ?? offset;
    return this.#found(birth, [...steps, ...number.map(toStep)], 'changed');
  }

  /**
   * True if the number in a packet pointer is so large that no comparison proves the access.
   * Source: find_good_pkt_pointers(), MAX_PACKET_OFF.
   */
  #isTooFar(register: number): boolean {
    const value = this.#states.registerBefore(this.#step, register);
    const max = value === undefined ? null : boundsOf(value).max;
    if (value?.type !== 'pkt' || max === null) return false;
    const mem = this.#walk.textOf(this.#step)?.mem;
    const end = Number(keyOf(value, 'off') ?? 0) + (mem == null ? 0 : mem.off + mem.size);
    return max + BigInt(end) > MAX_PACKET_OFF;
  }

  /** Returns the last comparison of a packet pointer with the packet's end since a step. */
  #packetGuard(since: number): number | null {
    const { parents } = this.#walk;
    for (let at = parents[this.#step] ?? -1; at >= since; at = parents[at] ?? -1) {
      const text = this.#walk.textOf(at);
      if (text?.form !== 'branch' || text.src === null) continue;
      // Up to Linux 5.16, level 1 has a state only after a branch.
      const types = text.reads.flatMap((operand) => [
        this.#states.registerBefore(at, operand)?.type,
        this.#states.registerAfter(at, operand)?.type,
      ]);
      if (types.includes('pkt_end') || types.includes('pkt')) return at;
    }
    return null;
  }

  /** The length of memory is in the register after the pointer. */
  #fromLength(): Blame {
    const register = registerNumber(this.#register);
    if (register === null) return this.#nothing();
    const search = new Search(this.#walk, this.#step, `R${register + 1}`, this.#hint);
    return { ...search.answer('range'), register: this.#register };
  }

  #fromUnwritten(): Blame {
    const register = registerNumber(this.#register);
    const slot = this.#slot();
    if (slot !== null && (register === null || this.#isStackPointer(register))) {
      const steps = this.#lineages.of(this.#step, slot).steps;
      const writer = steps.at(-1);
      if (writer !== undefined) return this.#found(writer.step, [writer.step], 'changed');
    } else if (register !== null) {
      const steps = this.#lineageOf(register);
      const end = lastOf(steps, ['end']);
      if (end !== null) return this.#found(end, steps.map(toStep), 'changed');
    }
    const call = register === 0 ? emptyReturn(this.#walk, this.#step) : null;
    if (call !== null) return this.#found(call, [call], 'born');
    const branch = skippedAssignment(this.#walk, this.#step, register, slot);
    return branch === null ? this.#nothing() : this.#found(branch, [branch], 'merged');
  }

  #fromSlot(): Blame {
    const slot = this.#slot();
    if (slot === null) return this.#nothing();
    const named = this.#hint.insn;
    const register = registerNumber(this.#register);
    const writer = this.#lineages.of(this.#step, slot).steps.at(-1)?.step ?? null;
    const moves = register === null ? [] : this.#lineageOf(register).map(toStep);
    const since = writer === null ? moves : moves.filter((step) => step > writer);
    const hinted = named === undefined ? null : this.#stepBefore(named);
    const steps = [writer, hinted, ...since].filter((step) => step !== null);
    return this.#found(hinted ?? writer, steps, 'born');
  }

  #fromReference(): Blame {
    const insn = this.#hint.insn;
    const acquired = insn === undefined ? null : this.#stepBefore(insn);
    if (acquired === null) {
      if (insn === undefined) return this.#nothing();
      const chain = [insn, this.#walk.insnOf(this.#step)];
      return { register: this.#register ?? 'ref', insn, chain, steps: [this.#step], why: 'born' };
    }
    const name = this.#register ?? this.#iteratorSlot(acquired) ?? 'ref';
    return { ...this.#found(acquired, [acquired], 'born'), register: name };
  }

  /** Returns the stack slot of the iterator that a step made, or null. */
  #iteratorSlot(step: number): string | null {
    for (const [name, value] of this.#states.changesOf(step)?.stack ?? []) {
      if (value.type.startsWith('iter_')) return name;
    }
    return null;
  }

  #fromRegion(question: Region | 'region-any'): Blame {
    const hinted = this.#hint.insn === undefined ? null : this.#stepBefore(this.#hint.insn);
    const regions = question === 'region-any' ? NON_SLEEPABLE : [question];
    const open = regions.map((region) => openRegion(this.#walk, this.#step, region));
    const entered = hinted ?? open.find((step) => step !== null) ?? null;
    return entered === null ? this.#nothing() : this.#found(entered, [entered], 'born');
  }

  #fromLoop(): Blame {
    const loop = lastLoop(this.#walk, this.#step);
    if (loop === null) return this.#nothing();
    const chain = loop.steps.map((step) => this.#walk.insnOf(step));
    const insn = this.#walk.insnOf(loop.bound);
    return { register: null, insn, chain, steps: loop.steps, why: 'changed' };
  }

  /** Returns the bytes of the stack that the question is about, or null. */
  #slot(): { off: number; size: number; frame: number } | null {
    const frame = this.#walk.frameOf(this.#step);
    const { stackOff, size = 8 } = this.#hint;
    if (stackOff !== undefined) return { off: stackOff, size, frame };
    const off = /^fp(-\d{1,5})$/.exec(this.#register ?? '')?.[1];
    if (off !== undefined) return { off: Number(off), size: 8, frame };
    const register = registerNumber(this.#register);
    if (register === null) return null;
    return this.#lineages.stackPlace(this.#step, register, 0, 8);
  }

  #isStackPointer(register: number): boolean {
    if (register === 10) return this.#hint.stackOff !== undefined;
    return this.#lineages.stackPlace(this.#step, register, 0, 8) !== null;
  }

  #stepBefore(insn: number): number | null {
    const { parents, insns } = this.#walk;
    for (let at = parents[this.#step] ?? -1; at >= 0; at = parents[at] ?? -1) {
      if (insns[at] === insn) return at;
    }
    return null;
  }

  #blamed(steps: readonly LineageStep[], kinds: readonly string[]): Blame {
    const blamed = lastOf(steps, kinds) ?? steps[0]?.step ?? null;
    return this.#found(blamed, steps.map(toStep), 'born');
  }

  #found(step: number | null, steps: readonly number[], why: Blame['why']): Blame {
    if (step === null) return this.#nothing();
    const unique = [...new Set([...steps, step, this.#step])].sort((a, b) => a - b);
    // An instruction that was walked several times counts once, where it was walked last.
    const last = new Map(unique.map((at) => [this.#walk.insnOf(at), at]));
    const kept = unique.filter((at) => last.get(this.#walk.insnOf(at)) === at);
    const chain = kept.map((at) => this.#walk.insnOf(at));
    const insn = this.#walk.insnOf(step);
    return { register: this.#register, insn, chain, steps: kept, why };
  }

  #nothing(): Blame {
    return { register: this.#register, insn: null, chain: [], steps: [], why: 'none' };
  }
}

/** Regions in which nothing may sleep. */
const NON_SLEEPABLE: readonly Region[] = [
  'region-rcu',
  'region-preempt',
  'region-irq',
  'region-lock',
];

/** Functions that give back what their first argument points at. */
const RELEASE = /_release$|_drop$|_(?:submit|discard)(?:_dynptr)?$/;

const toStep = ({ step }: LineageStep): number => step;

function lastOf(steps: readonly LineageStep[], kinds: readonly string[]): number | null {
  return steps.findLast(({ kind }) => kinds.includes(kind))?.step ?? null;
}

function merged(lists: readonly (readonly LineageStep[])[]): readonly LineageStep[] {
  const kinds = new Map(lists.flat().map((at) => [at.step, at]));
  return [...kinds.values()].sort((a, b) => a.step - b.step);
}

/** Returns the number of `R0` … `R10`, else null. */
function registerNumber(name: string | null): number | null {
  const digits = /^R(\d{1,2})$/.exec(name ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

function isSlot(name: string | null): boolean {
  return name?.startsWith('fp') ?? false;
}
