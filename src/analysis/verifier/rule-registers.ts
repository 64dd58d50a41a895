/** Which register or slot the rules of the verifier are about. */
import type { Value } from '#formats/verifier-log/line.ts';

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
  const wanted = ARGUMENT_TYPES.find(([rules]) => rules.has(rule))?.[1];
  if (regs === null || wanted === undefined) return null;
  for (let i = 1; i <= 5; i++) {
    const value = regs.get(`R${i}`);
    if (value !== undefined && wanted.test(value.type)) return `R${i}`;
  }
  return null;
}
