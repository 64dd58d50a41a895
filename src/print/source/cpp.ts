/** Declarations in C++: references, classes with their bases, enumerations with their type. */
import { BtfKind } from '#formats/btf/kinds.ts';
import { DW_TAG } from '#formats/dwarf/constants.ts';
import { ACCESS_SHIFT } from '#model/dwarf.ts';
import { type TypeId, typeId, VOID } from '#model/ids.ts';
import { enumeratorsOf, isComposite, isEnum } from '#model/type-items.ts';
import {
  arrayData,
  kindFlagOf,
  kindOf,
  nameOf,
  sizeOrTypeOf,
  skipModifiers,
  varLinkage,
  vlenOf,
} from '#model/type-table.ts';
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
  readonly #budget = new Budget();

  constructor(s: SourcedTypes) {
    this.#s = s;
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
        const name = this.#budget.name(nameOf(t, type));
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
        return `${this.#budget.name(nameOf(this.#s.types, otherType(this.#s, pointer)))}::*`;
      default:
        return '*';
    }
  }

  /** Returns the declaration of a function or method. */
  func(proto: TypeId, name: string): string {
    const text = this.#function(proto, name, 0);
    // A constructor and a destructor return nothing.
    const [last = '', scope = ''] = name.split('::').reverse();
    const isMaker = scope !== '' && (last.startsWith('~') || last === scope.split('<', 1)[0]);
    return isMaker ? text.replace(/^void /, '') : text;
  }

  #function(proto: TypeId, name: string, depth: number): string {
    const { types: t } = this.#s;
    const params = sourceParams(this.#s, proto);
    const [first] = params;
    // The object is no parameter in the source.
    const object = first !== undefined && hasFlag(first, 'artificial') ? first.type : null;
    const written = (object === null ? params : params.slice(1)).map((param) =>
      param.name === '' && param.type === VOID
        ? '...'
        : this.declare(param.type, param.name, '', depth + 1),
    );
    const pointer = object === null ? VOID : skipModifiers(t, object);
    const isConst =
      pointer !== VOID && kindOf(t, typeId(sizeOrTypeOf(t, pointer))) === BtfKind.CONST;
    const own = `${name}(${written.join(', ')})`;
    const declared = this.declare(typeId(sizeOrTypeOf(t, proto)), own, '', depth + 1);
    return `${declared}${isConst ? ' const' : ''}`;
  }

  /** Returns a class or enumeration with its contents, without the semicolon. */
  definition(id: TypeId, indent: string, depth: number): string {
    const { types: t } = this.#s;
    const kind = kindOf(t, id);
    const head = `${this.keyword(id)}${spaced(nameOf(t, id))}`;
    if (!isEnum(kind) && !isComposite(kind)) return LEFT_OUT;
    if (depth > 0 && !this.#budget.take(depth, vlenOf(t, id))) return `${head} { ${LEFT_OUT} }`;
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
      const words = [
        access,
        hasFlag(base, 'virtual') ? 'virtual' : '',
        this.#budget.name(nameOf(t, base.type)),
      ];
      return words.filter((word) => word !== '').join(' ');
    });
    const list = bases.length === 0 ? '' : ` : ${bases.join(', ')}`;
    const fields = members.filter((member) => !hasFlag(member, 'base'));
    return `${head}${list} {\n${this.#fields(id, fields, indent, depth)}${indent}}`;
  }

  #fields(id: TypeId, fields: readonly SourceMember[], indent: string, depth: number): string {
    const lines: string[] = [];
    const usual = tagOf(this.#s, id) === DW_TAG.class_type ? 'private' : 'public';
    let access: string = usual;
    for (const field of fields) {
      const { name, type, bitfieldSize } = field;
      if (hasFlag(field, 'artificial')) {
        const what = /^_vptr[.$]/.test(name)
          ? 'pointer to virtual functions'
          : 'made by the compiler';
        lines.push(`${indent}\t/* ${what}: ${name} */\n`);
        continue;
      }
      const own = ACCESS[field.flags >> ACCESS_SHIFT] || usual;
      if (own !== access) lines.push(`${indent}${own}:\n`);
      access = own;
      const bits = bitfieldSize === 0 ? '' : ` : ${bitfieldSize}`;
      lines.push(
        `${indent}\t${this.declare(type, this.#budget.name(name), `${indent}\t`, depth + 1)}${bits};\n`,
      );
    }
    return lines.join('');
  }
}

/** Returns the text after a space; nothing for an empty text. */
function spaced(text: string): string {
  return text === '' ? '' : ` ${text}`;
}
