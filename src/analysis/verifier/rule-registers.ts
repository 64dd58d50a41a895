/** Which register or slot the rules of the verifier are about. */
import type { Value } from '#formats/verifier-log/line.ts';
import { isPointer, keyOf } from './values.ts';

/** Registers of the arguments that rules are about whose messages name none. */
export const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['allocation-type', 'R1'],
  ['helper-flags', 'R2'],
  ['rdonly-cast', 'R2'],
]);

/** Returns the register of the argument of a helper that is a constant string; null if not known. */
export function constantString(helper: string | null): string | null {
  return helper === 'bpf_snprintf' || helper === 'bpf_strncmp' ? 'R3' : null;
}

/** Rules that are about no register, though their messages follow others or their instruction has one. */
export const NO_REGISTER: ReadonlySet<string> = new Set([
  ...['helper-not-allowed', 'invalid-func', 'kfunc-not-allowed', 'call-under-lock', 'lock-order'],
  ...['exit-under-lock', 'sleepable-call', 'rcu-section', 'preempt-section', 'unknown-opcode'],
  ...['unreleased-reference', 'reference-leak', 'infinite-loop', 'too-many-insns', 'gpl-licence'],
  ...['jump-sequence-too-complex', 'reserved-fields', 'bad-ldimm64', 'rbtree-callback'],
  ...['ldabs-not-allowed', 'call-depth', 'global-func-prototype', 'global-func-tags'],
  ...['global-func-context', 'global-func-return'],
]);

/** Rules about an object in the stack slot that an argument points to. */
export const OBJECT_RULES: ReadonlySet<string> = new Set([
  'iterator-argument',
  'irq-flag',
  'dynptr-overwrite',
]);

/** Rules about a number that is too large, or too small. */
export const UPPER_BOUND: ReadonlySet<string> = new Set([
  'offset-above-max',
  'map-value-bounds',
  'mem-bounds',
]);
export const LOWER_BOUND: ReadonlySet<string> = new Set([
  'min-value-negative',
  'helper-size-negative',
]);

/** Types of the argument that a rule is about. */
const ARGUMENT_TYPES: readonly (readonly [ReadonlySet<string>, RegExp])[] = [
  [new Set(['map-func-compat', 'map-sleepable', 'map-callback']), /^map_ptr$/],
  [new Set(['map-field']), /^(?:map_value|ptr_)/],
  [
    new Set(['lock-argument', 'special-field-offset', 'special-field-access', 'kptr-argument']),
    /^(?:map_value|ptr_)/,
  ],
  [new Set(['release-unacquired']), /ptr_|sock/],
  [new Set(['helper-packet-access']), /^pkt/],
  [new Set(['dynptr-argument']), /^(?:fp|dynptr_ptr)$/],
  [new Set(['dynptr-overwrite', 'irq-flag', 'iterator-argument']), /^fp$/],
  [new Set(['graph-lock-not-held', 'graph-node']), /^(?:map_value|ptr_)/],
];

/**
 * Returns the register of the argument of a call that a rule refuses, where its message names none;
 * null if it is not known. `text` is the message, `regs` are the registers before the call.
 */
export function refusedArgument(
  rule: string,
  text: string,
  callee: string | null,
  regs: ReadonlyMap<string, Value> | null,
): string | null {
  if (/^bpf_(?:res_)?spin_(?:un)?lock/.test(callee ?? '')) return 'R1';
  const field = /^(bpf_\w+) not found at offset=/.exec(text)?.[1];
  if (field !== undefined) return /_(?:head|root)$/.test(field) ? 'R1' : 'R2';
  if (rule === 'constant-string') return constantString(callee);
  if (rule === 'btf-struct-access') return regs === null ? null : sizedArgument(text, regs);
  if (rule === 'misaligned-access') return regs === null ? null : misalignedArgument(text, regs);
  const wanted = ARGUMENT_TYPES.find(([rules]) => rules.has(rule))?.[1];
  if (regs === null || wanted === undefined) return null;
  for (let i = 1; i <= 5; i++) {
    const value = regs.get(`R${i}`);
    if (value !== undefined && wanted.test(value.type)) return `R${i}`;
  }
  return null;
}

/** Returns the pointer to a kernel type whose size, the next argument, is in the message; or null. */
function sizedArgument(text: string, regs: ReadonlyMap<string, Value>): string | null {
  const size = /\bsize (\d{1,10})$/.exec(text)?.[1];
  const isSized = (i: number) => regs.get(`R${i + 1}`)?.const === size;
  const found = [1, 2, 3, 4].find((i) => /ptr_/.test(regs.get(`R${i}`)?.type ?? '') && isSized(i));
  return found === undefined ? null : `R${found}`;
}

/** Types of pointers by the word of a message about alignment; other words are the types. */
const ALIGNED_TYPES: ReadonlyMap<string, string> = new Map([
  ['stack', 'fp'],
  ['value', 'map_value'],
  ['key', 'map_key'],
  ['context', 'ctx'],
  ['flow keys', 'flow_keys'],
]);

/**
 * Returns the argument to which memory the message refers by kind and offset; null if not known.
 * Source: kernel/bpf/verifier.c, check_ptr_alignment(), for arguments with MEM_ALIGNED.
 */
function misalignedArgument(text: string, regs: ReadonlyMap<string, Value>): string | null {
  const [, kind = '', sum = ''] =
    /^misaligned (?:(\S.*) )?access off (\S+) size /.exec(text.replaceAll('; ', ';')) ?? [];
  const type = ALIGNED_TYPES.get(kind) ?? kind;
  const pointers = ['R1', 'R2', 'R3', 'R4', 'R5'].filter((name) => {
    const value = regs.get(name);
    return value !== undefined && (type === '' ? isPointer(value) : value.type === type);
  });
  const off = sumOf(sum);
  const offsetOf = (name: string) => {
    const value = regs.get(name);
    return BigInt(value?.off ?? (value && keyOf(value, 'off')) ?? 0);
  };
  // A function's results follow what it reads.
  const found = pointers.findLast((name) => off !== null && offsetOf(name) === off);
  return found ?? (pointers.length === 1 ? (pointers[0] ?? null) : null);
}

/** Returns the sum of an offset as printed: `0+-12+0`; null if a part of it is no constant. */
function sumOf(text: string): bigint | null {
  const parts = text.replaceAll(/\((0x[0-9a-f]{1,16});0x0\)/g, '$1').split('+');
  if (!parts.every((part) => /^(?:-?\d{1,19}|0x[0-9a-f]{1,16})$/.test(part))) return null;
  return parts.reduce((sum, part) => BigInt.asIntN(64, sum + BigInt(part)), 0n);
}
