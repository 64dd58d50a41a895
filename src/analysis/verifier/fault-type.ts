/** Names the type and member that a fault is about. */
import { findTypeKey } from '#analysis/types/type-key.ts';
import type { Value } from '#formats/verifier-log/line.ts';
import type { Fault, Origin } from './fault.ts';
import { declaredStruct, followedMember } from './source-names.ts';
import { memberPath, numberOf, type TypedValue, typedValue } from './typed-value.ts';

/** Returns the type and member that the fault is about; null if they have no names. */
export function typeOf(f: Fault): TypedValue | null {
  const object = OBJECTS.find(([rules]) => rules.test(f.message.rule))?.[1];
  const acquired = acquiredType(f);
  if (acquired !== null) return acquired;
  if (object !== undefined) return { name: object, member: null };
  const { text, origin, birth } = f;
  if (f.question === 'trust' && origin?.text?.form === 'load') return loadedType(f, origin);
  const mem = text?.mem ?? null;
  if (mem !== null) {
    const value = f.valueOf(`R${mem.base}`);
    const named = value === null ? null : typedValue(value, mem, f.binding);
    if (named?.member != null) return named;
    // Members of the context are certain by their offset.
    if (value?.type === 'ctx' && named !== null) return named;
    const inSource = typeInSource(f) ?? declaredType(f, mem);
    const stored =
      birth?.text?.form === 'load' && value?.type === 'scalar' ? loadedType(f, birth) : null;
    return inSource ?? named ?? stored;
  }
  const value = pointer(f);
  const named = value === null ? null : typedValue(value, { off: 0, size: null }, f.binding);
  if (named !== null && text?.form === 'alu') return typeInSource(f) ?? { ...named, member: null };
  if (named !== null) return isWhole(named, value) ? { ...named, member: null } : named;
  return birth?.text?.form === 'load' ? loadedType(f, birth) : null;
}

/** Value of the register, or of the operand of arithmetic that is a pointer. */
function pointer(f: Fault): Value | null {
  const { text } = f;
  const own = f.valueOf();
  if (text?.form !== 'alu' || (own !== null && own.type !== 'scalar')) return own;
  const operands = [text.dst, text.src].filter((operand) => operand !== null);
  const values = operands.map((operand) => f.valueOf(`R${operand}`));
  return values.find((value) => value !== null && value.type !== 'scalar') ?? own;
}

/** Type and member that an instruction loads. */
function loadedType(f: Fault, { step, text }: Origin): TypedValue | null {
  if (step === null || !text?.mem) return null;
  const value = f.stateBefore(step)?.regs.get(`R${text.mem.base}`);
  return value === undefined ? null : typedValue(value, text.mem, f.binding);
}

/** Type of a reference, lock or value that a call gave or took away. */
function acquiredType(f: Fault): TypedValue | null {
  const { origin, question } = f;
  const at = f.blame.why === 'changed' && question === 'value' ? f.birth : origin;
  if (at?.step == null || at.text?.form !== 'call') return null;
  const isRegion = question === 'region-lock';
  if (!isRegion && question !== 'reference' && at === origin) return null;
  const state = isRegion ? f.stateBefore(at.step) : f.stateAfter(at.step);
  const value = state?.regs.get(isRegion ? 'R1' : 'R0');
  const slot = [...(f.changesOf(at.step)?.stack.values() ?? [])].map(({ type }) => type);
  const object = slot.map((type) => STACK_OBJECTS.find(([name]) => name.test(type))?.[1](type));
  const [named] = object.filter((name) => name !== undefined);
  if (!isRegion && named !== undefined) return { name: named, member: null };
  if (value === undefined) return isRegion ? { name: 'struct bpf_spin_lock', member: null } : null;
  const type = typedValue(value, { off: 0, size: null }, f.binding);
  return isRegion || type === null ? type : { ...type, member: null };
}

/** Type of the variable that holds the pointer, as a line declares it. */
function declaredType(
  f: Fault,
  { off, size }: { readonly off: number; readonly size: number },
): TypedValue | null {
  const { variable, binding } = f;
  const name = variable === null ? null : declaredStruct(f.sources(), variable);
  if (name === null) return null;
  const { kernel, object } = binding;
  // A struct of the kernel has the kernel's offsets, since CO-RE moved those of the object.
  for (const types of kernel === null ? [] : [kernel, object?.types ?? null]) {
    const key = { kind: 'struct', name: name.slice('struct '.length), ordinal: 0 };
    const id = types === null ? null : findTypeKey(types, key);
    if (types !== null && id !== null)
      return { name, member: memberPath(types, id, { off, size }) };
  }
  return { name, member: null };
}

/** Type of the pointer that the failing line follows, as the log's lines declare it. */
function typeInSource(f: Fault): TypedValue | null {
  if (f.text?.mem === null) return null;
  const followed = followedMember(f.source);
  if (followed === null) return null;
  const name = declaredStruct(f.sources(), followed.variable);
  return name === null ? null : { name, member: followed.member };
}

/** Objects that a rule is about, whatever the value. */
const OBJECTS: readonly (readonly [RegExp, string])[] = [
  [/^dynptr-/, 'struct bpf_dynptr'],
  [/^lock-order$/, 'struct bpf_spin_lock'],
];

/** Objects in stack slots by the type of the slot. */
const STACK_OBJECTS: readonly (readonly [RegExp, (type: string) => string])[] = [
  [/^dynptr_/, () => 'struct bpf_dynptr'],
  [/^iter_/, (type) => `struct bpf_${type}`],
];

/** Returns true for a pointer to the start of an object: the object is meant, not its first member. */
function isWhole({ name }: TypedValue, value: Value | null): boolean {
  return !name.startsWith('.') && (value === null || (numberOf(value, 'off') ?? 0) === 0);
}
