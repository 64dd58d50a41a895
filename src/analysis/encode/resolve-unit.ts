/**
 * Resolves references between the entries of a unit to ids of types, in pahole's order.
 *
 * Source: pahole 1.31, dwarf_loader.c, `cu__recode_dwarf_types` and the functions that it calls,
 * `cu__resolve_func_ret_types_optimized`.
 */
import { Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import {
  Composite,
  Enumeration,
  FunctionTag,
  NamedType,
  Parameter,
  PointerType,
  type TypeTag,
  UNKNOWN_REGISTER,
  type Unit,
} from './unit-tags.ts';

/** Gives each tag of `unit` the id of its type, and a name to those that have it elsewhere. */
export function resolveTypes(unit: Unit): void {
  for (const type of unit.types) if (type !== null) resolveType(unit, type);
  for (const variable of unit.variables) variable.type = idOf(unit, variable.typeRef);
  for (const tag of unit.tagAt.values()) {
    if (tag instanceof Parameter) tag.type = idOf(unit, tag.typeRef);
  }
  const inlined = new Set<FunctionTag>();
  for (const func of unit.functions) resolveFunction(unit, func, inlined);
}

function idOf(unit: Unit, ref: number): number {
  return ref === 0 ? 0 : unit.typeId(ref);
}

function resolveType(unit: Unit, type: TypeTag): void {
  if (type instanceof NamedType && type.name === 0 && type.specification !== 0) {
    const declared = unit.typeAt(type.specification);
    if (declared instanceof NamedType) type.name = declared.name;
  }
  if (type instanceof Enumeration) return;
  if (type instanceof Composite) {
    for (const member of type.members) member.type = idOf(unit, member.typeRef);
    return;
  }
  if (type instanceof FunctionTag) resolveParameters(unit, type);
  let innermost = type;
  if (type instanceof PointerType) {
    for (const tag of type.tags ?? []) {
      innermost.type = tag.id;
      innermost = tag;
    }
  }
  innermost.type = idOf(unit, type.typeRef);
}

/** `inlined`: abstract functions whose parameters are resolved because a call of them is inlined. */
function resolveFunction(unit: Unit, func: FunctionTag, inlined: Set<FunctionTag>): void {
  if (func.name === 0) {
    if (func.origin === 0 && func.specification === 0) return;
    const named = unit.tagAt.get(func.origin) ?? unit.tagAt.get(func.specification);
    if (named instanceof FunctionTag) func.name = named.name;
  }
  for (const origin of func.inlined ?? []) {
    const called = unit.tagAt.get(origin);
    if (!(called instanceof FunctionTag) || inlined.has(called)) continue;
    inlined.add(called);
    resolveParameters(unit, called);
  }
  resolveParameters(unit, func);
  func.type = idOf(unit, func.typeRef);
}

/** Resolves parameters. One without a type has that of its origin, and shares its location. */
function resolveParameters(unit: Unit, func: FunctionTag): void {
  for (const each of func.parameters) {
    if (each.typeRef !== 0) {
      each.type = idOf(unit, each.typeRef);
      continue;
    }
    const origin = unit.tagAt.get(each.origin);
    if (!(origin instanceof Parameter)) continue;
    each.name = origin.name;
    each.type = origin.type;
    if (each.index !== origin.index) func.isReordered = true;
    shareLocation(each, origin);
  }
}

function shareLocation(from: Parameter, to: Parameter): void {
  to.hasLocation ||= from.hasLocation;
  to.hasConstValue ||= from.hasConstValue;
  to.isConstLocation ||= from.isConstLocation;
  to.isOnStack ||= from.isOnStack;
  if (from.register !== UNKNOWN_REGISTER) to.register = from.register;
  if (from.typeSize !== 0) to.typeSize = from.typeSize;
  to.isInMemory ||= from.isInMemory;
  to.firstFields |= from.firstFields;
  to.secondFields |= from.secondFields;
  if (from.memberName !== 0 && to.memberName === 0) {
    to.memberName = from.memberName;
    to.memberTypeRef = from.memberTypeRef;
  }
}

/**
 * Gives a function without a result type the type of its origin. Throws `Malformed` if there is no
 * such entry, as pahole ends there.
 */
export function resolveResult(unit: Unit, func: FunctionTag): void {
  if (func.type !== 0 || func.origin === 0) return;
  const origin = unit.tagAt.get(func.origin);
  if (origin !== undefined) {
    func.type = origin.type;
    return;
  }
  throw new Malformed({
    code: 'encode.origin',
    region: '.debug_info',
    message: `The function at ${hexText(func.offset)} has an origin in no unit that is read with it`,
    span: null,
    expected: 'the offset of a function',
    found: hexText(Math.max(0, func.origin)),
  });
}
