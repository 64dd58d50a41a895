/**
 * The fault that a log ends with: message, instruction, register, value and its origin, in the words
 * of the program.
 */

import type { DiagnosticBlock } from '#formats/verifier-log/diagnostic-block.ts';
import type { InsnText } from '#formats/verifier-log/insn-text.ts';
import type { State, Value } from '#formats/verifier-log/line.ts';
import { type Blame, type BlameHint, blameFor } from './blame.ts';
import { stackBlame } from './call-chain.ts';
import { coreRecordText } from './failed-relocation.ts';
import { slotUnder, spillUnderArgument } from './lineage.ts';
import type { LogPart } from './log-parts.ts';
import type { Message } from './message.ts';
import type { Question } from './question.ts';
import { questionOf } from './rule-questions.ts';
import {
  ARGUMENTS,
  LOWER_BOUND,
  NO_REGISTER,
  OBJECT_RULES,
  refusedArgument,
  UPPER_BOUND,
} from './rule-registers.ts';
import {
  assignedVariable,
  definedFunction,
  isFollowed,
  isMentioned,
  variableOfCall,
} from './source-names.ts';
import {
  functionOfPlace,
  placeOfText,
  type SourcePlace,
  subprogramPlace,
} from './source-places.ts';
import { type StepStates, slotName, statesOf } from './step-states.ts';
import type { LogBinding } from './typed-value.ts';
import type { Walk } from './walk.ts';

/** A message of the verdict, and its line. */
export type FaultMessage = {
  readonly message: Message;
  readonly line: number;
  readonly text: string;
};

/** An instruction that a sentence refers to. */
export type Origin = {
  readonly insn: number;
  readonly step: number | null;
  readonly text: InsnText | null;
  readonly printed: string;
  readonly source: string;
};

/** Maximum number of steps whose source lines are read for declarations. */
const MAX_SOURCES = 5_000;

/** A fault, read from the log on demand. Names are raw text of the log. */
export class Fault {
  readonly message: Message;
  /** Line of the message, from 0. */
  readonly line: number;
  /** The main message as printed. */
  readonly messageText: string;
  readonly messages: readonly FaultMessage[];
  readonly binding: LogBinding;
  readonly block: DiagnosticBlock | null;
  readonly walk: Walk;
  /** The start of the log is missing. */
  readonly isHeadCut: boolean;
  /** Step of the walk at which the program fails; null if it was not walked. */
  readonly step: number | null;
  readonly insn: number | null;
  readonly question: Question;
  readonly register: string | null;
  readonly blame: Blame;
  readonly #states: StepStates;
  readonly #objectPlace: (insn: number) => SourcePlace | null;

  constructor(options: {
    readonly main: FaultMessage;
    readonly messages: readonly FaultMessage[];
    readonly part: LogPart;
    readonly walk: Walk;
    readonly step: number | null;
    readonly insn: number | null;
    readonly binding: LogBinding;
    readonly placeInObject: (insn: number) => SourcePlace | null;
  }) {
    const { main, part, walk, step, insn } = options;
    this.message = main.message;
    this.line = main.line;
    this.messageText = main.text;
    this.messages = options.messages;
    this.binding = options.binding;
    this.block = part.block;
    this.isHeadCut = part.isHeadCut;
    this.walk = walk;
    this.step = step;
    this.insn = insn;
    this.#states = statesOf(walk);
    this.#objectPlace = options.placeInObject;
    this.question = questionOf(this.message, main.text);
    const register = this.#registerOf();
    this.blame = this.#blame(register);
    this.register = this.blame.register ?? register;
  }

  /** Text of the failing instruction. */
  get text(): InsnText | null {
    return this.step === null ? null : this.walk.textOf(this.step);
  }

  /** Name of the function that the failing instruction calls; null if it calls none. */
  get callee(): string | null {
    const call = this.text?.call;
    return call == null || call.name === '' ? null : call.name;
  }

  stateBefore(step: number | null = this.step): State | null {
    return step === null ? null : this.#states.before(step);
  }

  /** Value of a register before the failing instruction; null if the log does not have it. */
  valueOf(register: string | null = this.register): Value | null {
    if (register === null) return null;
    const state = this.stateBefore();
    return state?.regs.get(register) ?? state?.stack.get(register) ?? null;
  }

  /** Number in the message's text; null if the message does not have it. */
  number(key: string): number | null {
    const text = this.value(key);
    return text === null || !/^[-+]?\d{1,15}$/.test(text) ? null : Number(text);
  }

  /** Text of a value of the verdict's messages, of the main one first; null if none has it. */
  value(key: string): string | null {
    for (const { values } of [this.message, ...this.messages.map(({ message }) => message)]) {
      if (values[key] !== undefined) return values[key];
    }
    return null;
  }

  /** Register of the value: of the message, else the one that the instruction refers to memory by. */
  #registerOf(): string | null {
    const { rule } = this.message;
    if (NO_REGISTER.has(rule) || this.message.format.startsWith('invalid atomic operand'))
      return null;
    const slot = this.#slotOf();
    if (slot !== null) return slot;
    if (this.message.register !== null) return this.#countedFromOne(this.message.register);
    const named = this.messages.find(({ message }) => message.register !== null);
    if (named !== undefined) return named.message.register;
    const fixed = ARGUMENTS.get(rule);
    if (fixed !== undefined) return fixed;
    const { text } = this;
    if (rule === 'caller-frame-pointer' && text?.src != null) return `R${text.src}`;
    if (text?.mem) return `R${text.mem.base}`;
    if (text?.form === 'call') {
      const { callee, messageText } = this;
      return refusedArgument(rule, messageText, callee, this.stateBefore()?.regs ?? null);
    }
    if (/^pointer-math-(?:unb|too)/.test(rule)) return this.#addedNumber();
    if (text?.form === 'alu' && text.dst !== null) return `R${text.dst}`;
    if (rule === 'return-stack-pointer' || rule === 'return-not-scalar') return 'R0';
    return null;
  }

  /** Stack slot that the message or the instruction names; null if none. */
  #slotOf(): string | null {
    const { rule, values } = this.message;
    switch (rule) {
      case 'stack-uninit-read':
      case 'stack-slot-poisoned':
      case 'stack-indirect-uninit':
        return slotAt(this.stackOff);
      case 'corrupt-spill':
      case 'dynptr-overwrite': {
        const mem = this.text?.mem;
        if (this.step !== null && rule === 'corrupt-spill' && this.text?.form === 'call') {
          return spillUnderArgument(this.walk, this.step);
        }
        return mem?.base === 10 ? slotAt(mem.off) : null;
      }
      case 'leak-from-stack':
        return slotAt(Number(values[0]));
      default:
        return null;
    }
  }

  /** Byte of the stack that may not be read, from the frame pointer; null if not known. */
  get stackOff(): number | null {
    const off = this.number('off');
    if (off !== null) return off;
    const [start, first] = this.#stackBytes() ?? [];
    if (start !== undefined && first !== undefined) return start + first;
    const numbers = Object.entries(this.message.values)
      .filter(([key]) => key !== 'R' && key !== 'size')
      .map(([, text]) => text)
      .filter((text) => /^[-+]?\d{1,6}$/.test(text))
      .map(Number);
    const [base] = numbers;
    return base ?? null;
  }

  /** First byte of a read of the stack, from the frame pointer, and the index of the refused one. */
  #stackBytes(): readonly [number, number] | null {
    const found = / off (-?\d{1,6})\+(\d{1,6}) size \d/.exec(this.messageText);
    return found === null ? null : [Number(found[1]), Number(found[2])];
  }

  /** Index of the first byte of a read that the message refuses; 0 if it names none. */
  get firstByte(): number {
    return this.#stackBytes()?.[1] ?? 0;
  }

  /** Linux 6.1 counts the argument of a dynptr from 1, later kernels count it from 0. */
  #countedFromOne(register: string): string {
    if (this.message.rule !== 'dynptr-argument' || !/ arg #/.test(this.messageText))
      return register;
    const before = `R${Number(register.slice(1)) - 1}`;
    const isStack = (name: string) => /^(?:fp|dynptr_ptr)$/.test(this.valueOf(name)?.type ?? '');
    return !isStack(register) && isStack(before) ? before : register;
  }

  /** Operand of arithmetic that is a number; null if the log does not have its values. */
  #addedNumber(): string | null {
    const { text } = this;
    const operands = [text?.dst, text?.src].map((operand) => `R${operand}`);
    const known = operands.find((name) => this.valueOf(name)?.type === 'scalar');
    if (known !== undefined || text?.src == null) return known ?? null;
    // Up to Linux 5.16, level 1 has no values here; compilers add the number to the pointer.
    return operands.every((name) => this.valueOf(name) === null) ? `R${text.src}` : null;
  }

  #blame(register: string | null): Blame {
    const calls = stackBlame(this.message, this.walk, this.binding.code ?? null);
    if (calls !== null) return calls;
    if (this.step === null) {
      const isOwn = this.question === 'constant';
      const hinted = this.question === 'reference' ? (this.#hint().insn ?? null) : null;
      const acquired = isOwn ? this.insn : hinted;
      const chain = acquired === null ? [] : [acquired];
      const name = hinted === null ? register : 'ref';
      return { register: name, insn: acquired, chain, steps: [], why: 'none' };
    }
    const isObject =
      OBJECT_RULES.has(this.message.rule) && !/out of order/.test(this.message.format);
    const under =
      isObject && register?.startsWith('R') ? slotUnder(this.walk, this.step, register) : null;
    const isDynptr =
      this.message.rule === 'release-unacquired' && this.valueOf(register)?.type === 'fp';
    // An address that is a number is refused for its alignment first.
    const isNumber =
      this.message.rule === 'misaligned-access' && this.valueOf(register)?.type === 'scalar';
    const question = isDynptr ? 'slot' : isNumber ? 'value' : this.question;
    const blame = blameFor(this.walk, this.step, under ?? register, question, this.#hint());
    if (blame.register !== null || this.question !== 'region-irq') return blame;
    const entered = blame.steps.find((step) => this.walk.insnOf(step) === blame.insn);
    const [slot] =
      entered === undefined ? [] : (this.#states.changesOf(entered)?.stack.keys() ?? []);
    return { ...blame, register: slot ?? null };
  }

  #hint(): BlameHint {
    const named = this.number('alloc_insn') ?? this.number('insn_idx');
    const hint: { -readonly [Key in keyof BlameHint]: BlameHint[Key] } = {};
    if (named !== null) hint.insn = named;
    if (UPPER_BOUND.has(this.message.rule)) hint.bound = 'max';
    if (LOWER_BOUND.has(this.message.rule)) hint.bound = 'min';
    const accessed = this.number('size');
    if (this.message.rule === 'packet-bounds' && (this.number('off') ?? 0) < 0)
      hint.isBefore = true;
    if (this.message.rule === 'stack-bounds' && this.text?.form === 'call' && accessed !== null) {
      hint.accessed = accessed;
    }
    if (/ '(?:scalar|inv)'/.test(this.messageText)) hint.isNumber = true;
    if (/^stack-(?:uninit|indirect|slot)/.test(this.message.rule)) {
      const off = this.stackOff;
      const size = this.number('size');
      if (off !== null) hint.stackOff = off;
      // The slot of the byte: stores of other slots are right.
      const slotEnd = off === null ? 0 : Math.floor(off / 8) * 8 + 8;
      if (size !== null && off !== null) {
        hint.size = Math.min(size - this.firstByte, Math.max(1, slotEnd - off));
      }
    }
    return hint;
  }

  /** Instruction that is blamed; null if none is. */
  get origin(): Origin | null {
    const { insn, steps } = this.blame;
    if (insn === null) return null;
    const step = steps.findLast((at) => this.walk.insnOf(at) === insn) ?? null;
    return this.originAt(insn, step);
  }

  /** Instruction that gave the value first; null if it is not known. */
  get birth(): Origin | null {
    const [step] = this.blame.steps;
    return step === undefined || step === this.step
      ? null
      : this.originAt(this.walk.insnOf(step), step);
  }

  originAt(insn: number, step: number | null): Origin {
    return {
      insn,
      step,
      text: step === null ? null : this.walk.textOf(step),
      printed: step === null ? '' : this.walk.printedOf(step),
      source: this.#sourceText(step),
    };
  }

  /** File and line of an instruction; null if neither the log nor the object has them. */
  placeOf(insn: number | null, step: number | null): SourcePlace | null {
    if (insn !== null && insn === this.insn && this.block?.at?.line != null) {
      const { file, line } = this.block.at;
      return { file, line };
    }
    const source = step === null ? null : this.walk.sourceOf(step);
    if (source !== null && source.line !== null && !source.isUncertain) {
      return { file: source.file, line: source.line };
    }
    const inObject = insn === null ? null : this.#objectPlace(insn);
    if (inObject !== null) return inObject;
    const { object } = this.binding;
    if (source !== null && !source.isUncertain) return placeOfText(object, source.text);
    return step === null ? null : subprogramPlace(object, this.walk, this.#entryOf(step), step);
  }

  /** Returns the first step of a step's function on its path. */
  #entryOf(step: number): number {
    const { walk } = this;
    const frame = walk.frameOf(step);
    const isEntry = (at: number) =>
      walk.frameOf(at) === frame &&
      (walk.parentOf(at) === null || walk.frameOf(walk.parentOf(at) ?? 0) < frame);
    return walk.pathTo(step, MAX_SOURCES).findLast(isEntry) ?? step;
  }

  get place(): SourcePlace | null {
    return this.placeOf(this.insn, this.step);
  }

  /** Source text of the failing line; empty if the log does not have it. */
  get source(): string {
    return this.#sourceText(this.step);
  }

  #sourceText(step: number | null): string {
    const source = step === null ? null : this.walk.sourceOf(step);
    return source === null || source.isUncertain ? '' : source.text;
  }

  /** ` at instruction 12 (null.bpf.c:14)`, or nothing if no instruction is known. */
  get at(): string {
    return this.insn === null ? '' : ` at ${this.where}`;
  }

  /** `instruction 12 (null.bpf.c:14)`; `the program` if no instruction is known. */
  get where(): string {
    return this.insn === null ? 'the program' : `instruction ${this.#at(this.insn, this.step)}`;
  }

  /** Returns `instruction 6 (null.bpf.c:12)`, with the text of an instruction that is no call. */
  whereOf({ insn, step, text, printed }: Origin): string {
    const isShort = printed !== '' && printed.length <= 60 && text?.form !== 'call';
    return `instruction ${this.#at(insn, step, isShort ? `\`${printed}\`` : '')}`;
  }

  #at(insn: number, step: number | null, code = ''): string {
    const place = this.placeOf(insn, step);
    const line =
      place === null || place.line === null
        ? ''
        : `${place.file ?? 'line '}${place.file === null ? '' : ':'}${place.line}`;
    const notes = [code, line].filter((note) => note !== '').join(', ');
    return notes === '' ? `${insn}` : `${insn} (${notes})`;
  }

  /** ` in line 14`, or nothing. */
  lineText(place: SourcePlace | null): string {
    return place === null || place.line === null ? '' : ` in line ${place.line}`;
  }

  /** Variable that holds the value of the register; null if it is not certain. */
  get variable(): string | null {
    const birth = this.birth;
    if (birth === null || this.step === null || birth.source === '') return null;
    const birthPlace = this.placeOf(birth.insn, birth.step);
    const isSameLine = birth.source === this.source && birthPlace?.line === this.place?.line;
    if (isSameLine) return null;
    const callee = birth.text?.call?.name;
    const name =
      birth.text?.form === 'load'
        ? assignedVariable(birth.source)
        : callee
          ? variableOfCall(birth.source, callee)
          : null;
    if (name === null) return null;
    const isUsed = this.text?.mem ? isFollowed(this.source, name) : isMentioned(this.source, name);
    return isUsed ? name : null;
  }

  /** Variable that holds the reference which the blamed call acquired; null if it is not certain. */
  get heldVariable(): string | null {
    const { origin } = this;
    const callee = origin?.text?.call?.name;
    return origin === null || !callee ? null : variableOfCall(origin.source, callee);
  }

  /** Comparison of the value that may be NULL with a register that is 0, since its birth; or null. */
  get registerComparison(): Origin | null {
    const value = this.valueOf();
    const id = value?.kv.find(([key]) => key === 'id')?.[1];
    if (this.step === null || id === undefined) return null;
    for (const step of this.walk.pathTo(this.step, MAX_SOURCES).reverse()) {
      const text = this.walk.textOf(step);
      if (text?.form !== 'branch' || text.src === null || text.dst === null) continue;
      const { regs } = this.#states.before(step);
      const operands = [text.dst, text.src].map((operand) => regs.get(`R${operand}`));
      const isValue = (one: Value | undefined) =>
        one?.type === value?.type && one?.kv.find(([key]) => key === 'id')?.[1] === id;
      const isZero = (one: Value | undefined) => one?.const === '0';
      if (operands.some(isValue) && operands.some(isZero)) {
        return this.originAt(this.walk.insnOf(step), step);
      }
    }
    return null;
  }

  /** CO-RE record of the failing instruction in the object: `byte_off of a.b in struct c`, or null. */
  get coreRecord(): string | null {
    return this.insn === null ? null : coreRecordText(this.binding, this.insn);
  }

  /** Register as the subject of a sentence: `` `e` (R0) ``, or `R0`. */
  get subject(): string {
    const register = this.register ?? 'The value';
    return this.variable === null ? register : `\`${this.variable}\` (${register})`;
  }

  /** Source lines of the walk, each once. */
  *sources(): Generator<string> {
    const seen = new Set<number>();
    for (let step = 0; step < Math.min(this.walk.stepCount, MAX_SOURCES); step++) {
      const line = this.walk.sourceLines[step] ?? -1;
      if (line < 0 || seen.has(line)) continue;
      seen.add(line);
      yield this.walk.sourceOf(step)?.text ?? '';
    }
  }

  stateAfter(step: number): State {
    return this.#states.after(step);
  }

  /** What the line of a step says that the step changed; null without a state. */
  changesOf(step: number): State | null {
    return this.#states.changesOf(step);
  }

  /** Name of the function of the failing instruction; null if it is not known. */
  get function(): string | null {
    if (this.block?.at?.function != null) return this.block.at.function;
    const { insn } = this;
    const inCode =
      insn === null ? undefined : this.binding.code?.parts.findLast((one) => one.insnOff <= insn);
    if (this.step === null) return inCode?.name ?? null;
    const frame = this.walk.frameOf(this.step);
    const defined = definedFunction(this.#sourceText(this.#entryOf(this.step)));
    return (
      defined ??
      inCode?.name ??
      functionOfPlace(this.binding.object, this.place) ??
      (frame === 0 ? this.binding.program : null)
    );
  }
}

function slotAt(off: number | null): string | null {
  return off === null || !Number.isInteger(off) || off >= 0 || off < -512 ? null : slotName(off);
}
