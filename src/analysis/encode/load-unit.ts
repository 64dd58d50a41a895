/**
 * Reads the entries of a unit that decide about its BTF.
 *
 * Source: pahole 1.31, dwarf_loader.c, `die__process_unit`, `__die__process_tag` and the functions
 * that it calls, down to `die__process_inline_expansion`. A type gets its id after the entries
 * below it.
 */
import { Malformed } from '#bytes/issue.ts';
import { hexText } from '#bytes/text.ts';
import { DW_TAG } from '#formats/dwarf/constants.ts';
import type { Die } from '#formats/dwarf/die.ts';
import type { EntryScanner } from '#formats/dwarf/entry-scanner.ts';
import type { DwarfUnit } from '#formats/dwarf/reader.ts';
import { Annotations } from './annotations.ts';
import type { Decisions } from './decisions.ts';
import { EntryValues, SLOT } from './entry-values.ts';
import type { NameTable } from './name-table.ts';
import { TagMaker } from './tag-maker.ts';
import {
  type Annotation,
  ArrayType,
  Composite,
  declareInside,
  Enumeration,
  FunctionTag,
  NamedType,
  PointerType,
  type Tag,
  TypeTag,
  type Unit,
  VariableTag,
} from './unit-tags.ts';

const MAX_DIMENSIONS = 64;
const DEFAULT_ENUM_BITS = 32;

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
class Frame {
  readonly context: Context;
  /** Number of entries above the entry. */
  readonly depth: number;
  readonly tag: Tag | null;
  /** Receiver of decl tags, and the component that has them. */
  readonly receiver: { annotations: Annotation[] } | null;
  readonly component: number;
  /** Entry with annotations of gcc, which follow those of clang; null without. */
  readonly die: Die | null;
  /** Number of members or parameters so far. */
  count = 0;

  constructor(
    context: Context,
    depth: number,
    tag: Tag | null,
    more: {
      readonly receiver?: { annotations: Annotation[] } | null;
      readonly component?: number;
      readonly die?: Die | null;
    } = NOTHING_MORE,
  ) {
    this.context = context;
    this.depth = depth;
    this.tag = tag;
    this.receiver = more.receiver ?? null;
    this.component = more.component ?? -1;
    this.die = more.die ?? null;
  }
}

const NOTHING_MORE = {};

/** Adds the entries of `source` to `unit`. Throws `Malformed` if the unit is damaged. */
export function loadUnit(unit: Unit, source: DwarfUnit, options: LoadOptions): void {
  new UnitLoader(unit, source, options).load();
}

class UnitLoader {
  readonly #unit: Unit;
  readonly #options: LoadOptions;
  readonly #entry: EntryValues;
  readonly #scanner: EntryScanner;
  readonly #make: TagMaker;
  readonly #annotations: Annotations;
  readonly #open: Frame[] = [];

  constructor(unit: Unit, source: DwarfUnit, options: LoadOptions) {
    this.#unit = unit;
    this.#options = options;
    this.#entry = new EntryValues(source, options.names);
    this.#scanner = this.#entry.scanner;
    this.#make = new TagMaker(this.#entry, options);
    this.#annotations = new Annotations(unit, this.#entry, options);
  }

  load(): void {
    const scanner = this.#scanner;
    const open = this.#open;
    if (!scanner.next()) return;
    open.push(new Frame('scope', 0, null));
    while (scanner.next()) {
      let top = open.at(-1);
      while (top !== undefined && top.depth >= scanner.depth) {
        this.#close(top);
        open.pop();
        top = open.at(-1);
      }
      if (top === undefined) return;
      const frame = this.#read(top);
      if (frame === null) {
        scanner.skipChildren();
      } else if (scanner.hasChildren) {
        open.push(frame);
      } else {
        this.#close(frame);
      }
    }
    for (let top = open.pop(); top !== undefined; top = open.pop()) this.#close(top);
  }

  /** Reads an entry. Returns the frame in which those below it are read; null to skip them. */
  #read(top: Frame): Frame | null {
    const { tag } = this.#scanner;
    switch (top.context) {
      case 'scope':
        return this.#readTag(top.depth === 0);
      case 'class':
        return this.#readInClass(top);
      case 'function':
      case 'block':
        return this.#readInFunction(top);
      case 'inlined':
        return this.#readInInlined();
      case 'prototype':
        return this.#readInPrototype(top);
      case 'enumeration':
        if (tag === DW_TAG.enumerator && top.tag instanceof Enumeration) {
          top.tag.names.push(this.#entry.name(SLOT.name));
          top.tag.values.push(this.#entry.i64(SLOT.constValue));
        }
        return null;
      case 'array':
        if (tag === DW_TAG.subrange_type && top.tag instanceof ArrayType) {
          const { dimensions } = top.tag;
          if (dimensions.length < MAX_DIMENSIONS) dimensions.push(this.#entry.elementCount());
        }
        return null;
      case 'pointer':
        if (isAnnotation(tag) && top.tag instanceof PointerType) {
          this.#annotations.addTypeTag(top.tag);
        }
        return null;
      case 'annotated':
        if (isAnnotation(tag)) this.#annotations.addDeclTag(top.receiver, top.component);
        return null;
    }
  }

  /** Ends an entry, after those below it: types get their ids here. */
  #close({ tag, die, receiver, component }: Frame): void {
    if (tag instanceof PointerType) this.#annotations.endTypeTags(tag, die);
    else if (die !== null) this.#annotations.addGnuDeclTags(die, receiver, component);
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
  #readTag(isTopLevel: boolean): Frame | null {
    const { tag, offset, depth } = this.#scanner;
    switch (tag) {
      case DW_TAG.imported_unit:
        throw importedUnit(offset);
      case DW_TAG.array_type:
        return new Frame('array', depth, this.#make.array());
      case DW_TAG.base_type:
        return this.#leaf(this.#make.baseType());
      case DW_TAG.unspecified_type:
        // BTF has no such type. References to it become void.
        this.#options.decisions.typeLeftOut(offset, this.#entry.name(SLOT.name), 'unspecified');
        return null;
      case DW_TAG.string_type:
      case DW_TAG.const_type:
      case DW_TAG.reference_type:
      case DW_TAG.restrict_type:
      case DW_TAG.volatile_type:
      case DW_TAG.atomic_type:
      case DW_TAG.ptr_to_member_type:
        return this.#leaf(this.#make.type(new TypeTag(tag, offset)));
      case DW_TAG.pointer_type: {
        const type = this.#make.type(new PointerType(tag, offset));
        const die = this.#options.hasTypeTags ? this.#annotations.gnuDie() : null;
        return this.#options.hasTypeTags
          ? new Frame('pointer', depth, type, { die })
          : this.#leaf(type);
      }
      case DW_TAG.enumeration_type: {
        const type = this.#make.named(new Enumeration(tag, offset));
        type.bitSize = type.byteSize === 0 ? DEFAULT_ENUM_BITS : (type.byteSize * 8) >>> 0;
        return new Frame('enumeration', depth, type);
      }
      case DW_TAG.namespace:
        return new Frame('scope', depth, null);
      case DW_TAG.class_type:
      case DW_TAG.interface_type:
      case DW_TAG.structure_type:
      case DW_TAG.union_type: {
        const type = this.#make.composite(isTopLevel);
        const die = tag === DW_TAG.union_type ? null : this.#annotations.gnuDie();
        return new Frame('class', depth, type, { receiver: type, die });
      }
      case DW_TAG.subprogram: {
        const func = this.#make.func();
        const die = this.#annotations.gnuDie();
        return new Frame('function', depth, func, { receiver: func, die });
      }
      case DW_TAG.subroutine_type:
        return new Frame('prototype', depth, this.#make.type(new FunctionTag(tag, offset)));
      case DW_TAG.rvalue_reference_type:
      case DW_TAG.typedef: {
        const type = this.#make.named(new NamedType(tag, offset));
        return new Frame('annotated', depth, type, { receiver: type });
      }
      case DW_TAG.variable: {
        const variable = this.#make.variable(isTopLevel);
        return new Frame('annotated', depth, variable, { receiver: variable });
      }
      case DW_TAG.imported_declaration:
      case DW_TAG.imported_module:
      case DW_TAG.constant:
      case DW_TAG.label:
      case DW_TAG.dwarf_procedure:
      case DW_TAG.GNU_annotation:
        return null;
      default:
        this.#options.decisions.entryLeftOut(offset, tag);
        return null;
    }
  }

  #readInClass(top: Frame): Frame | null {
    const { tag, offset, depth } = this.#scanner;
    switch (tag) {
      case DW_TAG.member:
      case DW_TAG.inheritance: {
        if (!(top.tag instanceof Composite)) return null;
        top.tag.members.push(this.#make.member(top.tag.tag === DW_TAG.union_type));
        const component = top.count++;
        const die = this.#annotations.gnuDie();
        if (die === null && !this.#scanner.hasChildren) return null;
        return new Frame('annotated', depth, null, { receiver: top.tag, component, die });
      }
      case DW_TAG.LLVM_annotation:
      case DW_TAG.GNU_annotation:
        this.#annotations.addDeclTag(top.receiver, -1);
        return null;
      case DW_TAG.subrange_type:
      case DW_TAG.variant_part:
        this.#options.decisions.entryLeftOut(offset, tag);
        return null;
      case DW_TAG.template_type_parameter:
      case DW_TAG.template_value_parameter:
      case DW_TAG.GNU_template_parameter_pack:
      case DW_TAG.GNU_formal_parameter_pack:
      case DW_TAG.GNU_template_template_param:
        return null;
      default: {
        const frame = this.#readTag(false);
        const type = frame?.tag;
        if (top.tag instanceof Composite) {
          if (type instanceof Composite || type instanceof Enumeration) {
            declareInside(top.tag, type);
          }
        }
        return frame;
      }
    }
  }

  #readInFunction(top: Frame): Frame | null {
    const { tag, depth } = this.#scanner;
    switch (tag) {
      case DW_TAG.formal_parameter:
        return this.#parameter(top);
      case DW_TAG.unspecified_parameters:
        if (top.tag instanceof FunctionTag) top.tag.isVariadic = true;
        return null;
      case DW_TAG.inlined_subroutine:
        return this.#inlined();
      case DW_TAG.lexical_block:
        return new Frame('block', depth, null);
      case DW_TAG.LLVM_annotation:
      case DW_TAG.GNU_annotation:
        this.#annotations.addDeclTag(top.receiver, -1);
        return null;
      case DW_TAG.variable:
        return this.#localVariable();
      default:
        return SKIPPED_IN_FUNCTIONS.has(tag) ? null : this.#readTag(false);
    }
  }

  #readInInlined(): Frame | null {
    const { tag, depth } = this.#scanner;
    if (tag === DW_TAG.lexical_block) return new Frame('block', depth, null);
    if (tag === DW_TAG.inlined_subroutine) return this.#inlined();
    if (tag === DW_TAG.formal_parameter || SKIPPED_IN_FUNCTIONS.has(tag)) return null;
    return tag === DW_TAG.variable ? this.#localVariable() : this.#readTag(false);
  }

  #readInPrototype(top: Frame): Frame | null {
    const { tag } = this.#scanner;
    if (tag === DW_TAG.formal_parameter) return this.#parameter(top);
    if (tag === DW_TAG.unspecified_parameters) {
      if (top.tag instanceof FunctionTag) top.tag.isVariadic = true;
      return null;
    }
    return tag === DW_TAG.subrange_type ? null : this.#readTag(false);
  }

  /** Ends a type without entries below it. */
  #leaf(type: TypeTag): null {
    this.#unit.addType(type);
    return null;
  }

  /** Reads a parameter of a function or function type; in a block one that origins may name. */
  #parameter(top: Frame): Frame | null {
    const isType = top.context === 'prototype';
    const parameter = this.#make.parameter(isType ? -1 : top.count++ & 0xff);
    this.#unit.tagAt.set(parameter.offset, parameter);
    if (!(top.tag instanceof FunctionTag)) return null;
    top.tag.parameters.push(parameter);
    this.#make.locate(parameter);
    if (isType) return null;
    const die = this.#annotations.gnuDie();
    if (die === null && !this.#scanner.hasChildren) return null;
    const component = top.tag.parameters.length - 1;
    const { depth } = this.#scanner;
    return new Frame('annotated', depth, null, { receiver: top.tag, component, die });
  }

  #inlined(): Frame {
    if (this.#options.isMerged) {
      const origin = this.#entry.reference(SLOT.abstractOrigin);
      const func = this.#open.findLast(({ tag }) => tag instanceof FunctionTag)?.tag;
      if (func instanceof FunctionTag && origin > 0) {
        func.inlined ??= [];
        func.inlined.push(origin);
      }
    }
    return new Frame('inlined', this.#scanner.depth, null);
  }

  /** Reads a variable of a function only if it may be the declaration of another. */
  #localVariable(): Frame | null {
    const { decisions } = this.#options;
    if (!this.#entry.has(SLOT.declaration) && !decisions.isKept) return null;
    const variable = this.#make.variable(false);
    if (variable.isDeclaration) {
      return new Frame('annotated', this.#scanner.depth, variable, { receiver: variable });
    }
    if (variable.scope === 'global') {
      decisions.variableLeftOut(variable.offset, variable.name, 'not-top-level');
    }
    return null;
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

function importedUnit(offset: number): Malformed {
  return new Malformed({
    code: 'encode.imported-unit',
    region: '.debug_info',
    message: 'pahole 1.31 does not read units that import others, as dwz writes them',
    span: null,
    expected: 'units that contain their entries',
    found: `DW_TAG_imported_unit at ${hexText(offset)}`,
  });
}
