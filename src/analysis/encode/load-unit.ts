/**
 * Reads the entries of a unit that decide about its BTF.
 *
 * Source: pahole 1.31, dwarf_loader.c, `die__process_unit`, `__die__process_tag` and the functions
 * that it calls, down to `die__process_inline_expansion`. A type gets its id after the entries
 * below it.
 */
import { Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import { DW_AT, DW_ATE, DW_FORM, DW_OP, DW_TAG } from '#formats/dwarf/constants.ts';
import { operationsOf } from '#formats/dwarf/expressions.ts';
import type { Die, DwarfUnit } from '#formats/dwarf/reader.ts';
import type { Decisions } from './decisions.ts';
import type { NameTable } from './name-table.ts';
import {
  type Annotation,
  ArrayType,
  annotate,
  BaseType,
  Composite,
  Enumeration,
  FunctionTag,
  Member,
  NamedType,
  Parameter,
  PointerType,
  type Tag,
  TypeAnnotation,
  TypeTag,
  type Unit,
  VariableTag,
} from './unit-tags.ts';

/** DW_AT_GNU_annotation, which gcc 16 writes. */
const GNU_ANNOTATION = 0x2139;
const MAX_DIMENSIONS = 64;
const DEFAULT_ENUM_BITS = 32;
/** DW_CC_nocall. */
const NO_CALL = 3;
/** Value of a reference that leads to no entry, unlike 0, which is no reference. */
const LOST = -1;

export type LoadOptions = {
  readonly names: NameTable;
  readonly decisions: Decisions;
  /** Number that is added to addresses. */
  readonly bias: bigint;
  readonly hasDeclTags: boolean;
  readonly hasTypeTags: boolean;
  /** True if all units are read as one, so that origins may be in other units. */
  readonly isMerged: boolean;
};

/** Where an entry is: the kind of the entry above it, which decides what becomes of it. */
type Context =
  | 'scope'
  | 'class'
  | 'function'
  | 'block'
  | 'inlined'
  | 'prototype'
  | 'enumeration'
  | 'array'
  | 'pointer'
  | 'annotated';

/** An open entry: those below it are read in `context`. */
type Frame = {
  readonly context: Context;
  /** Row after the last entry below. */
  readonly end: number;
  readonly tag: Tag | null;
  /** Entry itself, if it needs to be read again at its end. */
  readonly die: Die | null;
  /** Receiver of decl tags, and the component that has them. */
  readonly receiver: { annotations: Annotation[] } | null;
  readonly component: number;
  isTopLevel: boolean;
  /** Number of members or parameters so far. */
  count: number;
};

/** Adds the entries of `source` to `unit`. Throws `Malformed` if the unit is damaged. */
export function loadUnit(unit: Unit, source: DwarfUnit, options: LoadOptions): void {
  new UnitLoader(unit, source, options).load();
}

class UnitLoader {
  readonly #unit: Unit;
  readonly #source: DwarfUnit;
  readonly #options: LoadOptions;
  readonly #open: Frame[] = [];

  constructor(unit: Unit, source: DwarfUnit, options: LoadOptions) {
    this.#unit = unit;
    this.#source = source;
    this.#options = options;
  }

  load(): void {
    const { offset, end, count } = this.#source.tree();
    const first = this.#source.offset;
    this.#push('scope', { end: count, isTopLevel: true });
    for (let row = 1; row < count; ) {
      let top = this.#open.at(-1);
      while (top !== undefined && top.end === row) {
        this.#close(top);
        this.#open.pop();
        top = this.#open.at(-1);
      }
      if (top === undefined) return;
      const die = this.#source.dieAt(first + (offset[row] ?? 0));
      const after = end[row] ?? count;
      row = this.#read(die, top, after) ? row + 1 : after;
    }
    for (let top = this.#open.pop(); top !== undefined; top = this.#open.pop()) this.#close(top);
  }

  #push(context: Context, frame: Partial<Frame> & { readonly end: number }): true {
    this.#open.push({
      tag: null,
      die: null,
      receiver: null,
      component: -1,
      isTopLevel: false,
      count: 0,
      context,
      ...frame,
    });
    return true;
  }

  /** Reads an entry. Returns true if the entries below it are to be read, too. */
  #read(die: Die, top: Frame, end: number): boolean {
    const { tag } = die;
    switch (top.context) {
      case 'scope':
        return this.#readTag(die, end, top.isTopLevel);
      case 'class':
        return this.#readInClass(die, top, end);
      case 'function':
      case 'block':
        return this.#readInFunction(die, top, end);
      case 'inlined':
        return this.#readInInlined(die, end);
      case 'prototype':
        return this.#readInPrototype(die, top, end);
      case 'enumeration':
        if (tag === DW_TAG.enumerator && top.tag instanceof Enumeration) {
          top.tag.names.push(this.#name(die));
          top.tag.values.push(BigInt.asIntN(64, die.constant(DW_AT.const_value) ?? 0n));
        }
        return false;
      case 'array':
        if (tag === DW_TAG.subrange_type && top.tag instanceof ArrayType) {
          const { dimensions } = top.tag;
          if (dimensions.length < MAX_DIMENSIONS) dimensions.push(elementCount(die));
        }
        return false;
      case 'pointer':
        if (isAnnotation(tag) && this.#isNamed(die, 'btf_type_tag')) this.#typeTag(top, die, true);
        return false;
      case 'annotated':
        if (isAnnotation(tag)) this.#declTag(die, top.receiver, top.component);
        return false;
    }
  }

  /** Ends an entry, after those below it: types get their ids here. */
  #close({ tag, die, context, receiver, component }: Frame): void {
    if (die !== null && context === 'pointer') this.#gnuTypeTags(tag, die);
    else if (die !== null) this.#gnuDeclTags(die, receiver, component);
    if (tag instanceof FunctionTag && tag.tag === DW_TAG.subprogram) {
      tag.id = this.#unit.functions.length;
      this.#unit.functions.push(tag);
      this.#unit.tagAt.set(tag.offset, tag);
    } else if (tag instanceof TypeTag) {
      this.#unit.addType(tag);
    } else if (tag instanceof VariableTag) {
      this.#unit.variables.push(tag);
      this.#unit.tagAt.set(tag.offset, tag);
    }
  }

  /** Reads an entry that may be anywhere: a type, a function, a variable or a namespace. */
  #readTag(die: Die, end: number, isTopLevel: boolean): boolean {
    const { tag } = die;
    switch (tag) {
      case DW_TAG.imported_unit:
        throw new Malformed({
          code: 'encode.imported-unit',
          region: '.debug_info',
          message: 'pahole 1.31 does not read units that import others, as dwz writes them',
          span: null,
          expected: 'units that contain their entries',
          found: `DW_TAG_imported_unit at ${hexText(die.offset)}`,
        });
      case DW_TAG.array_type:
        return this.#push('array', { end, tag: this.#type(new ArrayType(tag, die.offset), die) });
      case DW_TAG.base_type:
        return this.#leaf(this.#baseType(die));
      case DW_TAG.unspecified_type:
        // BTF has no such type. References to it become void.
        this.#unit.typeAt.set(die.offset, new TypeTag(tag, die.offset));
        this.#options.decisions.typeLeftOut(die.offset, this.#name(die), 'unspecified');
        return false;
      case DW_TAG.string_type:
      case DW_TAG.const_type:
      case DW_TAG.reference_type:
      case DW_TAG.restrict_type:
      case DW_TAG.volatile_type:
      case DW_TAG.atomic_type:
      case DW_TAG.ptr_to_member_type:
        return this.#leaf(this.#type(new TypeTag(tag, die.offset), die));
      case DW_TAG.pointer_type:
        return this.#pointer(die, end);
      case DW_TAG.enumeration_type: {
        const type = this.#named(new Enumeration(tag, die.offset), die);
        type.bitSize = type.byteSize === 0 ? DEFAULT_ENUM_BITS : (type.byteSize * 8) >>> 0;
        return this.#push('enumeration', { end, tag: type });
      }
      case DW_TAG.namespace:
        return this.#push('scope', { end });
      case DW_TAG.class_type:
      case DW_TAG.interface_type:
      case DW_TAG.structure_type:
      case DW_TAG.union_type: {
        const type = this.#named(new Composite(tag, die.offset), die);
        const again = tag === DW_TAG.union_type ? null : this.#gnuDie(die);
        return this.#push('class', { end, tag: type, receiver: type, die: again });
      }
      case DW_TAG.subprogram: {
        const func = this.#function(die);
        const again = this.#gnuDie(die);
        return this.#push('function', { end, tag: func, receiver: func, die: again });
      }
      case DW_TAG.subroutine_type: {
        const type = this.#type(new FunctionTag(tag, die.offset), die);
        return this.#push('prototype', { end, tag: type });
      }
      case DW_TAG.rvalue_reference_type:
      case DW_TAG.typedef: {
        const type = this.#named(new NamedType(tag, die.offset), die);
        return this.#push('annotated', { end, tag: type, receiver: type });
      }
      case DW_TAG.variable: {
        const variable = this.#variable(die, isTopLevel);
        return this.#push('annotated', { end, tag: variable, receiver: variable });
      }
      case DW_TAG.imported_declaration:
      case DW_TAG.imported_module:
      case DW_TAG.constant:
      case DW_TAG.label:
      case DW_TAG.dwarf_procedure:
      case DW_TAG.GNU_annotation:
        return false;
      default:
        this.#options.decisions.entryLeftOut(die.offset, tag);
        return false;
    }
  }

  #readInClass(die: Die, top: Frame, end: number): boolean {
    const { tag } = die;
    switch (tag) {
      case DW_TAG.member:
      case DW_TAG.inheritance: {
        if (!(top.tag instanceof Composite)) return false;
        const member = this.#member(die, top.tag.tag === DW_TAG.union_type);
        top.tag.members.push(member);
        const again = this.#gnuDie(die);
        const component = top.count++;
        return this.#push('annotated', { end, receiver: top.tag, component, die: again });
      }
      case DW_TAG.LLVM_annotation:
      case DW_TAG.GNU_annotation:
        this.#declTag(die, top.receiver, -1);
        return false;
      case DW_TAG.subrange_type:
      case DW_TAG.variant_part:
        this.#options.decisions.entryLeftOut(die.offset, tag);
        return false;
      case DW_TAG.template_type_parameter:
      case DW_TAG.template_value_parameter:
      case DW_TAG.GNU_template_parameter_pack:
      case DW_TAG.GNU_formal_parameter_pack:
      case DW_TAG.GNU_template_template_param:
        return false;
      default:
        return this.#readTag(die, end, false);
    }
  }

  #readInFunction(die: Die, top: Frame, end: number): boolean {
    const { tag } = die;
    switch (tag) {
      case DW_TAG.formal_parameter:
        return this.#parameter(die, top, end);
      case DW_TAG.unspecified_parameters:
        if (top.tag instanceof FunctionTag) top.tag.isVariadic = true;
        return false;
      case DW_TAG.inlined_subroutine:
        return this.#inlined(die, end);
      case DW_TAG.lexical_block:
        return this.#push('block', { end });
      case DW_TAG.LLVM_annotation:
      case DW_TAG.GNU_annotation:
        this.#declTag(die, top.receiver, -1);
        return false;
      case DW_TAG.variable:
        return this.#localVariable(die, end);
      default:
        return SKIPPED_IN_FUNCTIONS.has(tag) ? false : this.#readTag(die, end, false);
    }
  }

  #readInInlined(die: Die, end: number): boolean {
    const { tag } = die;
    if (tag === DW_TAG.lexical_block) return this.#push('block', { end });
    if (tag === DW_TAG.inlined_subroutine) return this.#inlined(die, end);
    if (tag === DW_TAG.formal_parameter || SKIPPED_IN_FUNCTIONS.has(tag)) return false;
    if (tag === DW_TAG.variable) return this.#localVariable(die, end);
    return this.#readTag(die, end, false);
  }

  #readInPrototype(die: Die, top: Frame, end: number): boolean {
    const { tag } = die;
    if (tag === DW_TAG.formal_parameter) return this.#parameter(die, top, end);
    if (tag === DW_TAG.unspecified_parameters) {
      if (top.tag instanceof FunctionTag) top.tag.isVariadic = true;
      return false;
    }
    return tag === DW_TAG.subrange_type ? false : this.#readTag(die, end, false);
  }

  /** Ends a type without entries below it. */
  #leaf(type: TypeTag): false {
    this.#unit.addType(type);
    return false;
  }

  #type<T extends TypeTag>(type: T, die: Die): T {
    type.typeRef = this.#reference(die, DW_AT.type);
    type.byteSize = u32(die, DW_AT.byte_size);
    return type;
  }

  #named<T extends NamedType>(type: T, die: Die): T {
    this.#type(type, die);
    type.name = this.#name(die);
    type.isDeclaration = die.flag(DW_AT.declaration);
    if (die.has(DW_AT.specification)) {
      type.specification = this.#reference(die, DW_AT.specification);
    }
    return type;
  }

  #baseType(die: Die): BaseType {
    const type = this.#type(new BaseType(DW_TAG.base_type, die.offset), die);
    type.name = this.#name(die);
    type.bitSize = (type.byteSize * 8) & 0xffff;
    type.encoding = u32(die, DW_AT.encoding);
    return type;
  }

  #pointer(die: Die, end: number): boolean {
    const type = this.#type(new PointerType(DW_TAG.pointer_type, die.offset), die);
    const again = this.#options.hasTypeTags ? this.#gnuDie(die) : null;
    if (!this.#options.hasTypeTags || (!die.hasChildren && again === null)) return this.#leaf(type);
    return this.#push('pointer', { end, tag: type, die: again });
  }

  #member(die: Die, isInUnion: boolean): Member {
    const member = new Member(die.tag, die.offset);
    member.typeRef = this.#reference(die, DW_AT.type);
    member.name = this.#name(die);
    member.hasBitOffset = die.has(DW_AT.data_bit_offset);
    if (member.hasBitOffset) {
      member.bitOffset = memberOffset(die, DW_AT.data_bit_offset);
    } else {
      if (die.has(DW_AT.data_member_location)) {
        member.byteOffset = memberOffset(die, DW_AT.data_member_location);
      } else {
        member.isStatic = !isInUnion;
      }
      member.bitOffset = (member.byteOffset * 8) >>> 0;
      if (die.has(DW_AT.bit_offset))
        member.bitfieldOffset = (u32(die, DW_AT.bit_offset) << 24) >> 24;
    }
    if (die.has(DW_AT.byte_size)) member.byteSize = u32(die, DW_AT.byte_size);
    if (die.has(DW_AT.bit_size)) member.bitfieldSize = u32(die, DW_AT.bit_size) & 0xff;
    member.virtuality = u32(die, DW_AT.virtuality) & 3;
    return member;
  }

  #function(die: Die): FunctionTag {
    const func = this.#type(new FunctionTag(DW_TAG.subprogram, die.offset), die);
    func.name = this.#name(die);
    func.origin = this.#reference(die, DW_AT.abstract_origin);
    func.specification = this.#reference(die, DW_AT.specification);
    const start = die.address(DW_AT.low_pc);
    func.address = start === null ? 0n : start + this.#options.bias;
    func.isDeclaration = die.has(DW_AT.declaration);
    func.isExternal = die.has(DW_AT.external);
    func.isInlined = (u32(die, DW_AT.inline) & 3) !== 0;
    func.isNoCall = die.number(DW_AT.calling_convention) === NO_CALL;
    return func;
  }

  /** Reads a parameter of a function or function type; in a block one that origins may name. */
  #parameter(die: Die, top: Frame, end: number): boolean {
    const parameter = new Parameter(die.tag, die.offset);
    parameter.typeRef = this.#reference(die, DW_AT.type);
    parameter.origin = this.#reference(die, DW_AT.abstract_origin);
    parameter.name = this.#name(die);
    parameter.index = top.context === 'prototype' ? -1 : top.count++ & 0xff;
    this.#unit.tagAt.set(die.offset, parameter);
    if (!(top.tag instanceof FunctionTag)) return false;
    top.tag.parameters.push(parameter);
    parameter.hasConstValue = die.has(DW_AT.const_value);
    parameter.hasLocation = die.has(DW_AT.location);
    if (top.context === 'prototype') return false;
    const again = this.#gnuDie(die);
    if (!die.hasChildren && again === null) return false;
    const component = top.tag.parameters.length - 1;
    return this.#push('annotated', { end, receiver: top.tag, component, die: again });
  }

  #inlined(die: Die, end: number): boolean {
    if (this.#options.isMerged) {
      const origin = this.#reference(die, DW_AT.abstract_origin);
      const func = this.#open.findLast(({ tag }) => tag instanceof FunctionTag)?.tag;
      if (func instanceof FunctionTag && origin > 0) {
        func.inlined ??= [];
        func.inlined.push(origin);
      }
    }
    return this.#push('inlined', { end });
  }

  /** Reads a variable of a function only if it may be the declaration of another. */
  #localVariable(die: Die, end: number): boolean {
    const { decisions } = this.#options;
    if (!die.has(DW_AT.declaration) && !decisions.isKept) return false;
    const variable = this.#variable(die, false);
    if (!variable.isDeclaration) {
      if (variable.scope !== 'global') return false;
      decisions.variableLeftOut(die.offset, variable.name, 'not-top-level');
      return false;
    }
    return this.#push('annotated', { end, tag: variable, receiver: variable });
  }

  #variable(die: Die, isTopLevel: boolean): VariableTag {
    const variable = new VariableTag(die.tag, die.offset);
    variable.typeRef = this.#reference(die, DW_AT.type);
    variable.name = this.#name(die);
    variable.specification = this.#reference(die, DW_AT.specification);
    variable.isExternal = die.has(DW_AT.external);
    variable.isDeclaration = die.has(DW_AT.declaration);
    variable.isArtificial = die.has(DW_AT.artificial);
    variable.isTopLevel = isTopLevel;
    if (!variable.isDeclaration) locate(variable, die);
    if (variable.scope === 'global') variable.address += this.#options.bias;
    return variable;
  }

  /** Returns the entry of a reference; 0 if there is none, `LOST` for one in a type unit. */
  #reference(die: Die, attribute: number): number {
    if (!die.has(attribute)) return 0;
    if (die.form(attribute) === DW_FORM.ref_sig8) return LOST;
    return die.reference(attribute) ?? 0;
  }

  #name(die: Die): number {
    return this.#text(die, DW_AT.name);
  }

  #text(die: Die, attribute: number): number {
    if (!die.has(attribute)) return 0;
    const place = die.stringPlace(attribute);
    return place === null ? 0 : this.#options.names.idAt(place.section, place.offset);
  }

  #isNamed(die: Die, name: string): boolean {
    return this.#options.names.text(this.#name(die)) === name;
  }

  /** Returns the entry if it has annotations as gcc writes them; else null. */
  #gnuDie(die: Die): Die | null {
    return die.has(GNU_ANNOTATION) ? die : null;
  }

  #declTag(die: Die, receiver: Frame['receiver'], component: number): void {
    if (receiver === null || !this.#options.hasDeclTags) return;
    if (!this.#isNamed(die, 'btf_decl_tag')) return;
    annotate(receiver, { value: this.#text(die, DW_AT.const_value), component });
  }

  #gnuDeclTags(die: Die, receiver: Frame['receiver'], component: number): void {
    for (const each of this.#gnuChain(die)) this.#declTag(each, receiver, component);
  }

  /** Adds the type tags of gcc to a pointer that has none of clang. gcc lists the outer one first. */
  #gnuTypeTags(tag: Tag | null, die: Die): void {
    if (!(tag instanceof PointerType) || tag.tags !== null) return;
    const frame = { tag };
    for (const each of this.#gnuChain(die)) {
      if (!this.#isNamed(each, 'btf_type_tag')) return;
      this.#typeTag(frame, each, false);
    }
  }

  /** Yields the annotations of gcc: each entry names the next. */
  *#gnuChain(die: Die): Generator<Die, void, void> {
    const seen = new Set<number>();
    let at = die.reference(GNU_ANNOTATION);
    while (at !== null && !seen.has(at)) {
      seen.add(at);
      const next = this.#source.reader.dieAt(at);
      if (next.tag !== DW_TAG.GNU_annotation) return;
      yield next;
      at = next.reference(GNU_ANNOTATION);
    }
  }

  /** Adds a type tag to a pointer. clang lists the tags in the order of the source: inner first. */
  #typeTag({ tag }: { readonly tag: Tag | null }, die: Die, isInnerFirst: boolean): void {
    if (!(tag instanceof PointerType)) return;
    const added = new TypeAnnotation(die.offset, this.#text(die, DW_AT.const_value));
    this.#unit.addType(added);
    tag.tags ??= [];
    if (isInnerFirst) tag.tags.unshift(added);
    else tag.tags.push(added);
  }
}

/** Entries in functions from which no BTF follows. */
const SKIPPED_IN_FUNCTIONS: ReadonlySet<number> = new Set([
  DW_TAG.call_site,
  DW_TAG.call_site_parameter,
  DW_TAG.GNU_call_site,
  DW_TAG.GNU_call_site_parameter,
  DW_TAG.dwarf_procedure,
  DW_TAG.label,
  DW_TAG.template_type_parameter,
  DW_TAG.template_value_parameter,
  DW_TAG.GNU_template_parameter_pack,
  DW_TAG.GNU_formal_parameter_pack,
  DW_TAG.GNU_template_template_param,
]);

function isAnnotation(tag: number): boolean {
  return tag === DW_TAG.LLVM_annotation || tag === DW_TAG.GNU_annotation;
}

/** Returns the low 32 bits of a constant or flag; 0 without one. */
function u32(die: Die, attribute: number): number {
  if (!die.has(attribute)) return 0;
  const number = die.number(attribute);
  if (number !== null) return number >>> 0;
  const constant = die.constant(attribute);
  if (constant !== null) return Number(BigInt.asUintN(32, constant));
  return die.flag(attribute) ? 1 : 0;
}

/** Returns an offset in a struct, in 32 bits: a constant, or an expression of one operation. */
function memberOffset(die: Die, attribute: number): number {
  const block = die.block(attribute);
  if (block === null) return u32(die, attribute);
  const [first] = operationsOf(block, die.unit.header);
  if (first?.code !== DW_OP.plus_uconst && first?.code !== DW_OP.constu) return 0xffffffff;
  return Number(BigInt.asUintN(32, first.operands[0] ?? 0n));
}

/** Returns the number of elements of a dimension in 32 bits; 0 if it is not constant. */
function elementCount(die: Die): number {
  if (die.has(DW_AT.upper_bound)) {
    const bound = die.constant(DW_AT.upper_bound);
    return bound === null ? 0 : Number(BigInt.asUintN(32, bound + 1n));
  }
  return u32(die, DW_AT.count);
}

/** Reads where a variable is. Source: dwarf_loader.c, `dwarf__location`. */
function locate(variable: VariableTag, die: Die): void {
  const block = die.block(DW_AT.location);
  if (block === null) {
    variable.scope = 'optimized';
    return;
  }
  const [first, second, ...rest] = operationsOf(block, die.unit.header);
  if (first === undefined) return;
  const { code } = first;
  if (code === DW_OP.addr || code === DW_OP.addrx) {
    const [operand = 0n] = first.operands;
    variable.scope = 'global';
    variable.address = code === DW_OP.addr ? operand : die.unit.address(Number(operand));
    if (second?.code === DW_OP.plus_uconst && rest.length === 0) {
      variable.address += second.operands[0] ?? 0n;
    }
  } else if (code === DW_OP.fbreg) {
    variable.scope = 'local';
  } else if (code > DW_OP.reg0 && code <= DW_OP.breg31) {
    variable.scope = 'register';
  }
}

/** Returns true for an enumeration over a signed integer, by the type that its entry names. */
export function isSignedType(type: Tag | undefined): boolean {
  if (!(type instanceof BaseType)) return false;
  return type.encoding === DW_ATE.signed || type.encoding === DW_ATE.signed_char;
}
