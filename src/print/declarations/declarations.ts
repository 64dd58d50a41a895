/** Writes declarations; all languages share their order, names, comments and limits. */
import { TextOut } from '#analysis/types/text-out.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { bitRange, counted, visible } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { hasType, kindOf, type TypeTable } from '#model/type-table.ts';
import type { Field, FieldList } from './fields.ts';
import { type Declaration, declarationPlan, type Named } from './plan.ts';
import type { Shape } from './shape.ts';

/** Limit of the text in characters: a struct may have a million members. */
const MAX_LENGTH = 1 << 22;

type Composite = Extract<Declaration, FieldList>;
type Enumeration = Extract<Declaration, { readonly form: 'enum' }>;
/** An enumerator: its identifier, and its value cut to the size of the enum. */
type Enumerator = { readonly word: string; readonly value: bigint };

/** Syntax of declarations in one language. Lines inside a declaration have no indent. */
export type Language = {
  /** Returns an identifier for a name, which may be any text. */
  readonly spell: (raw: string) => string;
  /** True if a pointer type contains the name of its target. */
  readonly hasPointers: boolean;
  /** True if the language has unions. False: a union is an array of bytes with comments. */
  readonly hasUnions: boolean;
  /** True if enumerators are top-level identifiers, false if they are parts of their enum. */
  readonly hasGlobalEnumerators: boolean;
  /** Start of the comment with a declaration's title. */
  readonly doc: '//' | '///';
  readonly indent: string;
  readonly types: TypeWords;
  readonly opaque: (name: string) => string;
  readonly alias: (name: string, type: string) => string;
  readonly variable: (name: string, type: string) => string;
  readonly composite: (name: string, composite: Composite) => string;
  /** Returns the line that declares a field; null if the field is omitted. */
  readonly field: (field: Field, name: string, type: string, composite: Composite) => string | null;
  readonly compositeEnd: string;
  /** Returns the first line of an enum. Its values have the type `number`. */
  readonly enumeration: (name: string, number: string) => string;
  /** Returns the lines of the enumerators. An enum without enumerators has only its first line. */
  readonly enumerators: (name: string, all: Iterable<Enumerator>) => Iterable<string>;
  readonly enumStart: string;
  readonly enumEnd: string;
};

type TypeWords = {
  /** Start of an integer type's name, before the number of bits. */
  readonly signed: string;
  readonly unsigned: string;
  readonly float: string;
  readonly boolean: string;
  readonly byte: string;
  /** Returns a pointer type. `to` is null for a pointer to anything. */
  readonly pointer: (shape: Extract<Shape, { form: 'pointer' }>, to: string | null) => string;
  readonly array: (of: string, count: number) => string;
};

/**
 * Returns a function that writes declarations for a type and all types that it contains, or a
 * comment if there is nothing to declare. Names are not escaped.
 */
export function declarationsIn(language: Language): (t: TypeTable, id: TypeId) => string {
  return (t, id) => {
    const { pointees, declarations, sameAs } = declarationPlan(t, id);
    if (declarations.length === 0) return `// ${nothing(t, id)}\n`;
    const names = new NameSet(language.spell);
    const identifiers = new Map<TypeId, string>();
    // Types with a declaration choose their names first: pointees then avoid these names.
    for (const named of [...declarations, ...pointees]) {
      identifiers.set(named.id, names.add(named.name));
    }
    const out = new TextOut(MAX_LENGTH);
    const nameOf = (of: TypeId) => identifiers.get(sameAs.get(of) ?? of) ?? '';
    const write = writerOf(language, out, nameOf, names);
    let isFirst = true;
    for (const named of [...(language.hasPointers ? pointees : []), ...declarations]) {
      if (!isFirst) out.write('\n');
      isFirst = false;
      write(named, nameOf(named.id));
      if (out.full) return `${out}\n// cut after ${MAX_LENGTH} characters\n`;
    }
    return out.toString();
  };
}

/** Returns a function that writes a declaration. `names` contains the top-level names. */
function writerOf(
  language: Language,
  out: TextOut,
  nameOf: (id: TypeId) => string,
  names: NameSet,
): (named: Named, name: string) => void {
  /** Writes the declaration of a type with the identifier `name`. */
  function write(named: Named, name: string): void {
    const { declaration } = named;
    const { doc, opaque, alias, variable } = language;
    out.write(`${doc} ${titleOf(named)}\n`);
    switch (declaration.form) {
      case 'struct':
      case 'union':
        writeComposite(declaration, name);
        break;
      case 'enum':
        writeEnumeration(declaration, name);
        break;
      case 'opaque':
        out.write(`${opaque(name)}\n`);
        break;
      case 'alias':
        out.write(`${alias(name, typeText(declaration.shape))}\n`);
        break;
      case 'variable':
        out.write(`${variable(name, typeText(declaration.shape))}\n`);
        break;
      default:
        declaration satisfies never;
    }
  }

  function writeComposite(declaration: Composite, name: string): void {
    const { spell, hasUnions, indent, composite, field: lineOf, compositeEnd } = language;
    const { fields, notes, form, byteSize } = declaration;
    out.write(composite(name, declaration));
    const isBytes = form === 'union' && !hasUnions;
    if (!isBytes || byteSize > 0) {
      const fieldWords = fieldNames(fields, spell);
      for (const [i, field] of fields.entries()) {
        const line = lineOf(field, fieldWords[i] ?? '', typeText(field.shape), declaration);
        if (line === null) continue;
        out.write(`${indent}${line}\n`);
        for (const bits of bitLines(field))
          out.write(`${indent}//${isBytes ? '  ' : ''} ${bits}\n`);
        if (out.full) return;
      }
      for (const note of notes) out.write(`${indent}// ${visible(note)}\n`);
    }
    out.write(compositeEnd);
  }

  function writeEnumeration({ byteSize, signed, values }: Enumeration, name: string): void {
    const { spell, hasGlobalEnumerators, indent, types } = language;
    const bits = 8 * byteSize;
    out.write(language.enumeration(name, `${signed ? types.signed : types.unsigned}${bits}`));
    if (values.length === 0 && hasGlobalEnumerators) return;
    out.write(language.enumStart);
    const enumNames = hasGlobalEnumerators ? names : new NameSet(spell);
    const all = function* (): Generator<Enumerator> {
      for (const { name: word, value } of values) {
        if (out.full) return;
        const stored = signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
        yield { word: enumNames.add(word), value: stored };
      }
    };
    for (const line of language.enumerators(name, all())) {
      out.write(line === '' ? '\n' : `${indent}${line}\n`);
    }
    out.write(language.enumEnd);
  }

  /** Returns the text of a type. Recursion is safe: shapes have at most about 16 levels. */
  function typeText(shape: Shape): string {
    const { types } = language;
    switch (shape.form) {
      case 'integer':
        return `${shape.signed ? types.signed : types.unsigned}${8 * shape.byteSize}`;
      case 'boolean':
        return types.boolean;
      case 'float':
        return `${types.float}${8 * shape.byteSize}`;
      case 'pointer':
        return types.pointer(shape, shape.to === null ? null : typeText(shape.to));
      case 'array':
        return types.array(typeText(shape.of), shape.count);
      case 'named':
        return nameOf(shape.id);
      case 'bytes':
        return types.array(types.byte, shape.count);
      default:
        return shape satisfies never;
    }
  }

  return write;
}

function nothing(t: TypeTable, id: TypeId): string {
  if (id === 0) return 'void: nothing to declare';
  if (!hasType(t, id)) return `there is no type ${id}`;
  return `${kindName(kindOf(t, id))} ${visible(typeExpression(t, id))}: no data to declare`;
}

/** Returns the text of the comment above a declaration: `struct foo, 24 bytes`. */
function titleOf({ title, declaration }: Named): string {
  const text = visible(title);
  return 'byteSize' in declaration ? `${text}, ${counted(declaration.byteSize, 'byte')}` : text;
}

/** Returns the text of the comment after a field: offset in bytes and type in C. */
export function fieldComment({ form, byteOffset, type }: Field): string {
  if (form === 'bits') return `${byteOffset}: bit-fields`;
  return form === 'padding' ? `${byteOffset}` : `${byteOffset}: ${visible(type)}`;
}

/** Returns one comment line per bit-field of a unit: `flag: unsigned int, bits 3-4`. */
function bitLines(field: Field): string[] {
  return field.bits.map(({ name, type, bitOffset, bitSize }) => {
    const bits = bitRange(bitOffset, bitSize);
    return `  ${visible(name || '(no name)')}: ${visible(type)}, ${bits}`;
  });
}

/** Returns the identifiers of a type's fields. Members choose first, then `_bits0`, `_pad0` … */
function fieldNames(fields: readonly Field[], spell: (raw: string) => string): string[] {
  const names = new NameSet(spell);
  const memberNames = fields.map(({ form, name }) => (form === 'member' ? names.add(name) : ''));
  let bits = 0;
  let padding = 0;
  return fields.map(({ form }, i) => {
    if (form === 'bits') return names.add(`_bits${bits++}`);
    return form === 'padding' ? names.add(`_pad${padding++}`) : (memberNames[i] ?? '');
  });
}

/** Set of unique identifiers. A repeated identifier gets a number: `name_2`. */
class NameSet {
  readonly #spell: (raw: string) => string;
  /** The identifiers in use, each with the latest number that was tried. */
  readonly #taken = new Map<string, number>();

  /** Creates an empty set. `spell` makes an identifier of any text. */
  constructor(spell: (raw: string) => string) {
    this.#spell = spell;
  }

  add(raw: string): string {
    const wanted = this.#spell(raw);
    let name = wanted;
    let number = this.#taken.get(wanted) ?? 1;
    while (this.#taken.has(name)) name = this.#spell(`${raw}_${++number}`);
    this.#taken.set(wanted, number);
    if (name !== wanted) this.#taken.set(name, 1);
    return name;
  }
}

/** Replaces all but ASCII letters and digits by `_`. Never empty; never begins with a digit. */
export function plainIdentifier(raw: string): string {
  const plain = raw.replace(/[^A-Za-z0-9_]/gu, '_');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}
