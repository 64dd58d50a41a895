/** Declarations in C++: references, classes with their bases, enumerations with their type. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_TAG } from '#formats/dwarf/constants.ts';
import {
  type ClassPart,
  PARAM_FLAGS,
  PART,
  PART_ACCESS_SHIFT,
  PART_FLAGS,
  partsOf,
  statedAlignment,
} from '#model/class-parts.ts';
import { ACCESS_SHIFT } from '#model/dwarf.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { enumeratorsOf, isComposite, isEnum } from '#model/type-items.ts';
import {
  arrayData,
  intData,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
import {
  BOOL,
  bodyText,
  CONVERSION,
  realText,
  spaced,
  specifiers,
  withoutArguments,
} from './cpp-words.ts';
import {
  Budget,
  baseClasses,
  hasFlag,
  isScopedEnum,
  LEFT_OUT,
  otherType,
  type SourcedTypes,
  type SourceMember,
  sourceMembers,
  sourceParams,
  tagOf,
} from './source-types.ts';

/** Words of DW_ACCESS. */
const ACCESS = ['', 'public', 'protected', 'private'] as const;

const QUALIFIERS: ReadonlyMap<number, string> = new Map([
  [BtfKind.CONST, 'const'],
  [BtfKind.VOLATILE, 'volatile'],
  [BtfKind.RESTRICT, '__restrict'],
]);

/** Returns the text of a type in a row. Not escaped. */
export function cppTypeText(s: SourcedTypes, id: TypeId): string {
  return new CppWriter(s, new Budget(true)).declare(id, '', '', 0);
}

/** Returns the declaration of a type, function or variable; null for other kinds. Not escaped. */
export function cppDeclaration(s: SourcedTypes, id: TypeId): string | null {
  const { types: t } = s;
  const writer = new CppWriter(s);
  const kind = kindOf(t, id);
  const name = nameOf(t, id);
  const target = typeId(sizeOrTypeOf(t, id));
  if (isComposite(kind) || isEnum(kind)) return `${writer.definition(id, '', 0)};`;
  switch (kind) {
    case BtfKind.FWD:
      return `${writer.keyword(id)} ${name};`;
    case BtfKind.TYPEDEF:
      return `typedef ${writer.declare(target, name, '', 0)};`;
    case BtfKind.FUNC:
      return `${vlenOf(t, id) === 0 && !name.includes('::') ? 'static ' : ''}${writer.func(target, name)};`;
    case BtfKind.VAR:
      return `${varLinkage(t, id) === 0 && !name.includes('::') ? 'static ' : ''}${writer.declare(target, name, '', 0)};`;
    case BtfKind.DATASEC:
      return null;
    default:
      return `${writer.declare(id, '', '', 0)};`;
  }
}

class CppWriter {
  readonly #s: SourcedTypes;
  readonly #budget: Budget;
  /** Class that is being declared: its name in itself, and the scope that names in it may omit. */
  #class = { id: VOID, name: '', scope: '' };

  constructor(s: SourcedTypes, budget = new Budget()) {
    this.#s = s;
    this.#budget = budget;
  }

  /** Returns `class`, `struct`, `union`, `enum` or `enum class`. */
  keyword(id: TypeId): string {
    const { types: t } = this.#s;
    const kind = kindOf(t, id);
    if (isEnum(kind)) return isScopedEnum(this.#s, id) ? 'enum class' : 'enum';
    if (tagOf(this.#s, id) === DW_TAG.class_type) return 'class';
    return kind === BtfKind.UNION || (kind === BtfKind.FWD && kindFlagOf(t, id))
      ? 'union'
      : 'struct';
  }

  /** Returns `type` declared as `inner`: the name with the declarators around it, or nothing. */
  declare(type: TypeId, inner: string, indent: string, depth: number): string {
    const { types: t } = this.#s;
    if (!this.#budget.take(depth)) return `${LEFT_OUT}${spaced(inner)}`;
    const kind = type === VOID ? BtfKind.UNKN : kindOf(t, type);
    const target = typeId(sizeOrTypeOf(t, type));
    const qualifier = QUALIFIERS.get(kind);
    if (qualifier !== undefined) {
      // The qualifier of a pointer follows its asterisk; that of another type comes first.
      return kindOf(t, skipModifiers(t, target)) === BtfKind.PTR && target !== VOID
        ? this.declare(target, `${qualifier}${spaced(inner)}`, indent, depth + 1)
        : `${qualifier} ${this.declare(target, inner, indent, depth + 1)}`;
    }
    switch (kind) {
      case BtfKind.UNKN:
        return `void${spaced(inner)}`;
      case BtfKind.PTR: {
        const pointed = kindOf(t, target);
        const isNested = pointed === BtfKind.ARRAY || pointed === BtfKind.FUNC_PROTO;
        const pointer = `${this.#operator(type)}${inner}`;
        return this.declare(target, isNested ? `(${pointer})` : pointer, indent, depth + 1);
      }
      case BtfKind.ARRAY: {
        const { elemType, nelems } = arrayData(t, type);
        return this.declare(elemType, `${inner}[${nelems === 0 ? '' : nelems}]`, indent, depth + 1);
      }
      case BtfKind.FUNC_PROTO:
        return this.#function(type, inner, depth);
      case BtfKind.TYPE_TAG:
        return this.declare(target, inner, indent, depth + 1);
      default: {
        const name = this.#nameOf(type);
        if (name !== '') return `${name}${spaced(inner)}`;
        return `${this.definition(type, indent, depth + 1)}${spaced(inner)}`;
      }
    }
  }

  /** Returns `*`, `&`, `&&` or `class::*`. */
  #operator(pointer: TypeId): string {
    switch (tagOf(this.#s, pointer)) {
      case DW_TAG.reference_type:
        return '&';
      case DW_TAG.rvalue_reference_type:
        return '&&';
      case DW_TAG.ptr_to_member_type:
        return `${this.#nameOf(otherType(this.#s, pointer))}::*`;
      default:
        return '*';
    }
  }

  /** Returns the name of a type as it is written in the class that is being declared. */
  #nameOf(id: TypeId): string {
    const name = this.#budget.nameOf(this.#s.types, id);
    const { id: own, name: simple, scope } = this.#class;
    if (id === own) return simple;
    return scope !== '' && name.startsWith(scope) ? name.slice(scope.length) : name;
  }

  #valueText(type: TypeId, value: bigint): string {
    const { types: t } = this.#s;
    const plain = skipModifiers(t, type);
    const kind = kindOf(t, plain);
    if (kind === BtfKind.FLOAT) return realText(value, sizeOrTypeOf(t, plain));
    const isBool = kind === BtfKind.INT && (intData(t, plain).encoding & BOOL) !== 0;
    return isBool ? `${value !== 0n}` : `${value}`;
  }

  /** Returns the declaration of a function or method. */
  func(proto: TypeId, name: string): string {
    const [last = '', scope = ''] = withoutArguments(name).split('::').reverse();
    const isMaker = scope !== '' && (last.startsWith('~') || last === scope);
    return this.#function(proto, name, 0, isMaker);
  }

  #function(proto: TypeId, name: string, depth: number, isMaker = false): string {
    if (!this.#budget.take(depth, vlenOf(this.#s.types, proto)))
      return `${LEFT_OUT}${spaced(name)}`;
    const params = sourceParams(this.#s, proto).map((param) => ({
      ...param,
      isObject: hasFlag(param, 'artificial'),
      isVariadic: param.name === '' && param.type === VOID,
    }));
    const result = isMaker ? null : typeId(sizeOrTypeOf(this.#s.types, proto));
    return this.#signature({ name, result, params }, depth);
  }

  #signature({ name, result, params, suffix = '' }: Signature, depth: number): string {
    const { types: t } = this.#s;
    const written: string[] = [];
    for (const { isVariadic, isObject, type, name: own } of params) {
      // The object is no parameter in the source.
      if (isObject) continue;
      if (type === VOID ? !this.#budget.take(0) : this.#budget.isOver) {
        written.push(LEFT_OUT);
        break;
      }
      if (isVariadic) written.push('...');
      else if (type === VOID) written.push('decltype(nullptr)');
      else written.push(this.declare(type, this.#budget.name(own), '', depth + 1));
    }
    const [object] = params;
    const pointer = object?.isObject === true ? skipModifiers(t, object.type) : VOID;
    const target = pointer === VOID ? VOID : typeId(sizeOrTypeOf(t, pointer));
    const qualifier = QUALIFIERS.get(kindOf(t, target));
    const own = `${name}(${written.join(', ')})${spaced(qualifier ?? '')}${suffix}`;
    // A constructor and a destructor return nothing.
    return result === null ? own : this.declare(result, own, '', depth + 1);
  }

  /** Returns a method or static member, without the semicolon. */
  #part(part: ClassPart, className: string, depth: number): string {
    const { type, flags, value } = part;
    const has = (flag: number) => (flags & flag) !== 0;
    const name = this.#budget.name(this.#spelling(part.name));
    const isVariable = (flags & PART_FLAGS.kind) === PART.variable;
    const words = specifiers(isVariable ? flags | PART_FLAGS.static : flags);
    if (isVariable) {
      const isConst = has(PART_FLAGS.constexpr) && kindOf(this.#s.types, type) === BtfKind.CONST;
      const own = isConst ? typeId(sizeOrTypeOf(this.#s.types, type)) : type;
      const initial = value === null ? '' : ` = ${this.#valueText(type, value)}`;
      return `${words}${this.declare(own, name, '', depth + 1)}${initial}`;
    }
    const isMaker = type === VOID && (name.startsWith('~') || withoutArguments(name) === className);
    const isConversion = CONVERSION.test(name);
    const params = part.params.map((param) => ({
      name: this.#spelling(param.name),
      type: param.type,
      isObject: (param.flags & PARAM_FLAGS.artificial) !== 0,
      isVariadic: (param.flags & PARAM_FLAGS.variadic) !== 0,
    }));
    const suffix = has(PART_FLAGS.lvalue) ? ' &' : has(PART_FLAGS.rvalue) ? ' &&' : '';
    const result = isMaker || isConversion ? null : type;
    // A result is counted where it is written.
    if (result === null) this.#budget.take(0);
    return `${words}${this.#signature({ name, result, params, suffix }, depth + 1)}${bodyText(flags)}`;
  }

  #spelling(number: number): string {
    return this.#s.places.source.spellings[number - 1] ?? '';
  }

  /** Returns a class or enumeration with its contents, without the semicolon. */
  definition(id: TypeId, indent: string, depth: number): string {
    const { types: t } = this.#s;
    const kind = kindOf(t, id);
    if (this.#budget.isShort) return `${this.keyword(id)} {${LEFT_OUT}}`;
    const { parts: all } = this.#s.places.source;
    const parts = isComposite(kind) ? partsOf(all, id) : [];
    const stated = statedAlignment(all, id);
    const alignment = stated === null ? '' : ` alignas(${stated})`;
    const head = `${this.keyword(id)}${alignment}${spaced(this.#nameOf(id))}`;
    if (!isEnum(kind) && !isComposite(kind)) return LEFT_OUT;
    const items = vlenOf(t, id) + parts.length;
    if (depth > 0 && !this.#budget.take(depth, items)) return `${head} { ${LEFT_OUT} }`;
    if (isEnum(kind)) {
      const type = otherType(this.#s, id);
      const base = type === VOID ? '' : ` : ${this.declare(type, '', indent, depth + 1)}`;
      const values = enumeratorsOf(t, id).map(
        ({ name, value }) => `${indent}\t${this.#budget.name(name)} = ${value},\n`,
      );
      return `${head}${base} {\n${values.join('')}${indent}}`;
    }
    const members = sourceMembers(this.#s, id);
    const bases = baseClasses(this.#s, id, members).map((base) => {
      const access = ACCESS[base.flags >> ACCESS_SHIFT] ?? '';
      const words = [access, hasFlag(base, 'virtual') ? 'virtual' : '', this.#nameOf(base.type)];
      return words.filter((word) => word !== '').join(' ');
    });
    const list = bases.length === 0 ? '' : ` : ${bases.join(', ')}`;
    const fields = members.filter((member) => !hasFlag(member, 'base'));
    if (depth === 0) this.#class = this.#classOf(id);
    return `${head}${list} {\n${this.#contents(id, { fields, parts }, indent, depth)}${indent}}`;
  }

  #classOf(id: TypeId) {
    const full = nameOf(this.#s.types, id);
    const name = withoutArguments(full).split('::').at(-1) ?? '';
    return { id, name, scope: full === '' ? '' : `${full}::` };
  }

  /** Returns the data members and other parts of a class in the order of the source. */
  #contents(id: TypeId, { fields, parts }: Contents, indent: string, depth: number): string {
    const usual = tagOf(this.#s, id) === DW_TAG.class_type ? 'private' : 'public';
    const className = this.#classOf(id).name;
    const alignments = new Map<number, bigint | null>();
    const others: ClassPart[] = [];
    for (const part of parts) {
      const kind = part.flags & PART_FLAGS.kind;
      if (kind === PART.memberAlignment) alignments.set(part.entry, part.value);
      else if (kind === PART.method || kind === PART.variable) others.push(part);
    }
    const lines: string[] = [];
    let access: string = usual;
    const add = (stated: number, text: string) => {
      const own = ACCESS[stated] || usual;
      if (own !== access) lines.push(`${indent}${own}:\n`);
      access = own;
      lines.push(`${indent}\t${text};\n`);
    };
    let next = 0;
    const addOthers = (end: number) => {
      for (let part = others[next]; part !== undefined && part.entry < end; part = others[++next]) {
        if (this.#budget.isOver) {
          lines.push(`${indent}\t${LEFT_OUT}\n`);
          next = others.length;
          return;
        }
        const stated = (part.flags & PART_FLAGS.access) >> PART_ACCESS_SHIFT;
        add(stated, this.#part(part, className, depth));
      }
    };
    for (const field of fields) {
      addOthers(field.entry);
      const { name, type, bitfieldSize, entry } = field;
      if (hasFlag(field, 'artificial')) {
        const what = /^_vptr[.$]/.test(name)
          ? 'pointer to virtual functions'
          : 'made by the compiler';
        lines.push(`${indent}\t/* ${what}: ${name} */\n`);
        continue;
      }
      const bits = bitfieldSize === 0 ? '' : ` : ${bitfieldSize}`;
      const aligned = entry < 0 ? undefined : alignments.get(entry);
      const alignment = aligned === undefined ? '' : `alignas(${aligned}) `;
      const own = this.declare(type, this.#budget.name(name), `${indent}\t`, depth + 1);
      add(field.flags >> ACCESS_SHIFT, `${alignment}${own}${bits}`);
    }
    addOthers(Number.POSITIVE_INFINITY);
    return lines.join('');
  }
}

type Contents = { readonly fields: readonly SourceMember[]; readonly parts: readonly ClassPart[] };

type Signature = {
  readonly name: string;
  /** Type of the result; null for a function that states none. */
  readonly result: TypeId | null;
  readonly params: readonly {
    readonly name: string;
    readonly type: TypeId;
    readonly isObject: boolean;
    readonly isVariadic: boolean;
  }[];
  /** Text after the parameters and `const`. */
  readonly suffix?: string;
};
