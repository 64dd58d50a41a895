/** Reads parts of classes of C++ that BTF has no place for, and makes their columns. */
import { DW_AT, DW_TAG, DW_VIRTUALITY } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/reader.ts';
import {
  type ClassParts,
  PARAM_FLAGS,
  PART,
  PART_ACCESS_SHIFT,
  PART_FLAGS,
} from '#model/class-parts.ts';
import { enumeratorValue } from './entry-values.ts';
import type { NamePool, PartParam, PartRecord } from './type-records.ts';
import { childrenOf, dieOf, type UnitRows } from './unit-rows.ts';

/** Types of the batch with the class. */
type TypeLookup = {
  typeOf(die: Die): number;
  sizeOfType(id: number): number;
  isSigned(id: number): boolean;
};

/** Attributes of methods and static members, and their flags. */
const FLAGS: readonly (readonly [attribute: number, flag: number])[] = [
  [DW_AT.explicit, PART_FLAGS.explicit],
  [DW_AT.deleted, PART_FLAGS.deleted],
  [DW_AT.const_expr, PART_FLAGS.constexpr],
  [DW_AT.reference, PART_FLAGS.lvalue],
  [DW_AT.rvalue_reference, PART_FLAGS.rvalue],
];

/** Limit of parts and parameters of a file: each takes more memory than its entry. */
export const MAX_PARTS = 1 << 20;

/** Number of parts and parameters that may still be read. */
export type PartBudget = { left: number };

/**
 * Returns the parts of the class at `row`, in the order of the file, as many as `budget` allows.
 * Throws `Malformed`.
 */
export function readParts(
  rows: UnitRows,
  row: number,
  names: NamePool,
  types: TypeLookup,
  budget: PartBudget,
): PartRecord[] {
  const parts: PartRecord[] = [];
  const own = dieOf(rows, row);
  addAlignment(parts, own, PART.alignment);
  for (const child of childrenOf(rows, row)) {
    if (budget.left <= 0) break;
    budget.left -= 1;
    const die = dieOf(rows, child);
    if (die.tag === DW_TAG.subprogram) {
      const method = methodOf(rows, child, die, names, types, budget);
      if (method !== null) parts.push(method);
    } else if (die.tag === DW_TAG.member || die.tag === DW_TAG.variable) {
      if (die.flag(DW_AT.external) || die.flag(DW_AT.declaration)) {
        parts.push(variableOf(die, names, types));
      } else addAlignment(parts, die, PART.memberAlignment);
    }
  }
  return parts;
}

function addAlignment(parts: PartRecord[], die: Die, kind: number): void {
  const value = die.constant(DW_AT.alignment);
  if (value === null) return;
  parts.push({ entry: die.offset, flags: kind, name: 0, type: 0, value, params: [] });
}

/** Returns a method; null for one that the compiler made. */
function methodOf(
  rows: UnitRows,
  row: number,
  die: Die,
  names: NamePool,
  types: TypeLookup,
  budget: PartBudget,
): PartRecord | null {
  const name = names.numberIn(die);
  if (name === 0 || die.flag(DW_AT.artificial)) return null;
  const params: PartParam[] = [];
  for (const child of childrenOf(rows, row)) {
    if (budget.left <= 0) break;
    budget.left -= 1;
    const param = dieOf(rows, child);
    if (param.tag === DW_TAG.unspecified_parameters) {
      params.push({ name: 0, type: 0, flags: PARAM_FLAGS.variadic });
    } else if (param.tag === DW_TAG.formal_parameter) {
      const flags = param.flag(DW_AT.artificial) ? PARAM_FLAGS.artificial : 0;
      params.push({ name: names.numberIn(param), type: types.typeOf(param), flags });
    }
  }
  const hasObject =
    die.has(DW_AT.object_pointer) || ((params[0]?.flags ?? 0) & PARAM_FLAGS.artificial) !== 0;
  const virtuality = die.number(DW_AT.virtuality) ?? 0;
  let flags = flagsOf(die, PART.method);
  if (!hasObject) flags |= PART_FLAGS.static;
  if (virtuality !== DW_VIRTUALITY.none) flags |= PART_FLAGS.virtual;
  if (virtuality === DW_VIRTUALITY.pure_virtual) flags |= PART_FLAGS.pure;
  if ((die.number(DW_AT.defaulted) ?? 0) === IN_CLASS) flags |= PART_FLAGS.defaulted;
  return { entry: die.offset, flags, name, type: types.typeOf(die), value: null, params };
}

/** DW_DEFAULTED_in_class. */
const IN_CLASS = 1;

function flagsOf(die: Die, kind: number): number {
  let flags = kind | (((die.number(DW_AT.accessibility) ?? 0) & 3) << PART_ACCESS_SHIFT);
  for (const [attribute, flag] of FLAGS) if (die.flag(attribute)) flags |= flag;
  return flags;
}

function variableOf(die: Die, names: NamePool, types: TypeLookup): PartRecord {
  const type = types.typeOf(die);
  const size = types.sizeOfType(type);
  // Of other classes than constants are addresses, and the bytes of a real number.
  const isConstant = die.constant(DW_AT.const_value) !== null;
  const value = isConstant ? BigInt(enumeratorValue(die, size, types.isSigned(type))) : null;
  const flags = flagsOf(die, PART.variable);
  return { entry: die.offset, flags, name: names.numberIn(die), type, value, params: [] };
}

/** Returns parts with the ids of their types replaced by those in `ids`. */
export function movedParts(parts: readonly PartRecord[], ids: Uint32Array): PartRecord[] {
  return parts.map((part) => ({
    ...part,
    type: ids[part.type] ?? 0,
    params: part.params.map((param) => ({ ...param, type: ids[param.type] ?? 0 })),
  }));
}

/** Returns the columns of the parts by type. `numberOf` returns the number of a name's spelling. */
export function partColumns(
  partsById: ReadonlyMap<number, readonly PartRecord[]>,
  numberOf: (name: number) => number,
): ClassParts {
  const owner = [...partsById.keys()].sort((a, b) => a - b);
  const firstPart: number[] = [];
  const parts: PartRecord[] = [];
  for (const id of owner) {
    firstPart.push(parts.length);
    for (const part of partsById.get(id) ?? []) parts.push(part);
  }
  firstPart.push(parts.length);
  const firstParam: number[] = [];
  const params: PartParam[] = [];
  const value = new Map<number, bigint>();
  for (const [index, part] of parts.entries()) {
    firstParam.push(params.length);
    for (const param of part.params) params.push(param);
    if (part.value !== null) value.set(index, part.value);
  }
  firstParam.push(params.length);
  return {
    owner: Uint32Array.from(owner),
    firstPart: Uint32Array.from(firstPart),
    entry: Float64Array.from(parts, ({ entry }) => entry),
    flags: Uint16Array.from(parts, ({ flags }) => flags),
    name: Uint32Array.from(parts, ({ name }) => numberOf(name)),
    type: Uint32Array.from(parts, ({ type }) => type),
    value,
    firstParam: Uint32Array.from(firstParam),
    paramName: Uint32Array.from(params, ({ name }) => numberOf(name)),
    paramType: Uint32Array.from(params, ({ type }) => type),
    paramFlags: Uint8Array.from(params, ({ flags }) => flags),
  };
}
