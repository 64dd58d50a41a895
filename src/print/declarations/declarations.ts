/** What the declarations of all languages have in common: order, names, comments, and an end. */
import { TextOut } from '#analysis/types/text-out.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { counted, visible } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { hasType, kindOf, type TypeTable } from '#model/type-table.ts';
import type { Field, FieldList } from './fields.ts';
import { type Declaration, declarationPlan, type Named } from './plan.ts';
import type { Shape } from './shape.ts';

/** Characters. A struct may have a million members. */
const MAX_LENGTH = 1 << 22;

type Composite = Extract<Declaration, FieldList>;
type Enumeration = Extract<Declaration, { readonly form: 'enum' }>;
/** An enumerator by its identifier, as the size of the enum holds its value. */
type Enumerator = { readonly word: string; readonly value: bigint };

/** How a language spells what all of them declare. Lines of a body come without indent and newline. */
export type Language = {
  /** An identifier for any text. */
  readonly spell: (raw: string) => string;
  /** Do pointers name what they point at? */
  readonly hasPointers: boolean;
  /** Else a union is bytes, and its fields are comments. */
  readonly hasUnions: boolean;
  /** Do enumerators have identifiers at the top, and not in their enum? */
  readonly hasGlobalEnumerators: boolean;
  /** Before the title of a declaration. */
  readonly doc: '//' | '///';
  readonly indent: string;
  readonly types: TypeWords;
  readonly opaque: (name: string) => string;
  readonly alias: (name: string, type: string) => string;
  readonly variable: (name: string, type: string) => string;
  readonly composite: (name: string, composite: Composite) => string;
  /** A line for a field; null for one that is not written. */
  readonly field: (field: Field, name: string, type: string, composite: Composite) => string | null;
  readonly compositeEnd: string;
  /** `number`: the type of its values. */
  readonly enumeration: (name: string, number: string) => string;
  /** Lines for the enumerators; where there are none, nothing follows the head of the enum. */
  readonly enumerators: (name: string, all: Iterable<Enumerator>) => Iterable<string>;
  /** Before and behind the enumerators. */
  readonly enumStart: string;
  readonly enumEnd: string;
};

/** What types are called. */
type TypeWords = {
  /** Before the number of bits. */
  readonly signed: string;
  readonly unsigned: string;
  readonly float: string;
  readonly boolean: string;
  readonly byte: string;
  /** `to` null = anything. */
  readonly pointer: (shape: Extract<Shape, { form: 'pointer' }>, to: string | null) => string;
  readonly array: (of: string, count: number) => string;
};

/**
 * Writes in `language` the declarations for a type and all that it holds by value, what is
 * held before what holds it. Ends in a newline; a comment where there is nothing to declare.
 * Raw text: escape it when drawn.
 */
export function declarationsIn(language: Language): (t: TypeTable, id: TypeId) => string {
  return (t, id) => {
    const { pointees, declarations, sameAs } = declarationPlan(t, id);
    if (declarations.length === 0) return `// ${nothing(t, id)}\n`;
    const names = new NameSet(language.spell);
    const identifiers = new Map<TypeId, string>();
    // The names of what is declared come first, so that these are the ones that stay as they are.
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

/** `nameOf`: the identifier of a struct, union or enum; `names`: for further identifiers at the top. */
function writerOf(
  language: Language,
  out: TextOut,
  nameOf: (id: TypeId) => string,
  names: NameSet,
): (named: Named, name: string) => void {
  /** Writes one declaration; `name` is its identifier. */
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
    const own = hasGlobalEnumerators ? names : new NameSet(spell);
    const all = function* (): Generator<Enumerator> {
      for (const { name: word, value } of values) {
        if (out.full) return;
        const held = signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
        yield { word: own.add(word), value: held };
      }
    };
    for (const line of language.enumerators(name, all())) {
      out.write(line === '' ? '\n' : `${indent}${line}\n`);
    }
    out.write(language.enumEnd);
  }

  /** Calls itself as deep as a shape can be: some 16 levels. */
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

/** The comment above a declaration: `struct foo, 24 bytes`. */
function titleOf({ title, declaration }: Named): string {
  const text = visible(title);
  return 'byteSize' in declaration ? `${text}, ${counted(declaration.byteSize, 'byte')}` : text;
}

/** The comment behind a field: its offset in bytes and its C type. */
export function fieldComment({ form, byteOffset, type }: Field): string {
  if (form === 'bits') return `${byteOffset}: bit-fields`;
  return form === 'padding' ? `${byteOffset}` : `${byteOffset}: ${visible(type)}`;
}

/** A line for each bit-field of a unit: `flag: unsigned int, bits 3 to 4`. */
function bitLines(field: Field): string[] {
  return field.bits.map(({ name, type, bitOffset, bitSize }) => {
    const last = bitOffset + bitSize - 1;
    const place = bitSize === 1 ? `bit ${bitOffset}` : `bits ${bitOffset} to ${last}`;
    return `  ${visible(name || '(no name)')}: ${visible(type)}, ${place}`;
  });
}

/** An identifier for each field of a struct or union: those of members first, then `_bits0`, `_pad0` … */
function fieldNames(fields: readonly Field[], spell: (raw: string) => string): string[] {
  const names = new NameSet(spell);
  const given = fields.map(({ form, name }) => (form === 'member' ? names.add(name) : ''));
  let bits = 0;
  let padding = 0;
  return fields.map(({ form }, i) => {
    if (form === 'bits') return names.add(`_bits${bits++}`);
    return form === 'padding' ? names.add(`_pad${padding++}`) : (given[i] ?? '');
  });
}

/** Gives out identifiers, each once: one that was given out before gets a number, `name_2`. */
class NameSet {
  readonly #spell: (raw: string) => string;
  /** What was given out, with the number that was tried last for it. */
  readonly #taken = new Map<string, number>();

  /** `spell` makes an identifier of any text. */
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

/** `raw` with an underscore for all but ASCII letters and digits; never empty, and no digit first. */
export function plainIdentifier(raw: string): string {
  const plain = raw.replace(/[^A-Za-z0-9_]/gu, '_');
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
}
