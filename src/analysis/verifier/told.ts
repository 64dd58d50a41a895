/** Sentences about a fault: its cause and a repair. Names in them are raw text of the log. */
import { counted } from '#bytes/text.ts';
import type { Fault, Origin } from './fault.ts';
import { valueText } from './value-text.ts';

export type Told = { readonly cause: string; readonly fix: string };

/** Sentences of rules; the key is the rule. */
export type Tellers = Readonly<Record<string, (fault: Fault) => Told>>;

/** Returns a text with a capital first letter. */
export function upper(text: string): string {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

/** Returns the name of the function that an instruction calls; null if it calls none by name. */
export function calleeOf({ text }: Origin): string | null {
  const name = text?.call?.name;
  return name === undefined || name === '' ? null : name;
}

/** Returns `the call of f at instruction 6 (a.c:12)`, or the instruction that is no call. */
export function madeBy(fault: Fault, origin: Origin): string {
  const callee = calleeOf(origin);
  const where = fault.whereOf(origin);
  if (isComparison(fault)) return `the comparison at ${where}`;
  return callee === null ? where : `the call of ${callee} at ${where}`;
}

/** Returns `before` and the blamed instruction; nothing if none is blamed, or the failing one is. */
export function fromOrigin(fault: Fault, before: string): string {
  const { origin } = fault;
  if (origin === null || origin.insn === fault.insn || before === '') return '';
  const words = isComparison(fault) ? before.replace(/comes? from $/, 'is limited by ') : before;
  return `${words}${madeBy(fault, origin)}`;
}

/** True if a comparison set the bound that is wrong. */
function isComparison({ origin, blame }: Fault): boolean {
  return origin?.text?.form === 'branch' && blame.why === 'changed';
}

/** Returns a value of the fault in words; its type as printed if the state is not in the log. */
export function valueWords(f: Fault, register = f.register, unknown = 'a pointer'): string {
  const value = f.valueOf(register);
  return value === null ? unknown : valueText(value);
}

/** Returns the start of a sentence about an access: `Instruction 12 (a.c:14) reads`. */
export function accessing(f: Fault): string {
  if (f.text?.form !== 'call') return `${upper(f.where)} ${accessVerb(f)}`;
  return `${upper(f.where)} calls ${f.callee ?? 'a function'}, which would access`;
}

/** Returns how the failing instruction accesses memory. */
export function accessVerb(f: Fault): string {
  if (f.text === null) return 'accesses';
  if (f.text?.form === 'store') return 'writes';
  return f.text?.form === 'atomic' ? 'changes' : 'reads';
}

/** Returns the size of an access: `4 bytes`. */
export function sizeText(f: Fault): string {
  const size = f.number('size') ?? f.text?.mem?.size ?? null;
  return size === null ? 'bytes' : counted(size, 'byte');
}
