/**
 * Makes the tags of entries.
 *
 * Source: pahole 1.31, dwarf_loader.c, `type__init`, `base_type__new`, `class_member__new`,
 * `function__new`, `parameter__new`, `variable__new`, `dwarf__location`.
 */
import { DW_OP, DW_TAG } from '#formats/dwarf/constants.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import { type EntryValues, SLOT } from './entry-values.ts';
import {
  ArrayType,
  BaseType,
  Composite,
  FunctionTag,
  Member,
  type NamedType,
  Parameter,
  type TypeTag,
  VariableTag,
} from './unit-tags.ts';

/** DW_CC_nocall. */
const NO_CALL = 3;

export class TagMaker {
  readonly #entry: EntryValues;
  readonly #bias: bigint;

  /** `bias`: number that is added to addresses. */
  constructor(entry: EntryValues, { bias }: { readonly bias: bigint }) {
    this.#entry = entry;
    this.#bias = bias;
  }

  /** Fills a new tag from the current entry. */
  type<T extends TypeTag>(type: T): T {
    type.typeRef = this.#entry.reference(SLOT.type);
    type.byteSize = this.#entry.u32(SLOT.byteSize);
    return type;
  }

  named<T extends NamedType>(type: T): T {
    this.type(type);
    type.name = this.#entry.name(SLOT.name);
    type.isDeclaration = this.#entry.u32(SLOT.declaration) !== 0;
    type.specification = this.#entry.reference(SLOT.specification);
    return type;
  }

  array(): ArrayType {
    const array = this.type(new ArrayType(DW_TAG.array_type, this.#entry.scanner.offset));
    array.isVector = this.#entry.has(SLOT.vector);
    return array;
  }

  composite(isTopLevel: boolean): Composite {
    const { tag, offset } = this.#entry.scanner;
    const type = this.named(new Composite(tag, offset));
    type.isTopLevel = isTopLevel;
    type.alignment = this.#entry.u32(SLOT.alignment);
    return type;
  }

  baseType(): BaseType {
    const { offset } = this.#entry.scanner;
    const type = this.type(new BaseType(DW_TAG.base_type, offset));
    type.name = this.#entry.name(SLOT.name);
    type.bitSize = (type.byteSize * 8) & 0xffff;
    type.encoding = this.#entry.u32(SLOT.encoding);
    return type;
  }

  member(isInUnion: boolean): Member {
    const entry = this.#entry;
    const member = new Member(entry.scanner.tag, entry.scanner.offset);
    member.typeRef = entry.reference(SLOT.type);
    member.name = entry.name(SLOT.name);
    member.hasBitOffset = entry.has(SLOT.dataBitOffset);
    if (member.hasBitOffset) {
      member.bitOffset = entry.memberOffset(SLOT.dataBitOffset);
    } else {
      if (entry.has(SLOT.dataMemberLocation)) {
        member.byteOffset = entry.memberOffset(SLOT.dataMemberLocation);
      } else {
        member.isStatic = !isInUnion;
      }
      member.bitOffset = (member.byteOffset * 8) >>> 0;
      member.bitfieldOffset = (entry.u32(SLOT.bitOffset) << 24) >> 24;
    }
    member.byteSize = entry.u32(SLOT.byteSize);
    member.bitfieldSize = entry.u32(SLOT.bitSize) & 0xff;
    member.virtuality = entry.u32(SLOT.virtuality) & 3;
    member.alignment = entry.u32(SLOT.alignment);
    return member;
  }

  func(): FunctionTag {
    const entry = this.#entry;
    const func = this.type(new FunctionTag(DW_TAG.subprogram, entry.scanner.offset));
    func.name = entry.name(SLOT.name);
    func.origin = entry.reference(SLOT.abstractOrigin);
    func.specification = entry.reference(SLOT.specification);
    const start = entry.address(SLOT.lowPc);
    func.address = start === null ? 0n : start + this.#bias;
    func.isDeclaration = entry.has(SLOT.declaration);
    func.isInlined = (entry.u32(SLOT.inline) & 3) !== 0;
    func.isNoCall = entry.u32(SLOT.callingConvention) === NO_CALL;
    return func;
  }

  parameter(index: number): Parameter {
    const entry = this.#entry;
    const parameter = new Parameter(entry.scanner.tag, entry.scanner.offset);
    parameter.typeRef = entry.reference(SLOT.type);
    parameter.origin = entry.reference(SLOT.abstractOrigin);
    parameter.name = entry.name(SLOT.name);
    parameter.index = index;
    return parameter;
  }

  /** Notes where the location of a parameter is. */
  locate(parameter: Parameter): void {
    parameter.hasConstValue = this.#entry.has(SLOT.constValue);
    parameter.location = this.#entry.location(SLOT.location);
    parameter.hasLocation = parameter.location !== null;
  }

  variable(isTopLevel: boolean): VariableTag {
    const entry = this.#entry;
    const variable = new VariableTag(entry.scanner.tag, entry.scanner.offset);
    variable.typeRef = entry.reference(SLOT.type);
    variable.name = entry.name(SLOT.name);
    variable.specification = entry.reference(SLOT.specification);
    variable.isExternal = entry.has(SLOT.external);
    variable.isDeclaration = entry.has(SLOT.declaration);
    variable.isArtificial = entry.has(SLOT.artificial);
    variable.isTopLevel = isTopLevel;
    if (!variable.isDeclaration) this.#locateVariable(variable);
    return variable;
  }

  #locateVariable(variable: VariableTag): void {
    const place = this.#entry.location(SLOT.location);
    if (place === null || !place.isBlock) {
      variable.scope = 'optimized';
      return;
    }
    const { unit, at, value: length } = place;
    const [first, second, ...rest] = operationsOf(unit.section.slice(at, length), unit.header);
    if (first === undefined) return;
    const { code } = first;
    if (code === DW_OP.addr || code === DW_OP.addrx) {
      const [operand = 0n] = first.operands;
      const address = code === DW_OP.addr ? operand : unit.address(Number(operand));
      variable.scope = 'global';
      variable.address = address + this.#bias;
      if (second?.code === DW_OP.plus_uconst && rest.length === 0) {
        variable.address += second.operands[0] ?? 0n;
      }
    } else if (code === DW_OP.fbreg) {
      variable.scope = 'local';
    } else if (code > DW_OP.reg0 && code <= DW_OP.breg31) {
      variable.scope = 'register';
    }
  }
}
