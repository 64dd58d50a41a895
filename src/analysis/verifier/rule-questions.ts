/** What is wrong with the value that a rule refuses: the question for the search of its origin. */
import type { Message } from './message.ts';
import type { Question } from './question.ts';

const QUESTIONS: Readonly<Partial<Record<Question, string>>> = {
  value:
    'helper-arg-type pointer-arith-operator pointer-arith-32bit pointer-arith-type pointer-subtract ' +
    'pointer-comparison ldabs-context map-write-forbidden map-read-forbidden map-func-compat ' +
    'btf-pointer-space kptr-store-type global-func-args return-stack-pointer return-not-scalar ' +
    'same-insn-two-pointers leak-to-memory leak-by-return leak-to-helper ' +
    'kfunc-argument kfunc-context-argument kfunc-map-value read-only-memory map-key-write ' +
    'allocated-object graph-node constant-string indirect-jump btf-access-permission ' +
    'flow-keys-bounds caller-frame-pointer map-uid allocation-type rdonly-cast helper-flags ' +
    'helper-packet-access',
  null: 'helper-arg-null pointer-arith-null',
  trust: 'rcu-pointer trusted-argument release-unacquired',
  range:
    'offset-above-max min-value-negative helper-size-zero helper-size-negative constant-argument ' +
    'pointer-math-too-big pointer-math-unprivileged',
  unbounded: 'unbounded-memory-access stack-unbounded helper-size-unbounded pointer-math-unbounded',
  offset:
    'modified-pointer special-field-offset release-offset stack-object-offset offset-below-min ' +
    'buffer-bounds map-value-bounds mem-bounds map-key-bounds ' +
    'btf-pointer-offset btf-struct-access',
  access:
    'context-access special-field-access misaligned-access btf-pointer-write kptr-access ' +
    'sock-access frame-pointer-readonly pointer-partial-copy',
  constant:
    'div-by-zero invalid-shift helper-not-allowed invalid-func kfunc-not-allowed unknown-opcode ' +
    'reserved-fields bad-ldimm64 register-number gpl-licence jump-sequence-too-complex ' +
    'jump-out-of-range jump-into-ldimm64 throw ' +
    'rbtree-callback ldabs-not-allowed call-depth',
  packet: 'packet-bounds',
  length: 'kfunc-mem-len',
  uninitialised: 'uninit-register stack-uninit-read stack-indirect-uninit stack-slot-poisoned',
  slot: 'corrupt-spill dynptr-overwrite leak-from-stack',
  reference: 'unreleased-reference reference-leak',
  'region-lock': 'call-under-lock',
  loop: 'infinite-loop too-many-insns back-edge',
  missing: 'graph-lock-not-held',
};

const BY_RULE: ReadonlyMap<string, Question> = new Map(
  Object.entries(QUESTIONS).flatMap(([question, rules]) =>
    rules.split(' ').map((rule) => [rule, question as Question] as const),
  ),
);

/** Returns true for a read of stack that nothing was stored in, which is within its bounds. */
export function isUninitialisedRead({ rule, values }: Message): boolean {
  if (rule !== 'stack-bounds' || !(values[0] ?? '').includes('read')) return false;
  if (values.var_off !== undefined) return false;
  const [off, size] = [Number(values.off), Number(values.size)];
  return off < 0 && off >= -STACK_BYTES && off + size <= 0;
}

/** Bytes of stack of a frame: MAX_BPF_STACK. */
const STACK_BYTES = 512;

/** Regions by the word that a message names them with. */
const REGIONS: readonly (readonly [RegExp, Question])[] = [
  [/rcu/i, 'region-rcu'],
  [/preempt/, 'region-preempt'],
  [/irq/i, 'region-irq'],
  [/spin|_lock-ed|holding a lock/, 'region-lock'],
];

/** Returns the question about the value of a message's rule. */
export function questionOf(message: Message, line: string): Question {
  const { rule, values } = message;
  switch (rule) {
    case 'invalid-mem-access':
      return /_or_null/.test(values[1] ?? '') ? 'null' : 'value';
    case 'program-exit-value':
      return /unknown scalar/.test(line) ? 'unbounded' : 'range';
    case 'stack-bounds':
      return values.var_off === undefined ? 'access' : 'range';
    case 'stack-variable-unprivileged':
      // Of arithmetic the number is known to be wrong, of an access the offset that it led to.
      return /variable stack access/.test(line) ? 'range' : 'offset';
    case 'atomic-access':
      return /operand size/.test(line) ? 'constant' : 'value';
    case 'map-field':
      return /not found at offset/.test(line) ? 'offset' : 'missing';
    case 'kptr-argument':
      return /^off=\d+ doesn't point/.test(line) ? 'offset' : 'missing';
    case 'kfunc-mem-len':
      return /must point to/.test(line) ? 'value' : 'length';
    case 'lock-argument':
      return /^off |constant offset/.test(line) ? 'offset' : 'missing';
    case 'exit-under-lock':
    case 'sleepable-call':
      return regionOf(line);
    case 'irq-flag':
      if (/doesn't point to/.test(line)) return 'value';
      if (/^cannot restore|cannot be restored/.test(line)) return 'slot';
      return /expected uninitialized/.test(line) ? 'slot' : 'uninitialised';
    case 'dynptr-argument':
    case 'iterator-argument':
      if (/const bpf_dynptr|expected pointer to|Unsupported reg type/.test(line)) return 'value';
      return /(?:expected|has to be an) uninitialized/.test(line) ? 'slot' : 'uninitialised';
    case 'lock-order':
      return /without taking/.test(line) ? 'none' : 'region-lock';
    default:
      return BY_RULE.get(rule) ?? 'none';
  }
}

function regionOf(line: string): Question {
  if (line.startsWith('global functions that may sleep')) return 'region-any';
  return REGIONS.find(([pattern]) => pattern.test(line))?.[1] ?? 'none';
}
