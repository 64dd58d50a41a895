/**
 * Follows a CO-RE access string ("BPF LLVM Relocations", section "CO-RE Relocation Record") by the
 * rules of libbpf's `bpf_core_parse_spec`, up to the first fault. Numbers are exact; libbpf's wrap
 * at 32 bits.
 */
import { typeExpression } from '#analysis/types/type-name.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { type TypeId, VOID } from '#model/ids.ts';
import { enumeratorAt, isComposite, memberAt } from '#model/type-items.ts';
import {
  arrayData,
  hasType,
  kindOf,
  skipModifiers,
  type TypeTable,
  vlenOf,
} from '#model/type-table.ts';
import { Errno, parseAccessString } from './access-string.ts';
import {
  accessExpression,
  elementText,
  enumeratorText,
  kindWord,
  memberText,
  pointerText,
  rootText,
} from './access-text.ts';
import { coreKind } from './core-kinds.ts';
import { localSpec, specText } from './spec.ts';
import { boundedSize } from './spec-value.ts';

export type StepMeaning =
  | 'element-of-pointer'
  | 'member'
  | 'anonymous-member'
  | 'array-element'
  | 'enumerator'
  | 'type';

export type AccessStep = {
  /** Index in the access string that produced the step. */
  readonly index: number;
  readonly means: StepMeaning;
  /** Type that contains the step; it may be a typedef or modifier. */
  readonly container: TypeId;
  /** Type of the step; it may be a typedef or modifier. */
  readonly type: TypeId;
  /** Name of the member or enumerator, not escaped; empty for a step without a name. */
  readonly name: string;
  /** Bits from the start of the first element to this step. */
  readonly bitOffset: bigint;
  /** Width of a bit-field in bits; 0 for other steps. */
  readonly bitfieldSize: number;
  /** Value of the enumerator; null for other steps. */
  readonly enumValue: bigint | null;
  /** Sentence about the meaning of the index. Names are not escaped. */
  readonly words: string;
};

export type AccessFault = {
  /** Number of the invalid index; it equals the number of valid steps in the path. */
  readonly atStep: number;
  /** `root`: the root type is wrong for the relocation kind. `step`: an index is out of range. */
  readonly reason: 'kind' | 'string' | 'root' | 'step';
  readonly message: string;
  /** Negative error number that libbpf logs. */
  readonly errno: number;
  /** Type, without modifiers, that an index cannot enter: it has no members or elements. */
  readonly captured?: TypeId;
};

export type AccessPath = {
  readonly root: TypeId;
  /** Relocation kind, `enum bpf_core_relo_kind`. */
  readonly kind: number;
  readonly accessStr: string;
  readonly steps: readonly AccessStep[];
  /** First fault in the access string; null for a valid string. */
  readonly error: AccessFault | null;
  /** Bits from the start of the first element to the last step. */
  readonly bitOffset: bigint;
  readonly byteOffset: bigint;
  /** Type of the last step; it may be a typedef or modifier. */
  readonly leaf: TypeId;
  /** Width in bits if the last step is a bit-field; else 0. */
  readonly bitfieldSize: number;
  /** Access in C: `p->a.b[2]`, `p[1].a`, `enum e::VAL`, `struct s`. Not escaped. */
  readonly expression: string;
  /** Access as in libbpf's log: `struct foo.a.b[2] (0:1:2 @ offset 8)`. Not escaped. */
  readonly spec: string;
};

/** Follows an access string from the local type `root`. Never throws. Stops after 64 steps. */
export function walkAccess(
  t: TypeTable,
  root: TypeId,
  accessStr: string,
  kind: number,
): AccessPath {
  return new WalkedPath(t, root, accessStr, kind);
}

/** Path whose texts are computed on access. An object literal with getters is ten times slower. */
class WalkedPath implements AccessPath {
  readonly root: TypeId;
  readonly kind: number;
  readonly accessStr: string;
  readonly steps: readonly AccessStep[];
  readonly error: AccessFault | null;
  readonly bitOffset: bigint;
  readonly leaf: TypeId;
  readonly bitfieldSize: number;
  readonly #types: TypeTable;

  constructor(types: TypeTable, root: TypeId, accessStr: string, kind: number) {
    const { steps, error } = follow(types, root, accessStr, kind);
    const last = steps.at(-1);
    this.root = root;
    this.kind = kind;
    this.accessStr = accessStr;
    this.steps = steps;
    this.error = error;
    this.bitOffset = last?.bitOffset ?? 0n;
    this.leaf = last?.type ?? root;
    this.bitfieldSize = last?.bitfieldSize ?? 0;
    this.#types = types;
  }

  get byteOffset(): bigint {
    return this.bitOffset / 8n;
  }

  get expression(): string {
    return accessExpression(this.#types, this.root, this.steps);
  }

  get spec(): string {
    return specText(localSpec(this.#types, this));
  }
}

/** Step without `words`. An omitted field means 0, null or the empty string. */
type StepFacts = Pick<AccessStep, 'index' | 'means' | 'container' | 'type'> &
  Partial<Pick<AccessStep, 'name' | 'bitOffset' | 'bitfieldSize' | 'enumValue'>>;

/** Step whose `words` are computed on access. */
class Step implements AccessStep {
  readonly index: number;
  readonly means: StepMeaning;
  readonly container: TypeId;
  readonly type: TypeId;
  readonly name: string;
  readonly bitOffset: bigint;
  readonly bitfieldSize: number;
  readonly enumValue: bigint | null;
  readonly #words: () => string;

  constructor(facts: StepFacts, words: () => string) {
    this.index = facts.index;
    this.means = facts.means;
    this.container = facts.container;
    this.type = facts.type;
    this.name = facts.name ?? '';
    this.bitOffset = facts.bitOffset ?? 0n;
    this.bitfieldSize = facts.bitfieldSize ?? 0;
    this.enumValue = facts.enumValue ?? null;
    this.#words = words;
  }

  get words(): string {
    return this.#words();
  }
}

type Followed = Pick<AccessPath, 'steps' | 'error'>;
type Fault = Pick<AccessFault, 'reason' | 'message' | 'captured'> & { readonly errno?: number };
type Taken = AccessStep | Fault;

function follow(t: TypeTable, root: TypeId, accessStr: string, kind: number): Followed {
  const stop = (fault: Fault, steps: AccessStep[] = []) => ({
    steps,
    error: { atStep: steps.length, errno: Errno.EINVAL, ...fault },
  });
  const group = coreKind(kind)?.group;
  if (group === undefined) {
    return stop({ reason: 'kind', message: `there is no relocation kind ${kind}` });
  }
  if (root !== VOID && !hasType(t, root)) {
    return stop({ reason: 'root', message: `type ${root} does not exist` });
  }
  if (group === 'type') {
    return accessStr === '0'
      ? { steps: [typeStep(t, root)], error: null }
      : stop({ reason: 'string', message: "a type relocation must have the access string '0'" });
  }
  const { indices, error, errno } = parseAccessString(accessStr);
  const bad = error === null ? null : ({ reason: 'string', message: error, errno } as const);
  const [first] = indices;
  if (first === undefined) {
    return stop(bad ?? { reason: 'string', message: 'the access string is empty' });
  }
  if (group === 'enum') {
    if (indices.length > 1) {
      return stop({ reason: 'string', message: 'an enumerator has one index, not several' });
    }
    if (bad !== null) return stop(bad);
    const taken = enumeratorStep(t, root, first);
    return 'means' in taken ? { steps: [taken], error: null } : stop(taken);
  }
  const steps: AccessStep[] = [];
  for (const [i, index] of indices.entries()) {
    const taken = i === 0 ? pointerStep(t, root, index) : nextStep(t, steps, index);
    // libbpf parses the complete string first and so reports its faults before faults of steps.
    if (!('means' in taken)) return stop(bad === null ? taken : { ...taken, errno }, steps);
    steps.push(taken);
  }
  return bad === null ? { steps, error: null } : stop(bad, steps);
}

function typeStep(t: TypeTable, root: TypeId): AccessStep {
  return new Step({ index: 0, means: 'type', container: root, type: root }, () =>
    rootText(t, root),
  );
}

function enumeratorStep(t: TypeTable, root: TypeId, index: number): Taken {
  const id = skipModifiers(t, root);
  const kind = kindOf(t, id);
  if (kind !== BtfKind.ENUM && kind !== BtfKind.ENUM64) {
    return {
      reason: 'root',
      message: `${typeExpression(t, root)} is ${kindWord(kind)}, not an enum`,
    };
  }
  const enumerator = enumeratorAt(t, id, index);
  if (enumerator === null) return outside(t, root, 'enumerator', index, vlenOf(t, id));
  const { name, value } = enumerator;
  return new Step(
    { index, means: 'enumerator', container: root, type: root, name, enumValue: value },
    () => enumeratorText(t, root, enumerator),
  );
}

/** Returns the step of the first index, which selects an element of the pointer's target. */
function pointerStep(t: TypeTable, root: TypeId, index: number): Taken {
  const byteSize = boundedSize(t, root);
  if (byteSize < 0) {
    return {
      reason: 'root',
      message: `${typeExpression(t, root)} has no size that libbpf can use`,
      errno: byteSize,
    };
  }
  const size = BigInt(byteSize);
  const bitOffset = BigInt(index) * size * 8n;
  return new Step(
    { index, means: 'element-of-pointer', container: root, type: root, bitOffset },
    () => pointerText(t, root, index, size),
  );
}

function nextStep(t: TypeTable, steps: readonly AccessStep[], index: number): Taken {
  const from = steps.at(-1);
  if (from === undefined) return { reason: 'string', message: 'the access string is empty' };
  const id = skipModifiers(t, from.type);
  const kind = kindOf(t, id);
  if (isComposite(kind)) return memberStep(t, from, id, index);
  if (kind === BtfKind.ARRAY) return elementStep(t, steps, from, id, index);
  const what = `${typeExpression(t, from.type)} is ${kindWord(kind)}`;
  // libbpf reports a wrong root type before an invalid step.
  return {
    reason: steps.length === 1 ? 'root' : 'step',
    message: `index ${index} does not apply: ${what}, not a struct, union or array`,
    captured: id,
  };
}

function memberStep(t: TypeTable, from: AccessStep, id: TypeId, index: number): Taken {
  const member = memberAt(t, id, index);
  if (member === null) return outside(t, from.type, 'member', index, vlenOf(t, id));
  const { name, type, bitfieldSize } = member;
  if (member.nameOff !== 0 && name === '') {
    return { reason: 'step', message: `member ${index} has a name that cannot be read` };
  }
  const means = name === '' ? 'anonymous-member' : 'member';
  const bitOffset = from.bitOffset + BigInt(member.bitOffset);
  return new Step({ index, means, container: from.type, type, name, bitOffset, bitfieldSize }, () =>
    memberText(t, from.type, member),
  );
}

function elementStep(
  t: TypeTable,
  steps: readonly AccessStep[],
  from: AccessStep,
  id: TypeId,
  index: number,
): Taken {
  const { elemType, nelems } = arrayData(t, id);
  const flexible = nelems === 0 && endsItsStruct(t, steps);
  if (!flexible && index >= nelems) return outside(t, from.type, 'element', index, nelems);
  const byteSize = boundedSize(t, elemType);
  if (byteSize < 0) {
    const elem = typeExpression(t, elemType);
    const message = `the elements, ${elem}, have no size that libbpf can use`;
    return { reason: 'step', message, errno: byteSize };
  }
  const size = BigInt(byteSize);
  const bitOffset = from.bitOffset + BigInt(index) * size * 8n;
  return new Step(
    { index, means: 'array-element', container: from.type, type: elemType, bitOffset },
    () => elementText(t, from, elemType, index, size),
  );
}

/** Returns true if the last step is the last member of its struct, as libbpf's `is_flex_arr`. */
function endsItsStruct(t: TypeTable, steps: readonly AccessStep[]): boolean {
  const accessor = steps.findLast((step) => step.means !== 'anonymous-member');
  if (accessor?.means !== 'member') return false;
  return accessor.index === vlenOf(t, skipModifiers(t, accessor.container)) - 1;
}

function outside(t: TypeTable, id: TypeId, what: string, index: number, count: number): Taken {
  const has = count === 1 ? `1 ${what}` : `${count} ${what}s`;
  return {
    reason: 'step',
    message: `there is no ${what} ${index}: ${typeExpression(t, id)} has ${has}`,
  };
}
