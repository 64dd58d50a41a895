/** Compares what the verifier knows of a value in two logs. */
import type { Value } from '#formats/verifier-log/line.ts';
import { numberOf, textOf } from './typed-value.ts';
import { integerOf } from './value-text.ts';
import { isNullable, keyOf } from './values.ts';

/**
 * What differs: a type, whether a pointer may be NULL or is trusted, a range, a known number, the
 * number of references that are held.
 */
export type DifferenceKind = 'type' | 'null' | 'trust' | 'range' | 'number' | 'references';

/** Whether the second value is known less than the first, more, or neither. */
export type Knowledge = 'less' | 'more' | 'other';

export type ComparedValues = {
  readonly kinds: readonly DifferenceKind[];
  readonly second: Knowledge;
};

type Finding = { readonly kind: DifferenceKind; readonly second: Knowledge };

/**
 * Compares two values by what the verifier knows; null if it knows the same. Offsets from the start
 * of an object are not compared: CO-RE relocations give them other values on each kernel.
 */
export function compareValues(a: Value, b: Value): ComparedValues | null {
  const findings = [...findingsOf(a, b)];
  if (findings.length === 0) return null;
  const all = new Set(findings.map(({ second }) => second));
  const [only = 'other'] = all;
  return {
    kinds: findings.map(({ kind }) => kind),
    second: all.size === 1 ? only : all.has('less') && !all.has('more') ? 'less' : 'other',
  };
}

function* findingsOf(a: Value, b: Value): Generator<Finding> {
  if (a.bytes !== undefined || b.bytes !== undefined) return;
  const [one, two] = [baseOf(a.type), baseOf(b.type)];
  const [isOneNumber, isTwoNumber] = [one.name === 'scalar', two.name === 'scalar'];
  if (isOneNumber !== isTwoNumber) {
    // The number 0 is the pointer NULL of another path.
    if (isZero(a) || isZero(b)) return;
    yield { kind: 'type', second: isTwoNumber ? 'less' : 'more' };
    return;
  }
  if (one.name !== two.name) yield { kind: 'type', second: 'other' };
  const [mayA, mayB] = [isNullable(a.type), isNullable(b.type)];
  if (mayA !== mayB) yield { kind: 'null', second: mayB ? 'less' : 'more' };
  if (one.trust !== two.trust) {
    // Before Linux 6.2 no pointer was marked as trusted: a missing mark is not less.
    const second =
      two.trust === 'untrusted' ? 'less' : one.trust === 'untrusted' ? 'more' : 'other';
    yield { kind: 'trust', second };
  }
  if (one.name !== two.name) return;
  if (a.const !== undefined && b.const !== undefined) {
    if (bitsOf(a.const) !== bitsOf(b.const)) yield { kind: 'number', second: 'other' };
    return;
  }
  const isPointer = one.name !== 'scalar';
  const [first, other] = [rangeOf(a), rangeOf(b)].map((range) =>
    isPointer ? moved(range) : range,
  );
  if (first === undefined || other === undefined) return;
  const second = compareRanges(first, other, checkedBytes(a), checkedBytes(b));
  if (second !== null) yield { kind: 'range', second };
}

/** Returns the 64 bits of a number that is printed signed or unsigned. */
function bitsOf(text: string): bigint | null {
  const value = integerOf(text);
  return value === null ? null : BigInt.asUintN(64, value);
}

function isZero(value: Value): boolean {
  return value.const !== undefined && integerOf(value.const) === 0n;
}

/** Kinds of pointers that kernels print with different names. Source: reg_type_str of each. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['alloc_mem', 'mem'],
  ['ringbuf_mem', 'mem'],
  ['inv', 'scalar'],
]);

/** Returns the type without marks of trust and NULL. */
function baseOf(type: string): { readonly name: string; readonly trust: string } {
  const plain = type.replace(/_or_null(?=_|$)/, '').replace(/^(?:rdonly_|user_|percpu_)+/, '');
  const [, trust = '', rest = ''] = /^((?:untrusted_|trusted_|rcu_)*)(.*)$/.exec(plain) ?? [];
  const marks = ['untrusted', 'trusted', 'rcu'].find((mark) => trust.startsWith(mark)) ?? '';
  return { name: SAME.get(rest) ?? rest, trust: marks };
}

/** Returns the bytes of a packet that were checked; null for values that have none. */
function checkedBytes(value: Value): number | null {
  return value.type.startsWith('pkt') ? numberOf(value, 'r') : null;
}

type Range = {
  readonly smin: bigint;
  readonly smax: bigint;
  readonly umin: bigint;
  readonly umax: bigint;
  /** Bits that are not known. */
  readonly unknown: bigint;
};

const U64 = (1n << 64n) - 1n;
const S64 = (1n << 63n) - 1n;
const VAR_OFF = /^\(0x([0-9a-f]{1,16}); ?0x([0-9a-f]{1,16})\)$/;

/**
 * Returns the range of a number or of a pointer's variable offset. Kernels print different bounds of
 * one range: the others follow from them. Source: kernel/bpf/verifier.c, reg_bounds_sync.
 */
function rangeOf(value: Value): Range {
  const known = value.const === undefined ? null : integerOf(value.const);
  if (known !== null) {
    const signed = BigInt.asIntN(64, known);
    const unsigned = BigInt.asUintN(64, known);
    return { smin: signed, smax: signed, umin: unsigned, umax: unsigned, unknown: 0n };
  }
  const isPointer = value.type !== 'scalar';
  const hasRange = value.kv.some(([key]) => RANGE_KEYS.has(key));
  if (isPointer && !hasRange) return { smin: 0n, smax: 0n, umin: 0n, umax: 0n, unknown: 0n };
  const bound = (key: string) => integerOf(keyOf(value, key) ?? '');
  let smin = BigInt.asIntN(64, bound('smin') ?? -S64 - 1n);
  let smax = BigInt.asIntN(64, bound('smax') ?? S64);
  let umin = BigInt.asUintN(64, bound('umin') ?? 0n);
  let umax = BigInt.asUintN(64, bound('umax') ?? U64);
  const bits = VAR_OFF.exec(textOf(value, 'var_off') ?? '');
  let unknown = bits === null ? U64 : BigInt(`0x${bits[2]}`);
  const set = bits === null ? 0n : BigInt(`0x${bits[1]}`);
  umin = max(umin, set);
  umax = min(umax, set | unknown);
  if (smin >= 0n) [umin, umax] = [max(umin, smin), min(umax, smax)];
  if (umax <= S64) [smin, smax] = [max(smin, umin), min(smax, umax)];
  // The bits above the largest value are 0.
  unknown &= (1n << BigInt(umax.toString(2).length)) - 1n;
  return { smin, smax, umin, umax, unknown };
}

/** Returns the width of the range of an offset, from 0: some kernels add the constant offset. */
function moved({ smin, smax }: Range): Range {
  const width = smax - smin;
  return { smin: 0n, smax: width, umin: 0n, umax: width, unknown: 0n };
}

const RANGE_KEYS: ReadonlySet<string> = new Set(['smin', 'smax', 'umin', 'umax', 'var_off']);

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function compareRanges(
  a: Range,
  b: Range,
  checkedA: number | null,
  checkedB: number | null,
): Knowledge | null {
  const checked = checkedA === null || checkedB === null ? 0 : checkedB - checkedA;
  const isWider =
    checked < 0 ||
    b.smin < a.smin ||
    b.smax > a.smax ||
    b.umin < a.umin ||
    b.umax > a.umax ||
    (b.unknown & ~a.unknown) !== 0n;
  const isNarrower =
    checked > 0 ||
    a.smin < b.smin ||
    a.smax > b.smax ||
    a.umin < b.umin ||
    a.umax > b.umax ||
    (a.unknown & ~b.unknown) !== 0n;
  if (isWider) return isNarrower ? 'other' : 'less';
  return isNarrower ? 'more' : null;
}
