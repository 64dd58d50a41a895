/** Describes values of registers in words. Names in the sentences are raw text of the log. */
import type { Value } from '#formats/verifier-log/line.ts';
import { textOf } from './typed-value.ts';

const KINDS: ReadonlyMap<string, string> = new Map([
  ['scalar', 'a number'],
  ['ctx', 'the context'],
  ['map_ptr', 'a map'],
  ['map_value', 'a pointer to a map value'],
  ['map_key', 'a pointer to a map key'],
  ['fp', 'a pointer to the stack'],
  ['pkt', 'a packet pointer'],
  ['pkt_meta', 'a pointer to packet metadata'],
  ['pkt_end', 'the end of the packet'],
  ['flow_keys', 'a pointer to flow keys'],
  ['sock', 'a socket'],
  ['sock_common', 'a socket'],
  ['tcp_sock', 'a TCP socket'],
  ['xdp_sock', 'an XDP socket'],
  ['tp_buffer', 'a pointer to a trace record'],
  ['mem', 'a pointer to memory'],
  ['alloc_mem', 'a pointer to memory'],
  ['ringbuf_mem', 'a pointer to a ring buffer record'],
  ['buf', 'a pointer to a buffer'],
  ['arena', 'an arena pointer'],
  ['func', 'a function'],
  ['dynptr_ptr', 'a dynptr'],
]);

/** Returns the kind of a value from its type as printed: `a pointer to a map value that may be NULL`. */
export function kindText(type: string): string {
  const mayBeNull = /_or_null(?:_|$)/.test(type) ? ' that may be NULL' : '';
  let base = type.replace(/_or_null(?=_|$)/, '').replace(/^inv$/, 'scalar');
  const pointed = /^(.*?)ptr_(.*)$/.exec(base);
  if (pointed !== null && !KINDS.has(base)) {
    const [, prefixes = '', name = ''] = pointed;
    const trust = prefixes.split('_').filter((word) => PREFIXES.has(word));
    const words = trust.map((word) => PREFIXES.get(word));
    const article = words[0] === undefined ? 'a' : /^(?:[aeio]|un|RCU)/.test(words[0]) ? 'an' : 'a';
    const to = name === '' ? 'a kernel object' : `struct ${name}`;
    return `${[article, ...words, 'pointer to', to].join(' ')}${mayBeNull}`;
  }
  base = base.replace(/^(?:rdonly_|user_|percpu_|rcu_|untrusted_|trusted_)+/, '');
  const kind = KINDS.get(base) ?? KINDS.get(base.replace(/^ringbuf_/, ''));
  return kind === undefined ? `a value of type ${type}` : `${kind}${mayBeNull}`;
}

const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['rcu', 'RCU'],
  ['untrusted', 'untrusted'],
  ['trusted', 'trusted'],
  ['percpu', 'per-CPU'],
  ['user', 'user-space'],
  ['rdonly', 'read-only'],
]);

/** Returns the kind of a value, with its number, map or size where they are known. */
export function valueText(value: Value): string {
  if (value.const !== undefined) return `the number ${numberText(value.const)}`;
  const map = textOf(value, 'map');
  const text = kindText(value.type);
  if (map !== null && value.type.startsWith('map_value')) {
    return text.replace('a map value', `a value of map ${map}`);
  }
  return map !== null && value.type === 'map_ptr' ? `the map ${map}` : text;
}

/** Returns an integer of a log, decimal or hexadecimal, as a number of the language. */
export function integerOf(text: string): bigint | null {
  const digits = /^(-?)((?:0x[0-9a-f]{1,16})|(?:\d{1,20}))$/.exec(text);
  if (digits === null) return null;
  const value = BigInt(digits[2] ?? '0');
  return digits[1] === '-' ? -value : value;
}

/** Returns a number as text: decimal, hexadecimal if it is large. */
export function numberText(number: string | bigint): string {
  const value = typeof number === 'bigint' ? number : integerOf(number);
  if (value === null) return `${number}`;
  const size = value < 0n ? -value : value;
  return size < 1n << 33n ? `${value}` : `${value < 0n ? '-' : ''}0x${size.toString(16)}`;
}

export type Bounds = { readonly min: bigint | null; readonly max: bigint | null };

/** Returns the bounds of a number, or of the variable offset of a pointer; null where there is none. */
export function boundsOf(value: Value): Bounds {
  const known = value.const === undefined ? null : integerOf(value.const);
  if (known !== null) return { min: known, max: known };
  const bound = (key: string) => integerOf(textOf(value, key) ?? '');
  // Linux prints large signed bounds in hexadecimal, without a sign.
  const [smin, smax] = ['smin', 'smax'].map((key) => {
    const number = bound(key);
    return number === null ? null : BigInt.asIntN(64, number);
  });
  const [umin, umax] = ['umin', 'umax'].map(bound);
  const isPositive = umax != null && umax < 1n << 63n;
  if (isPositive) return { min: umin ?? 0n, max: umax };
  return { min: smin ?? null, max: smax ?? null };
}

/** Returns bounds in words: `0 to 63`, `at least 5`; null without bounds. */
export function boundsText({ min, max }: Bounds): string | null {
  if (min === null && max === null) return null;
  if (min === null) return `at most ${numberText(max ?? 0n)}`;
  if (max === null) return `at least ${numberText(min)}`;
  return min === max ? numberText(min) : `${numberText(min)} to ${numberText(max)}`;
}
