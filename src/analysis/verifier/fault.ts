/**
 * The fault that a log ends with: message, instruction, register, value and its origin, in the words
 * of the program.
 */

import { sourceLine } from '#analysis/code/source-lines.ts';
import { coreRecord, coreRecordsAt } from '#analysis/core/core-records.ts';
import { walkAccess } from '#analysis/core/parse-spec.ts';
import { functionAt, functionsOf } from '#analysis/objects/functions.ts';
import type { DiagnosticBlock } from '#formats/verifier-log/diagnostic-block.ts';
import type { InsnText } from '#formats/verifier-log/insn-text.ts';
import type { State, Value } from '#formats/verifier-log/line.ts';
import { sectionIndex } from '#model/ids.ts';
import { type Blame, type BlameHint, blameFor, slotUnder } from './blame.ts';
import type { LogPart } from './log-parts.ts';
import type { Message } from './message.ts';
import type { Question } from './question.ts';
import { questionOf } from './rule-questions.ts';
import {
  assignedVariable,
  definedFunction,
  isFollowed,
  isMentioned,
  variableOfCall,
} from './source-names.ts';
import { StepStates, slotName } from './step-states.ts';
import { isCutOf, type LogBinding } from './typed-value.ts';
import type { Walk } from './walk.ts';

/** A message of the verdict, and its line. */
export type FaultMessage = {
  readonly message: Message;
  readonly line: number;
  readonly text: string;
};

/** A place in the program. */
export type SourcePlace = { readonly file: string | null; readonly line: number | null };

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

/** Maximum number of line records of an object that are read. */
const MAX_LINES = 50_000;

/** A fault, read from the log on demand. Names are raw text of the log. */
export class Fault {
  readonly message: Message;
  /** Line of the message, from 0. */
  readonly line: number;
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
    this.messages = options.messages;
    this.binding = options.binding;
    this.block = part.block;
    this.isHeadCut = part.isHeadCut;
    this.walk = walk;
    this.step = step;
    this.insn = insn;
    this.#states = new StepStates(walk);
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

  /** The main message as the kernel printed it. */
  get messageText(): string {
    return this.messages.find(({ line }) => line === this.line)?.text ?? this.message.format;
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
    if (NO_REGISTER.has(rule)) return null;
    const slot = this.#slotOf();
    if (slot !== null) return slot;
    if (this.message.register !== null) return this.#countedFromOne(this.message.register);
    const named = this.messages.find(({ message }) => message.register !== null);
    if (named !== undefined) return named.message.register;
    const { text } = this;
    if (text?.mem) return `R${text.mem.base}`;
    if (text?.form === 'call') return this.#argument();
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
        return mem?.base === 10 ? slotAt(mem.off) : null;
      }
      case 'leak-from-stack':
        return slotAt(Number(values[0]));
      default:
        return null;
    }
  }

  /** First byte of the stack that an access reads, from the frame pointer; null if not known. */
  get stackOff(): number | null {
    const off = this.number('off');
    if (off !== null) return off;
    const numbers = Object.entries(this.message.values)
      .filter(([key]) => key !== 'R' && key !== 'size')
      .map(([, text]) => text)
      .filter((text) => /^[-+]?\d{1,6}$/.test(text))
      .map(Number);
    const [base] = numbers;
    return base ?? null;
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
    return operands.find((name) => this.valueOf(name)?.type === 'scalar') ?? null;
  }

  /** Argument of a call that a rule is about, where the message does not name it. */
  #argument(): string | null {
    const regs = this.stateBefore()?.regs;
    if (/^bpf_(?:res_)?spin_(?:un)?lock/.test(this.callee ?? '')) return 'R1';
    const wanted = ARGUMENT_TYPES.find(([rules]) => rules.has(this.message.rule))?.[1];
    if (regs === undefined || wanted === undefined) return null;
    for (let i = 1; i <= 5; i++) {
      const value = regs.get(`R${i}`);
      if (value !== undefined && wanted.test(value.type)) return `R${i}`;
    }
    return null;
  }

  #blame(register: string | null): Blame {
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
    const blame = blameFor(this.walk, this.step, under ?? register, this.question, this.#hint());
    if (blame.register !== null || this.question !== 'region-irq') return blame;
    const entered = blame.steps.find((step) => this.walk.insnOf(step) === blame.insn);
    const [slot] =
      entered === undefined ? [] : (this.#states.changesOf(entered)?.stack.keys() ?? []);
    return { ...blame, register: slot ?? null };
  }

  #hint(): BlameHint {
    const named = this.number('alloc_insn') ?? this.number('insn_idx');
    const hint: { insn?: number; stackOff?: number; size?: number } = {};
    if (named !== null) hint.insn = named;
    if (/^stack-(?:uninit|indirect|slot)/.test(this.message.rule)) {
      const off = this.stackOff;
      const size = this.number('size');
      if (off !== null) hint.stackOff = off;
      if (size !== null) hint.size = size;
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
      source: step === null ? '' : (this.walk.sourceOf(step)?.text ?? ''),
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
    return (
      inObject ?? (source === null || source.isUncertain ? null : this.#placeOfText(source.text))
    );
  }

  /** Only line of the object with this text, for logs without line numbers; else null. */
  #placeOfText(text: string): SourcePlace | null {
    const { object } = this.binding;
    if (object === null || text === '') return null;
    let place: SourcePlace | null = null;
    for (let row = 0; row < Math.min(object.ext.line.count, MAX_LINES); row++) {
      const found = sourceLine(object, row);
      if (found.text.trim() !== text.trim()) continue;
      if (place !== null && place.line !== found.line) return null;
      place = { file: found.file.replace(/^.*\//, ''), line: found.line };
    }
    return place;
  }

  get place(): SourcePlace | null {
    return this.placeOf(this.insn, this.step);
  }

  /** Source text of the failing line; empty if the log does not have it. */
  get source(): string {
    return this.step === null ? '' : (this.walk.sourceOf(this.step)?.text ?? '');
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
    if (this.step === null) return null;
    const frame = this.walk.frameOf(this.step);
    const path = this.walk.pathTo(this.step, MAX_SOURCES);
    const isEntry = (at: number) =>
      this.walk.frameOf(at) === frame &&
      (this.walk.parentOf(at) === null || this.walk.frameOf(this.walk.parentOf(at) ?? 0) < frame);
    const entry = path.findLast(isEntry);
    const source = entry === undefined ? null : this.walk.sourceOf(entry);
    const defined = source === null ? null : definedFunction(source.text);
    return defined ?? this.#functionInObject() ?? (frame === 0 ? this.binding.program : null);
  }

  /** Function of the object that has the failing line; null if none or several do. */
  #functionInObject(): string | null {
    const { object } = this.binding;
    const { place } = this;
    if (object === null || place?.line == null) return null;
    const names = new Set<string>();
    const { line } = object.ext;
    for (let row = 0; row < Math.min(line.count, MAX_LINES) && names.size < 2; row++) {
      if ((line.lineCol[row] ?? 0) >>> 10 !== place.line) continue;
      const section = line.section[row] ?? -1;
      if (section < 0) continue;
      const func = functionAt(object, sectionIndex(section), line.insnOff[row] ?? 0);
      const { file } = sourceLine(object, row);
      if (func !== null && (place.file === null || file.endsWith(place.file))) names.add(func.name);
    }
    const [only, other] = names;
    return other === undefined ? (only ?? null) : null;
  }
}

/** Rules that are about no register, though their messages follow others or their instruction has one. */
const NO_REGISTER: ReadonlySet<string> = new Set([
  ...['helper-not-allowed', 'invalid-func', 'kfunc-not-allowed', 'call-under-lock', 'lock-order'],
  ...['exit-under-lock', 'sleepable-call', 'rcu-section', 'preempt-section', 'unknown-opcode'],
  ...['unreleased-reference', 'reference-leak', 'infinite-loop', 'too-many-insns', 'gpl-licence'],
  ...['jump-sequence-too-complex', 'reserved-fields', 'bad-ldimm64'],
]);

/** Rules about an object in the stack slot that an argument points to. */
const OBJECT_RULES: ReadonlySet<string> = new Set([
  'iterator-argument',
  'irq-flag',
  'dynptr-overwrite',
]);

/** Types of the argument that a rule is about. */
const ARGUMENT_TYPES: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [new Set(['map-func-compat', 'map-sleepable', 'map-callback']), /^map_ptr$/],
  [
    new Set(['lock-argument', 'special-field-offset', 'special-field-access', 'kptr-argument']),
    /^(?:map_value|ptr_)/,
  ],
  [new Set(['release-unacquired']), /ptr_|sock/],
  [new Set(['dynptr-overwrite', 'irq-flag', 'iterator-argument', 'dynptr-argument']), /^fp$/],
  [new Set(['graph-lock-not-held', 'graph-node']), /^(?:map_value|ptr_)/],
];

/** Returns the only CO-RE record of an instruction of the bound program as text; null without one. */
function coreRecordText({ object, program }: LogBinding, insn: number): string | null {
  if (object === null || object.types === null || program === null) return null;
  const func = functionsOf(object).find((one) => one.isProgram && isCutOf(program, one.name));
  const offset = func === undefined ? 0 : func.start + insn * 8;
  if (func === undefined || offset >= func.end) return null;
  const [index, other] = coreRecordsAt(object, func.section, offset);
  if (index === undefined || other !== undefined) return null;
  const { kindName, root, accessStr, kind } = coreRecord(object, index);
  const { spec } = walkAccess(object.types, root, accessStr, kind);
  return `${kindName} of \`${spec.replace(/ \([^()]*\)$/, '')}\``;
}

function slotAt(off: number | null): string | null {
  return off === null || !Number.isInteger(off) || off >= 0 || off < -512 ? null : slotName(off);
}
