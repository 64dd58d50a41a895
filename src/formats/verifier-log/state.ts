/**
 * Reads a state of the verifier: `frame1: R0=0 R1=ctx() fp-8=mmmm???? refs=2 cb`. Source: the
 * kernel's print_verifier_state and print_reg_state (kernel/bpf/log.c; verifier.c up to 6.6).
 */
import type { State, Value } from './line.ts';

const REGISTER = /R(\d{1,2})(?:_([rwD]{0,4}))?=/y;
const SLOT = /(fp-?\d{1,10})(?:_([rwD]{0,4}))?=/y;
const FRAME = /frame(\d{1,5}):/y;
const REFS = /refs=(\d{1,10}(?:,\d{1,10})*)(?= |$)/y;
const FLAG = /(?:async_cb|cb)(?= |$)/y;

/** Matches the first item of a state. */
const FIRST_ITEM =
  /(?:R\d{1,2}|fp-?\d{1,10})(?:_[rwD]{0,4})?=|frame\d{1,5}:|refs=\d|(?:async_)?cb\b/y;

/** True if a state begins at `at` in `text`. */
export function isStateAt(text: string, at: number): boolean {
  FIRST_ITEM.lastIndex = at;
  return FIRST_ITEM.test(text);
}

/**
 * Reads the state at `start` to the end of `text`. Stops at the first item that is none of a state,
 * and at a value whose brackets do not close, as in the last line of a log that was cut.
 */
export function readState(text: string, start: number, isFull: boolean): State {
  const regs = new Map<string, Value>();
  const stack = new Map<string, Value>();
  const flags: string[] = [];
  let refs: number[] = [];
  let frame = 0;
  let hasOldSpelling = false;
  for (let at = start; at < text.length; ) {
    if (text[at] === ' ') {
      at += 1;
      continue;
    }
    const item = itemAt(REGISTER, text, at) ?? itemAt(SLOT, text, at);
    if (item !== null) {
      const from = at + item[0].length;
      const end = valueEnd(text, from);
      if (end < 0) break;
      const word = text.slice(from, end);
      const isSlot = text[at] === 'f';
      hasOldSpelling ||= word.startsWith('inv') || word.includes('(id=0,');
      const value = isSlot ? readSlot(word, item[2]) : readValue(word, item[2]);
      if (isSlot) stack.set(item[1] ?? '', value);
      else regs.set(`R${item[1]}`, value);
      at = end;
      continue;
    }
    const other = itemAt(FRAME, text, at) ?? itemAt(REFS, text, at) ?? itemAt(FLAG, text, at);
    if (other === null) break;
    if (other[0].startsWith('frame')) frame = Number(other[1]);
    else if (other[0].startsWith('refs')) refs = (other[1] ?? '').split(',').map(Number);
    else flags.push(other[0]);
    at += other[0].length;
  }
  // Up to Linux 5.16 every state has all registers; their values have the old spelling.
  return { frame, regs, stack, refs, flags, isFull: isFull || hasOldSpelling };
}

function itemAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}

/** Returns the end of the value at `start`: the next space outside of brackets; else -1. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === ' ' && depth === 0) return at;
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
  }
  return depth === 0 ? text.length : -1;
}

const BYTES = /^[?rm0dfip]{8}$/;
/** Bytes of a slot above a spilled register of 1, 2 or 4 bytes, then the register. */
const PART_OF_SLOT = /^([?rm0dfip]{7}|[?rm0dfip]{6}|[?rm0dfip]{4})((?:P|-?\d|scalar\().*)$/;

function readSlot(word: string, live: string | undefined): Value {
  if (BYTES.test(word)) return { type: 'slots', kv: [], bytes: word, ...liveOf(live) };
  const part = PART_OF_SLOT.exec(word);
  if (part === null) return readValue(word, live);
  return { ...readValue(part[2] ?? '', live), bytes: part[1] ?? '' };
}

function liveOf(live: string | undefined): Pick<Value, 'live'> {
  return live === undefined || live === '' ? {} : { live };
}

const NUMBER = /^-?(?:0x[0-9a-f]{1,32}|\d{1,39})$/;
/** Offset of a stack pointer; Linux 5.4 adds the instruction of the call. */
const STACK_POINTER =
  /^fp(?:\[(\d{1,5})\])?(-?(?:0x[0-9a-f]{1,32}|\d{1,20}))(?:,call_(-?\d{1,10}))?$/;
const STACK_FRAME = /^fp\[(\d{1,5})\]$/;

function readValue(word: string, live: string | undefined): Value {
  const [text, isPrecise] = newSpelling(word);
  const marks: Partial<Value> = { ...(isPrecise ? { precise: true } : {}), ...liveOf(live) };
  if (NUMBER.test(text)) return { type: 'scalar', kv: [], const: text, ...marks };
  const pointer = STACK_POINTER.exec(text);
  if (pointer !== null) {
    const [, frame, off = '', callsite] = pointer;
    const kv = callsite === undefined ? [] : [['call', callsite] as const];
    return { type: 'fp', kv, off, ...frameOf(frame), ...marks };
  }
  const bracket = text.indexOf('(');
  if (bracket < 0 || !text.endsWith(')')) {
    return { type: text === '' ? 'scalar' : text, kv: [], isBare: true, ...marks };
  }
  const type = text.slice(0, bracket);
  const frame = STACK_FRAME.exec(type)?.[1];
  const kv = readPairs(text.slice(bracket + 1, -1));
  return { type: frame === undefined ? type : 'fp', kv, ...frameOf(frame), ...marks };
}

/** Returns a value in the spelling of newer kernels, without the mark of a precise number. */
function newSpelling(word: string): [text: string, isPrecise: boolean] {
  const old = /^inv(P?)(.*)$/.exec(word);
  if (old !== null) {
    const [, mark, rest = ''] = old;
    if (rest === '' || NUMBER.test(rest)) return [rest, mark !== ''];
    if (rest.startsWith('(')) return [`scalar${rest}`, mark !== ''];
    return [word, false];
  }
  return /^P(?:$|-?\d|[a-z]+\()/.test(word) ? [word.slice(1), true] : [word, false];
}

function frameOf(frame: string | undefined): Pick<Value, 'frame'> {
  return frame === undefined ? {} : { frame: Number(frame) };
}

const NEW_KEYS: ReadonlyMap<string, string> = new Map([
  ['smin_value', 'smin'],
  ['smax_value', 'smax'],
  ['umin_value', 'umin'],
  ['umax_value', 'umax'],
  ['s32_min_value', 'smin32'],
  ['s32_max_value', 'smax32'],
  ['u32_min_value', 'umin32'],
  ['u32_max_value', 'umax32'],
  ['s32_min', 'smin32'],
  ['s32_max', 'smax32'],
  ['u32_min', 'umin32'],
  ['u32_max', 'umax32'],
]);

/** Reads `id=1,smin=umin=3,var_off=(0x0; 0xff)`: joined keys become pairs of the same value. */
function readPairs(text: string): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let start = 0; start < text.length; ) {
    const end = itemEnd(text, start);
    const words = text.slice(start, end).split('=');
    const value = words.length > 1 ? (words.pop() ?? '') : '';
    for (const key of words) pairs.push([NEW_KEYS.get(key) ?? key, value]);
    start = end + 1;
  }
  return pairs;
}

/** Returns the end of the item at `start`: the next comma outside of brackets. */
function itemEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === ',' && depth === 0) return at;
    if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
  }
  return text.length;
}
