/** Names the type and member that a fault is about. */
import { findTypeKey } from '#analysis/types/type-key.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import type { Value } from '#formats/verifier-log/line.ts';
import { typeId } from '#model/ids.ts';
import { paramsOf } from '#model/type-items.ts';
import { refOf, sizeOrTypeOf, skipModifiers } from '#model/type-table.ts';
import type { Fault, Origin } from './fault.ts';
import { poisonedMapName } from './poisoned-call.ts';
import { declaredStruct, followedMember } from './source-names.ts';
import {
  type AccessPlace,
  mapOf,
  memberPath,
  numberOf,
  type TypedValue,
  typedValue,
} from './typed-value.ts';

/** Returns the type and member that the fault is about; null if they have no names. */
export function typeOf(f: Fault): TypedValue | null {
  const { rule } = f.message;
  if (NUMBER_RULES.test(rule)) return null;
  if (rule === 'call-under-lock') return { name: lockOf(f), member: null };
  const acquired = acquiredType(f);
  if (acquired !== null) return acquired;
  const object = objectOf(f);
  if (object !== null) return { name: object, member: null };
  const { text, origin, birth } = f;
  if (f.question === 'trust' && origin?.text?.form === 'load') {
    const loaded = loadedType(f, origin);
    if (loaded !== null) return loaded;
  }
  const mem = text?.mem ?? null;
  if (mem !== null) {
    const value = f.valueOf(`R${mem.base}`);
    const named = value === null ? null : typedValue(value, mem, f.binding);
    // Members of the context are certain by their offset, if it is one.
    if (value?.type === 'ctx' && named !== null) {
      return rule === 'modified-pointer' ? { ...named, member: null } : named;
    }
    if (named?.member != null) return named;
    // A number that is taken for a pointer, or is a part of one, is what a member has.
    const stored =
      value?.type === 'scalar' && birth?.text?.form === 'load'
        ? loadedType(f, birth)
        : addedMember(f, value);
    const inSource = () => typeInSource(f) ?? declaredType(f, mem);
    return stored ?? inSource() ?? named ?? argumentType(f, value, mem);
  }
  const value = pointer(f);
  const named = value === null ? null : typedValue(value, { off: 0, size: null }, f.binding);
  if (named !== null && text?.form === 'alu') return typeInSource(f) ?? { ...named, member: null };
  if (named !== null) return isWhole(named, value) ? { ...named, member: null } : named;
  const off = value === null ? null : numberOf(value, 'off');
  if (value !== null && value.type !== 'scalar' && off !== null) {
    return typeInLine(f, f.source) ?? declaredType(f, { off, size: null });
  }
  const isPacket = value?.type.startsWith('pkt') === true;
  return birth?.text?.form === 'load' && !isPacket ? loadedType(f, birth) : null;
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

/** Member that a line reads into the number that made the offset of a packet pointer unknown. */
function addedMember(f: Fault, value: Value | null): TypedValue | null {
  const { origin, birth } = f;
  const isAdded = origin !== null && origin.step !== birth?.step && origin.text?.form === 'load';
  return isAdded && value?.type === 'pkt' ? typeInLine(f, origin.source) : null;
}

/** Type of the argument of a global function, which the verifier knows by its size only. */
function argumentType(f: Fault, value: Value | null, at: AccessPlace): TypedValue | null {
  const types = f.binding.object?.types ?? null;
  const name = f.function;
  const index = Number(f.register?.slice(1)) - 1;
  if (types === null || name === null || f.birth !== null || !/^mem/.test(value?.type ?? '')) {
    return null;
  }
  const func = findTypeKey(types, { kind: 'func', name, ordinal: 0 });
  const param =
    func === null ? undefined : paramsOf(types, typeId(sizeOrTypeOf(types, func)))[index];
  const pointed = param === undefined ? null : refOf(types, skipModifiers(types, param.type));
  if (pointed === null) return null;
  const type = skipModifiers(types, pointed);
  return { name: typeExpression(types, type), member: memberPath(types, type, at) };
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
  // A lookup in a map of sockets acquires the socket; its type is known after the check for NULL.
  if (question === 'reference' && value.type.startsWith('map_value')) {
    return { name: 'struct bpf_sock', member: null };
  }
  const type = typedValue(value, { off: 0, size: null }, f.binding);
  return isRegion || type === null ? type : { ...type, member: null };
}

/** Type of the variable that holds the pointer, as a line declares it. */
function declaredType(f: Fault, { off, size }: AccessPlace): TypedValue | null {
  const { variable, binding } = f;
  const name = variable === null ? null : declaredStruct(f.sources(), variable);
  if (name === null) return null;
  const { kernel, object } = binding;
  // A struct of the kernel has the kernel's offsets, since CO-RE moved those of the object.
  for (const types of kernel === null ? [] : [kernel, object?.types ?? null]) {
    const key = { kind: 'struct', name: name.slice('struct '.length), ordinal: 0 };
    const id = types === null ? null : findTypeKey(types, key);
    const member = types === null || id === null ? null : memberPath(types, id, { off, size });
    if (member !== null) return { name, member };
  }
  return { name, member: null };
}

/** Type of the pointer that the failing line follows, as the log's lines declare it. */
function typeInSource(f: Fault): TypedValue | null {
  return f.text?.mem === null ? null : typeInLine(f, f.source);
}

/** Type of the pointer that a line follows to one member, as the log's lines declare it. */
function typeInLine(f: Fault, line: string): TypedValue | null {
  const followed = followedMember(line);
  if (followed === null) return null;
  const name = declaredStruct(f.sources(), followed.variable);
  return name === null ? null : { name, member: followed.member };
}

const LOCK = 'bpf_spin_lock';
const RES_LOCK = 'bpf_res_spin_lock';

/** Returns the lock that the blamed call took. */
function lockOf({ origin }: Fault): string {
  return `struct ${origin?.text?.call?.name.includes('res_spin') ? RES_LOCK : LOCK}`;
}

/** Returns the name of the map that a message is about as such, not of its values; else null. */
function mapNameOf(f: Fault): string | null {
  if (f.message.rule === 'invalid-func') return poisonedMapName(f);
  if (!/^map-(?:func-compat|callback)$/.test(f.message.rule)) return null;
  const value = f.valueOf();
  if (value === null || value.type !== 'map_ptr') return null;
  const printed = value.kv.find(([key]) => key === 'map')?.[1];
  return mapOf(value, f.binding.object)?.name ?? printed ?? null;
}

/** Returns the object on the stack, or in a value, that a message is about; else null. */
function objectOf(f: Fault): string | null {
  if (f.message.rule === 'lock-order') {
    return `struct ${/res_spin/.test(`${f.messageText} ${f.callee}`) ? RES_LOCK : LOCK}`;
  }
  if (f.message.rule === 'stack-uninit-read') {
    const type = f.valueOf()?.type ?? '';
    return STACK_OBJECTS.find(([name]) => name.test(type))?.[1](type) ?? null;
  }
  const map = mapNameOf(f);
  if (map !== null) return `map ${map}`;
  if (f.question === 'region-irq') return 'unsigned long';
  const known = OBJECTS.find(([rules]) => rules.test(f.message.rule))?.[1];
  if (known !== undefined) return known;
  if (!/^(?:iterator-argument|stack-object-offset)$/.test(f.message.rule)) return null;
  const named = /\b(?:bpf_)?(iter_\w{1,60}|dynptr)\b/.exec(f.messageText)?.[1];
  return named === undefined ? null : `struct bpf_${named}`;
}

/** Rules about numbers, or addresses as such, which are no part of a type. */
const NUMBER_RULES =
  /^(?:program-exit-value|helper-size-\w+|global-func-args|infinite-loop|too-many-insns|pointer-comparison|constant-argument|return-not-scalar|return-stack-pointer|div-by-zero|invalid-shift)$/;

/** Objects that a rule is about, whatever the value. */
const OBJECTS: readonly (readonly [RegExp, string])[] = [[/^dynptr-/, 'struct bpf_dynptr']];

/** Objects in stack slots by the type of the slot. */
const STACK_OBJECTS: readonly (readonly [RegExp, (type: string) => string])[] = [
  [/^dynptr_/, () => 'struct bpf_dynptr'],
  [/^iter_/, (type) => `struct bpf_${type}`],
];

/** Returns true for a pointer to the start of an object: the object is meant, not its first member. */
function isWhole({ name }: TypedValue, value: Value | null): boolean {
  return !name.startsWith('.') && (value === null || (numberOf(value, 'off') ?? 0) === 0);
}
