/**
 * Decodes where a function gets a parameter.
 *
 * Source: pahole 1.31, dwarf_loader.c, `parameter__new`, `parameter__decode_location`,
 * `parameter__multi_exprs`, `parameter__finish_piece_decode`, `get_member_with_offset`.
 */
import { Malformed } from '#bytes/issue.ts';
import { DW_OP, DW_TAG } from '#formats/dwarf/constants.ts';
import { type DwarfOperation, operationsOf } from '#formats/dwarf/expressions.ts';
import { type Expression, eachExpression } from './location-expressions.ts';
import {
  BaseType,
  Composite,
  MAX_CHAIN,
  type Parameter,
  type TypeTag,
  UNKNOWN_REGISTER,
  type Unit,
} from './unit-tags.ts';

/** Bytes of expressions that may be decoded, per byte of the file: lists may be shared. */
const MAX_PER_BYTE = 16;
const MIN_BYTES = 1 << 20;
/** Fields at higher offsets than the bits of pahole's `unsigned long` are left out. */
const MAX_FIELD_BIT = 63;
/** The bits of fields are numbers here, in which bits 0 to 31 are exact. */
const MAX_EXACT_BIT = 31;

export class ParameterLocations {
  readonly #usesPairs: boolean;
  #bytesLeft: number;

  /** `fileBytes`: size of the file, which limits the work on lists that parameters share. */
  constructor(fileBytes: number, usesPairs: boolean) {
    this.#usesPairs = usesPairs;
    this.#bytesLeft = MIN_BYTES + MAX_PER_BYTE * fileBytes;
  }

  /** Fills the size of a parameter, and what its location says. */
  decode(unit: Unit, parameter: Parameter): void {
    const { addressSize } = unit;
    const origin = parameter.origin === 0 ? parameter : unit.tagAt.get(parameter.origin);
    parameter.typeSize = sizeOf(unit, origin?.typeRef ?? 0) & 0xffff;
    parameter.isInMemory = parameter.typeSize > (this.#usesPairs ? 2 : 1) * addressSize;
    const { location } = parameter;
    if (location === null) return;
    try {
      eachExpression(location, (expression, index) => {
        this.#bytesLeft -= 1 + expression.end - expression.start;
        if (this.#bytesLeft < 0) return false;
        this.#apply(unit, parameter, expression, index === 0);
        return true;
      });
    } catch (error) {
      // A damaged location says no more than what comes before the damage.
      if (!(error instanceof Malformed)) throw error;
    }
    finishPieces(unit, parameter);
  }

  #apply(unit: Unit, parameter: Parameter, expression: Expression, isFirst: boolean): void {
    const { section, start, end } = expression;
    if (start === end) return;
    const code = section.bytes[start] ?? 0;
    // The usual forms, which are nearly all: a register, its entry value, and a place on the stack.
    if (end - start === 1 && isRegister(code)) {
      if (isFirst) setRegister(parameter, code - DW_OP.reg0);
      return;
    }
    const isEntry = code === DW_OP.entry_value || code === DW_OP.GNU_entry_value;
    if (isEntry && section.bytes[start + 1] === 1) {
      const rest = end - start - 3;
      const isAlone = rest === 0 || (rest === 1 && section.bytes[end - 1] === DW_OP.stack_value);
      const inner = section.bytes[start + 2] ?? 0;
      if (isAlone) {
        if (isRegister(inner)) setRegister(parameter, inner - DW_OP.reg0);
        return;
      }
    }
    const bytes = section.slice(start, end - start);
    this.#applyOperations(unit, parameter, operationsOf(bytes, expression.unit.header), isFirst);
  }

  #applyOperations(
    unit: Unit,
    parameter: Parameter,
    operations: readonly DwarfOperation[],
    isFirst: boolean,
  ): void {
    const [first, second] = operations;
    if (first === undefined) return;
    const isValue = operations.at(-1)?.code === DW_OP.stack_value;
    if (second !== undefined && !(isValue && operations.length === 2)) {
      this.#applySeveral(unit, parameter, operations, isFirst);
    } else if (isFirst) {
      const { code } = first;
      if (isRegister(code)) setRegister(parameter, code - DW_OP.reg0);
      else if (isBased(code) && isValue) setRegister(parameter, code - DW_OP.breg0);
      else if (code === DW_OP.fbreg) parameter.isOnStack = true;
      else if (isConstant(code)) parameter.isConstLocation = true;
    }
  }

  #applySeveral(
    { addressSize }: Unit,
    parameter: Parameter,
    operations: readonly DwarfOperation[],
    isFirst: boolean,
  ): void {
    const code = operations[0]?.code ?? 0;
    if (isConstant(code)) {
      if (isFirst) parameter.isConstLocation = true;
      return;
    }
    if (parameter.typeSize <= addressSize || !this.#usesPairs) {
      if (!isFirst) return;
      if (isRegister(code)) setRegister(parameter, code - DW_OP.reg0);
      const hasValue = operations.some((each, i) => i > 0 && each.code === DW_OP.stack_value);
      if (isBased(code) && hasValue) setRegister(parameter, code - DW_OP.breg0);
      return;
    }
    let offset = 0;
    for (const [i, each] of operations.entries()) {
      if (each.code === DW_OP.piece) {
        const size = Number(BigInt.asIntN(32, each.operands[0] ?? 0n));
        if (i > 0) setField(parameter, offset, addressSize);
        offset = i === 0 ? size : (offset + size) | 0;
      } else if (isRegister(each.code)) {
        setRegister(parameter, each.code - DW_OP.reg0);
      }
    }
  }
}

function isRegister(code: number): boolean {
  return code >= DW_OP.reg0 && code <= DW_OP.reg31;
}

function isBased(code: number): boolean {
  return code >= DW_OP.breg0 && code <= DW_OP.breg31;
}

function isConstant(code: number): boolean {
  const isLiteral = code >= DW_OP.lit0 && code <= DW_OP.lit31;
  return isLiteral || code === DW_OP.constu || code === DW_OP.consts;
}

function setRegister(parameter: Parameter, register: number): void {
  if (parameter.register === UNKNOWN_REGISTER) parameter.register = register;
}

function setField(parameter: Parameter, offset: number, addressSize: number): void {
  const isFirst = offset < addressSize;
  const bit = isFirst ? offset : offset - addressSize;
  if (bit < 0 || bit > MAX_FIELD_BIT) return;
  // Only whether one field, several or none are there matters beyond the exact bits.
  const mask = 1 << Math.min(bit, MAX_EXACT_BIT);
  if (isFirst) parameter.firstFields |= mask;
  else parameter.secondFields |= mask;
}

/** Remembers the member that is passed if it is the only one. */
function finishPieces(unit: Unit, parameter: Parameter): void {
  const { firstFields, secondFields } = parameter;
  if ((firstFields !== 0) === (secondFields !== 0)) return;
  const fields = firstFields === 0 ? secondFields : firstFields;
  if ((fields & (fields - 1)) !== 0) return;
  const bit = 31 - Math.clz32(fields);
  const offset = firstFields === 0 ? unit.addressSize + bit : bit;
  if (parameter.memberName !== 0 || parameter.name === 0) return;
  const member = memberAt(unit, parameter.typeRef, offset);
  if (member === null || member.name === 0 || member.typeRef === 0) return;
  parameter.memberName = member.name;
  parameter.memberTypeRef = member.typeRef;
}

/** Returns the first member at `offset` bytes of the struct to which a type leads. */
function memberAt(unit: Unit, ref: number, offset: number) {
  const type = firstSized(unit, ref);
  if (!(type instanceof Composite) || type.tag !== DW_TAG.structure_type) return null;
  const found = type.members.find(
    (member) => member.tag === DW_TAG.member && !member.isStatic && member.bitOffset === offset * 8,
  );
  return found ?? null;
}

/** Returns the size of the type at `ref` in bytes; 0 if it has none. */
function sizeOf(unit: Unit, ref: number): number {
  const type = firstSized(unit, ref);
  if (type === null) return 0;
  return type.tag === DW_TAG.pointer_type ? unit.addressSize : type.byteSize;
}

/** Returns the first type with a size, or pointer, on the way of DW_AT_type from `ref`. */
function firstSized(unit: Unit, ref: number): TypeTag | null {
  let type = unit.typeAt(ref);
  for (let steps = MAX_CHAIN; type !== undefined && steps > 0; steps--) {
    if (type.tag === DW_TAG.pointer_type || type.byteSize !== 0) return type;
    if (type instanceof BaseType) return null;
    type = unit.typeAt(type.typeRef);
  }
  return null;
}
