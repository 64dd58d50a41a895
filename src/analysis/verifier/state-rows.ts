/** Rows of a verifier state as the page shows them: values by type, ranges in decimal and hexadecimal. */
import type { State, Value } from '#formats/verifier-log/line.ts';
import { type LogBinding, numberOf, textOf, typedValue } from './typed-value.ts';
import { integerOf } from './value-text.ts';

/** A value in short words. Names are raw text of the log and the files. */
export type ShownValue = {
  /** `struct task_struct *`, `map_value of "events"`, `0 to 63`, `5`. */
  readonly type: string;
  /** Offset and what is there: `+0x58 = .pid`; empty at the start of an object. */
  readonly place: string;
  /** `trusted`, `may be NULL`, `read-only`. */
  readonly marks: readonly string[];
};

export type StateRow = {
  /** `R0` … `R10`, `fp-8`. */
  readonly name: string;
  readonly before: Value | null;
  readonly after: Value | null;
  readonly isChanged: boolean;
};

/** Returns the registers and slots of the states around a step, in order; of a refused one, before it. */
export function stateRows(before: State, after: State | null): StateRow[] {
  const names = (pick: (state: State) => ReadonlyMap<string, Value>) => [
    ...new Set([...pick(before).keys(), ...pick(after ?? before).keys()]),
  ];
  const registers = names(({ regs }) => regs).sort((a, b) => numberIn(a) - numberIn(b));
  const slots = names(({ stack }) => stack).sort((a, b) => numberIn(a) - numberIn(b));
  const valueIn = (state: State, name: string) =>
    state.regs.get(name) ?? state.stack.get(name) ?? null;
  return [...registers, ...slots].map((name) => {
    const values = { before: valueIn(before, name), after: valueIn(after ?? before, name) };
    return { name, ...values, isChanged: !sameValue(values.before, values.after) };
  });
}

/** Orders R0 to R10, then fp-8, fp-16. */
function numberIn(name: string): number {
  return Math.abs(Number(/-?\d+/.exec(name)?.[0] ?? 0));
}

/** True for values that mean the same: marks of precision and liveness do not count. */
export function sameValue(a: Value | null, b: Value | null): boolean {
  return (
    a === b ||
    (a !== null && b !== null && JSON.stringify(meaning(a)) === JSON.stringify(meaning(b)))
  );
}

function meaning({ type, kv, const: known, off, frame, bytes }: Value) {
  return [type, kv, known, off, frame, bytes];
}

const POINTER = /^(?<marks>(?:[a-z]+_)*?)ptr_(?<name>.*)$/;
const MARKS: readonly (readonly [prefix: string, mark: string])[] = [
  ['rdonly_', 'read-only'],
  ['untrusted_', 'untrusted'],
  ['trusted_', 'trusted'],
  ['rcu_', 'RCU'],
  ['user_', 'user space'],
  ['percpu_', 'per CPU'],
  ['non_own_ref_', 'not owned'],
  ['alloc_', 'allocated'],
];

/** Returns a value in short words, with names of the object's and the kernel's types. */
export function shownValue(value: Value, binding: LogBinding): ShownValue {
  const mayBeNull = value.type.includes('_or_null') ? ['may be NULL'] : [];
  if (value.type === 'scalar') return { type: rangeText(value), place: '', marks: [] };
  if (value.bytes !== undefined) return { type: bytesText(value.bytes), place: '', marks: [] };
  if (value.const !== undefined) {
    return { type: numberBoth(value.const), place: '', marks: [] };
  }
  const base = value.type.replace(/_or_null(?=_|$)/, '');
  const pointer = POINTER.exec(base)?.groups;
  const prefixes = `_${pointer?.marks ?? base}`;
  const marks = MARKS.filter(([prefix]) => prefixes.includes(`_${prefix}`));
  const all = [...marks.map(([, mark]) => mark), ...mayBeNull];
  if (base === 'fp') {
    const frame = value.frame === undefined ? '' : ` of frame ${value.frame}`;
    const place = `fp${/^[-+]?0*$/.test(value.off ?? '') ? '' : signed(value.off ?? '')}`;
    return { type: `stack${frame}`, place, marks: all };
  }
  const map = textOf(value, 'map');
  const off = numberOf(value, 'off') ?? Number(value.off ?? 0);
  const typed = typedValue(value, { off: 0, size: null }, binding);
  const type =
    pointer?.name !== undefined && pointer.name !== ''
      ? `struct ${pointer.name} *`
      : map === null
        ? base
        : `${base} of "${map}"`;
  const place = placeText(off, typed, pointer !== undefined);
  const range = variableText(value);
  return { type, place: range === '' ? place : `${place} + ${range}`.trim(), marks: all };
}

/** Returns a value as one text: `struct task_struct *, trusted`. */
export function shownText(value: Value, binding: LogBinding): string {
  const { type, place, marks } = shownValue(value, binding);
  return [`${type} ${place}`.trim(), ...marks].join(', ');
}

function placeText(off: number, typed: ReturnType<typeof typedValue>, isNamed: boolean): string {
  const at = off === 0 ? '' : `${off < 0 ? '-' : '+'}0x${Math.abs(off).toString(16)}`;
  if (typed === null) return at;
  const { name, member } = typed;
  // The first member is at the start of its struct: the pointer is to the struct.
  const shown = off === 0 ? null : member;
  if (shown !== null) return `${at} = ${isNamed ? '' : name}.${shown}`;
  return isNamed ? at : [name, at].filter((text) => text !== '').join(' ');
}

function signed(off: string): string {
  return off.startsWith('-') || off.startsWith('+') ? off : `+${off}`;
}

/** Returns a number in decimal, and in hexadecimal from 10 on: `64 (0x40)`. */
export function numberBoth(text: string): string {
  const value = integerOf(text);
  if (value === null) return text;
  const size = value < 0n ? -value : value;
  return size < 10n ? `${value}` : `${value} (${value < 0n ? '-' : ''}0x${size.toString(16)})`;
}

/** Returns the range of a pointer's variable offset; empty if the offset is constant. */
function variableText(value: Value): string {
  const isVariable = value.kv.some(([key]) => VARIABLE.has(key));
  return isVariable ? rangeText(value) : '';
}

const VARIABLE: ReadonlySet<string> = new Set(['umax', 'smax', 'umin', 'smin', 'var_off']);

/** Returns the range of a number: `any number`, `0 to 63`. */
function rangeText(value: Value): string {
  if (value.const !== undefined) return numberBoth(value.const);
  const bound = (key: string) => integerOf(textOf(value, key) ?? '');
  const [smin, smax, umin, umax] = ['smin', 'smax', 'umin', 'umax'].map(bound);
  if (umax != null && umax < 1n << 63n) return `${umin ?? 0n} to ${umax}`;
  if (smin != null && smax != null) return `${smin} to ${smax}`;
  if (umin != null) return `at least ${umin}, unsigned`;
  if (smin != null) return `at least ${smin}`;
  if (smax != null) return `at most ${smax}`;
  return 'any number';
}

const BYTES: Readonly<Record<string, string>> = {
  m: 'written',
  '0': 'zero',
  '?': 'not written',
  r: 'spilled register',
  d: 'dynptr',
  i: 'iterator',
  f: 'IRQ flag',
  p: 'poisoned',
};

/** Returns the bytes of a slot in words: `4 bytes written, 4 not written`. */
export function bytesText(bytes: string): string {
  const counts = new Map<string, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  const words = [...counts].map(([byte, count]) => ({ count, word: BYTES[byte] ?? byte }));
  const [first, ...rest] = words;
  if (first === undefined) return 'nothing';
  if (rest.length === 0 && first.count === 8) return `8 bytes ${first.word}`;
  const unit = first.count === 1 ? 'byte' : 'bytes';
  return [
    `${first.count} ${unit} ${first.word}`,
    ...rest.map(({ count, word }) => `${count} ${word}`),
  ].join(', ');
}

/** A property of a value in full, for those who ask: name, and text with numbers in both forms. */
export type ValueFact = { readonly name: string; readonly text: string };

/** Returns all that the log prints of a value. */
export function valueFacts(value: Value): ValueFact[] {
  const facts = value.kv.map(([name, text]) => ({
    name,
    text: name === 'var_off' ? varOffText(text) : numberBoth(text),
  }));
  const more: readonly (readonly [string, string | undefined])[] = [
    ['type', value.type],
    ['value', value.const === undefined ? undefined : numberBoth(value.const)],
    ['offset', value.off],
    ['frame', value.frame === undefined ? undefined : `${value.frame}`],
    ['bytes', value.bytes === undefined ? undefined : bytesText(value.bytes)],
    ['precise', value.precise === undefined ? undefined : 'yes'],
  ];
  return [
    ...more.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }])),
    ...facts.map(({ name, text }) => ({ name, text: text === '' ? 'yes' : text })),
  ];
}

const VAR_OFF = /^\(0x([0-9a-f]{1,16}); ?0x([0-9a-f]{1,16})\)$/;

/** Returns known and unknown bits in words: `bits 0–5 unknown, the others 0`. */
export function varOffText(text: string): string {
  const parts = VAR_OFF.exec(text);
  if (parts === null) return text;
  const [known, mask] = [BigInt(`0x${parts[1]}`), BigInt(`0x${parts[2]}`)];
  if (mask === 0n) return `all bits known: ${numberBoth(`0x${known.toString(16)}`)}`;
  const unknown = bitRuns(mask);
  const set = bitRuns(known);
  const rest = mask === (1n << 64n) - 1n ? '' : ', the others 0';
  return `${bitsText(unknown)} unknown${set.length === 0 ? '' : `, ${bitsText(set)} 1`}${rest}`;
}

function bitRuns(mask: bigint): string[] {
  const runs: string[] = [];
  for (let bit = 0; bit < 64; bit++) {
    if (((mask >> BigInt(bit)) & 1n) === 0n) continue;
    const first = bit;
    while (bit < 63 && ((mask >> BigInt(bit + 1)) & 1n) === 1n) bit += 1;
    runs.push(first === bit ? `${bit}` : `${first}–${bit}`);
  }
  return runs;
}

function bitsText(runs: readonly string[]): string {
  const [only = ''] = runs;
  return runs.length === 1 && !only.includes('–') ? `bit ${only}` : `bits ${runs.join(', ')}`;
}
