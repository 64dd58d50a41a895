/**
 * Says why the verifier refused a program: what it wanted, what it had, where the value came from,
 * and what to write instead. All texts are raw text of the log: escape them when drawn.
 */
import type { Hunk } from '#analysis/load/source-diff.ts';
import { functionsOf } from '#analysis/objects/functions.ts';
import { LINE_CLASSES } from '#formats/verifier-log/line.ts';
import { messageLength } from '#formats/verifier-log/summary.ts';
import { cardOf } from './cards.ts';
import { encodingFault } from './encoding-fault.ts';
import { Fault, type FaultMessage } from './fault.ts';
import { typeOf } from './fault-type.ts';
import { firstOwnLine } from './log-groups.ts';
import type { LogPart } from './log-parts.ts';
import type { LogTable } from './log-table.ts';
import { type Message, matchMessage } from './message.ts';
import { messageTold } from './message-sentences.ts';
import { INFORMATION } from './message-table.ts';
import type { LoadedCode } from './program-codes.ts';
import { repairOf } from './repair.ts';
import { repairCaseOf } from './repair-case.ts';
import { isUninitialisedRead } from './rule-questions.ts';
import { objectPlaces, type SourcePlace } from './source-places.ts';
import { CALLS, rewrittenTold } from './tell-calls.ts';
import { MEMORY } from './tell-memory.ts';
import { POINTERS } from './tell-pointers.ts';
import { REGIONS } from './tell-regions.ts';
import { STACK } from './tell-stack.ts';
import { fromOrigin, type Tellers, type Told } from './told.ts';
import type { LogBinding, TypedValue } from './typed-value.ts';
import { type Walk, walkOf } from './walk.ts';

export type Answer = {
  readonly verdict: LogPart['verdict'];
  readonly error: {
    /** The verifier's message. */
    readonly line: string;
    /** Number of the line in the text, from 1. */
    readonly n: number;
    /** Rule of the message: the name of its card. */
    readonly class: string;
    readonly insn: number | null;
    readonly function: string | null;
    readonly source: SourcePlace | null;
    readonly register: string | null;
  } | null;
  /** Instruction that made the value what it is; null if none did. */
  readonly blame: { readonly insn: number; readonly source: SourcePlace | null } | null;
  /** Instructions from the value's birth to the fault. */
  readonly chain: readonly number[];
  readonly type: TypedValue | null;
  readonly cause: string;
  readonly fix: string;
  /** The repair as a change of the source, where it follows from what is known; else null. */
  readonly edit: Hunk | null;
  /** Lines of the loader around the log. */
  readonly loader: readonly string[];
  /** Number of lines that no kernel and no loader that was read prints. */
  readonly unknown: number;
};

const TELLERS: Tellers = { ...MEMORY, ...STACK, ...POINTERS, ...CALLS, ...REGIONS };

/** Returns the answer for one log of a text. */
export function answerFor(table: LogTable, part: LogPart, binding: LogBinding): Answer {
  const program = binding.program ?? part.program ?? onlyProgram(binding);
  const bound = { ...binding, program };
  const rest = { loader: loaderLines(table, part), unknown: countUnknown(table, part) };
  const none = {
    error: null,
    blame: null,
    chain: [],
    type: null,
    cause: '',
    fix: '',
    edit: null,
    ...rest,
  };
  if (part.verdict === 'accepted' || part.kind !== 'verifier') {
    return { verdict: part.verdict, ...none };
  }
  const messages = verdictMessages(table, part);
  const rewritten = rewrittenLines(table, part);
  const main = rewritten?.main ?? mainMessage(messages);
  if (main === null) return { verdict: part.verdict, ...none };
  const walk = walkOf(table, part);
  const insn = rewritten?.insn ?? faultInsn(main, walk, part, bound.code ?? null);
  const step = insn === null ? null : stepOf(walk, insn, main);
  const placeInObject = objectPlaces(bound);
  const options = { main, messages, part, walk, step, insn, binding: bound, placeInObject };
  const fault = new Fault(options);
  const told = (rewritten === null ? null : rewrittenTold(fault, rewritten.text)) ?? tell(fault);
  const { blame } = fault;
  const repaired = repairCaseOf(fault);
  return {
    verdict: part.verdict,
    error: {
      line: main.text.trimEnd(),
      n: main.line + 1,
      class: fault.message.rule,
      insn,
      function: fault.function,
      source: fault.place,
      register: fault.register,
    },
    blame:
      blame.insn === null
        ? null
        : { insn: blame.insn, source: fault.placeOf(blame.insn, fault.origin?.step ?? null) },
    chain: blame.chain,
    type: typeOf(fault),
    ...told,
    edit: repaired === null ? null : repairOf(repaired),
    ...rest,
  };
}

/** Returns the name of the object's only program; null if it has several. */
function onlyProgram({ object }: LogBinding): string | null {
  const programs = object === null ? [] : functionsOf(object).filter(({ isProgram }) => isProgram);
  return programs.length === 1 ? (programs[0]?.name ?? null) : null;
}

/** Returns the sentences of the message, else of the rule, else those of its card. */
function tell(fault: Fault): Told {
  return messageTold(fault, fault.messageText, () => tellRule(fault).fix) ?? tellRule(fault);
}

function tellRule(fault: Fault): Told {
  const { rule } = fault.message;
  const teller = TELLERS[rule];
  if (teller !== undefined) return teller(fault);
  const card = cardOf(rule);
  const title = card?.title ?? 'The verifier refuses the program';
  const at = fault.insn === null ? '' : ` at ${fault.where}`;
  const { register } = fault;
  const named = register === null || fault.insn === null ? '' : ` (${register})`;
  const origin =
    register === null ? '' : fromOrigin(fault, ` The value in ${register} comes from `);
  const [repair] = card?.repair.filter(({ language }) => language === null) ?? [];
  return {
    cause: `${title}${at}${named}.${origin === '' ? '' : `${origin}.`}`,
    fix: repair?.text ?? '',
  };
}

/** Maximum number of lines before the end of a log that are searched for its message. */
const MAX_TAIL = 400;

/** Returns the messages of the verdict, in order. */
function verdictMessages(table: LogTable, part: LogPart): FaultMessage[] {
  const known = part.errorLines.flatMap((line) => messageAt(table, line));
  const [only] = known;
  if (only?.message.rule === 'global-func-args' && known.length === 1) {
    const text = only.line === 0 ? '' : table.textOf(only.line - 1);
    const before = /^arg#\d+ reference type/.test(text) ? matchMessage(text) : null;
    if (before === null) return known;
    const message = { ...before, rule: 'global-func-prototype' };
    return [{ message, line: only.line - 1, text }, only];
  }
  if (known.length > 0) return known;
  const quoted = part.excerpt === null ? [] : quotedMessages(part.excerpt, part.firstLine);
  if (quoted.length > 0) return quoted;
  const start = Math.max(part.firstLine, part.lastLine - MAX_TAIL);
  for (let line = part.lastLine; line >= start; line--) {
    if (!MESSAGE_CLASSES.has(table.classes[line] ?? 0)) continue;
    const found = messageAt(table, line);
    if (found.length > 0) return [...messageAt(table, line - 1), ...found];
  }
  return [];
}

/** Most places in a quoted text at which a message is looked for. */
const MAX_QUOTED = 16;

/**
 * Returns the messages of a text that cilium/ebpf quotes: the last line, or two lines with `: `
 * between. Source: cilium/ebpf's internal/errors.go, VerifierError.Error.
 */
function quotedMessages(text: string, line: number): FaultMessage[] {
  const whole = matchMessage(text);
  if (whole !== null) return [{ message: whole, line, text }];
  let at = text.indexOf(': ');
  for (let tries = 0; at >= 0 && tries < MAX_QUOTED; tries++, at = text.indexOf(': ', at + 1)) {
    const last = text.slice(at + 2);
    const message = matchMessage(last);
    if (message === null) continue;
    const first = text.slice(0, at);
    const before = matchMessage(first);
    const own = { message, line, text: last };
    return before === null ? [own] : [{ message: before, line, text: first }, own];
  }
  return [];
}

const MESSAGE_CLASSES: ReadonlySet<number> = new Set(
  (['error', 'other', 'unknown'] as const).map((name) => LINE_CLASSES.indexOf(name)),
);
const UNKNOWN = LINE_CLASSES.indexOf('unknown');
const LOADER = LINE_CLASSES.indexOf('loader');

function messageAt(table: LogTable, line: number): FaultMessage[] {
  if (line < 0 || !MESSAGE_CLASSES.has(table.classes[line] ?? 0)) return [];
  const whole = table.textOf(line);
  const text = whole.slice(0, messageLength(whole));
  const message = matchMessage(text);
  return message === null || message.class === INFORMATION ? [] : [{ message, line, text }];
}

/** Returns the message that names the fault: others of the verdict only close or detail it. */
function mainMessage(messages: readonly FaultMessage[]): FaultMessage | null {
  const last = messages.at(-1);
  if (last === undefined) return null;
  const find = (test: (message: Message) => boolean) =>
    messages.findLast(({ message }) => test(message));
  const { rule } = last.message;
  if (rule === 'reference-leak') {
    const isExit = /exit|EXIT/.test(last.text);
    return (isExit ? find((message) => message.rule === 'unreleased-reference') : null) ?? last;
  }
  const prototype = find(({ rule: other }) => PROTOTYPES.has(other));
  if (rule === 'global-func-args' && prototype !== undefined) return prototype;
  const bounds = find(({ rule: other }) => BOUNDS.has(other));
  const offset = find(({ rule: other }) => other === 'stack-object-offset');
  if (offset !== undefined && /^(?:iterator|dynptr|irq)-/.test(rule)) return offset;
  const packet = find(({ rule: other, values }) => other === 'packet-bounds' && 'r' in values);
  if (packet !== undefined) {
    return packet.message.values.r === '0' && last !== packet ? proofless(packet, last) : packet;
  }
  if (rule === 'offset-below-min' && bounds !== undefined) return bounds;
  if (isUninitialisedRead(last.message)) {
    return { ...last, message: { ...last.message, rule: 'stack-uninit-read' } };
  }
  return last;
}

/** Rules about the declaration of a global function, which each call of it breaks. */
const PROTOTYPES: ReadonlySet<string> = new Set([
  ...['global-func-prototype', 'global-func-tags', 'global-func-context', 'global-func-return'],
]);

const BOUNDS: ReadonlySet<string> = new Set(['map-value-bounds', 'map-key-bounds', 'mem-bounds']);

/** The line after an access to a packet of which no byte is proved is about the pointer. */
function proofless(packet: FaultMessage, last: FaultMessage): FaultMessage {
  return { ...last, message: { ...packet.message, register: last.message.register } };
}

/** Rules of which the verifier knows before or after the walk: the last instruction is not at fault. */
const NO_INSN: ReadonlySet<string> = new Set([
  ...['stack-size', 'jit-required', 'func-info', 'line-info', 'core-relo', 'kernel-btf'],
  ...['subprog-count', 'last-insn', 'map-count', 'map-fd', 'map-preallocated'],
  ...['map-program-compat', 'lock-program-type', 'kfunc-unresolved', 'attach-prototype'],
  ...['attach-target-missing', 'attach-sleepable', 'attach-modify-return', 'attach-denied'],
  ...['attach-to-program', 'extension-mismatch', 'struct-ops-member', 'btf-header', 'btf-type'],
  ...['btf-section', 'liveness-limit', 'kfunc-count', 'lsm-cgroup-return'],
]);

/** Messages that name their instruction: the conversion with its index. */
const NAMED_INSNS: Readonly<Record<string, string>> = {
  'infinite-loop': '0',
  'unreachable-insn': '0',
  'jump-out-of-range': '0',
  'back-edge': '0',
  throw: '0',
};

/** Returns the instruction at which the program fails; null if the log does not tell. */
function faultInsn(
  { message }: FaultMessage,
  walk: Walk,
  part: LogPart,
  code: LoadedCode | null,
): number | null {
  const { rule, values } = message;
  const encoded = encodingFault(message, code, part.block);
  if (encoded !== null || rule === 'jump-into-ldimm64') return encoded;
  const key = NAMED_INSNS[rule];
  const named = key === undefined ? undefined : values[key];
  if (named !== undefined && /^\d{1,9}$/.test(named)) return Number(named);
  if (part.block?.at?.insn != null) return part.block.at.insn;
  if (NO_INSN.has(rule) || rule === 'throw' || walk.stepCount === 0) return null;
  const last = walk.stepCount - 1;
  // A function that is verified on its own has no call in the log.
  if (PROTOTYPES.has(rule) && walk.textOf(last)?.form !== 'call') return null;
  return rule === 'too-many-insns' ? nextInsn(walk, last) : walk.insnOf(last);
}

/** Returns the instruction after a step: the log of a program that is too large lacks the last one. */
function nextInsn(walk: Walk, step: number): number {
  const insn = walk.insnOf(step);
  const text = walk.textOf(step);
  if (text !== null && !['branch', 'goto', 'call', 'exit'].includes(text.form)) {
    return insn + (/ ll$|^r\d+ = 0x[0-9a-f]{9,}/.test(walk.printedOf(step)) ? 2 : 1);
  }
  for (let at = step - 1; at >= 0; at--) {
    if (walk.insnOf(at) === insn && walk.parentOf(at + 1) === at) return walk.insnOf(at + 1);
  }
  return insn;
}

/** Returns the step of the failing instruction: the last one, if it is the same instruction. */
function stepOf(walk: Walk, insn: number, { message }: FaultMessage): number | null {
  const last = walk.stepCount - 1;
  if (last < 0) return null;
  if (message.rule === 'infinite-loop' || message.rule === 'too-many-insns') {
    return walk.lastStepOf(insn) ?? last;
  }
  return walk.insnOf(last) === insn ? last : walk.lastStepOf(insn);
}

const REWRITTEN = /^(\d{1,9}): <invalid (?:CO-RE relocation|BPF map reference|kfunc call)>$/;

/** Returns the lines that libbpf wrote over those of a mark that the program reached. */
function rewrittenLines(table: LogTable, part: LogPart) {
  const start = Math.max(part.firstLine, part.lastLine - MAX_TAIL);
  for (let line = part.lastLine; line > start; line--) {
    const insn = REWRITTEN.exec(table.textOf(line - 1))?.[1];
    if (insn === undefined) continue;
    const text = table.textOf(line);
    const message: Message = {
      format: 'invalid func %s#%d\\n',
      class: 'helpers',
      rule: 'invalid-func',
      values: {},
      register: null,
      rest: '',
    };
    return { insn: Number(insn), text, main: { message, line, text } };
  }
  return null;
}

const MAX_LOADER_LINES = 50;

function loaderLines(table: LogTable, part: LogPart): string[] {
  const lines: string[] = [];
  const isLoader = (line: number) => table.classes[line] === LOADER;
  const logs = table.parts.filter(({ kind }) => kind !== 'loader');
  const before = logs.findLast(({ lastLine }) => lastLine < part.firstLine);
  const next = logs.find(({ firstLine }) => firstLine > part.lastLine);
  const textOf = (line: number) => table.textOf(line);
  const start = firstOwnLine(textOf, before?.lastLine ?? -1, part.firstLine);
  const end =
    next === undefined ? table.lineCount : firstOwnLine(textOf, part.lastLine, next.firstLine);
  let first = part.firstLine;
  while (first > start && part.firstLine - first < MAX_LOADER_LINES && isLoader(first - 1)) first--;
  let last = part.lastLine;
  while (last + 1 < end && last - part.lastLine < MAX_LOADER_LINES && isLoader(last + 1)) last++;
  for (let line = first; line <= last && lines.length < MAX_LOADER_LINES; line++) {
    if (isLoader(line)) lines.push(table.textOf(line));
  }
  return lines;
}

function countUnknown(table: LogTable, part: LogPart): number {
  let count = 0;
  for (let line = part.firstLine; line <= part.lastLine; line++) {
    if (table.classes[line] === UNKNOWN && table.textOf(line) !== '') count++;
  }
  return count;
}
