/** What the declarations of all languages have in common: order, names, comments, and an end. */
import { TextOut } from '#analysis/types/text-out.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { visible } from '#bytes/text.ts';
import { kindName } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { hasType, kindOf, type TypeTable } from '#model/type-table.ts';
import type { Field } from './fields.ts';
import { declarationPlan, type Named } from './plan.ts';
import { shapeSize } from './shape.ts';

/** Characters. A struct may have a million members. */
const MAX_LENGTH = 1 << 23;

export type Context = {
  readonly out: TextOut;
  /** The identifier of a struct, union or enum. */
  readonly nameOf: (id: TypeId) => string;
  /** For further identifiers at the top. */
  readonly names: NameSet;
};

export type Language = {
  /** An identifier for any text. */
  readonly spell: (raw: string) => string;
  /** Do pointers name what they point at? */
  readonly hasPointers: boolean;
  /** Writes one declaration, newline and all; `name` is its identifier. */
  readonly write: (context: Context, named: Named, name: string) => void;
};

/** The declarations for type `id`, what is held before what holds it. */
export function declarationText(t: TypeTable, id: TypeId, language: Language): string {
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
  let isFirst = true;
  for (const named of [...(language.hasPointers ? pointees : []), ...declarations]) {
    if (!isFirst) out.write('\n');
    isFirst = false;
    language.write({ out, nameOf, names }, named, nameOf(named.id));
    if (out.full) return `${out}\n// cut after ${MAX_LENGTH} characters\n`;
  }
  return out.toString();
}

function nothing(t: TypeTable, id: TypeId): string {
  if (id === 0) return 'void: nothing to declare';
  if (!hasType(t, id)) return `there is no type ${id}`;
  return `${kindName(kindOf(t, id))} ${comment(typeExpression(t, id))}: no data to declare`;
}

/** `raw` as one line of a comment. */
export function comment(raw: string): string {
  return visible(raw);
}

/** The comment above a declaration: `struct foo, 24 bytes`. */
export function titleOf({ title, declaration }: Named): string {
  const text = comment(title);
  return 'byteSize' in declaration ? `${text}, ${countOf(declaration.byteSize)}` : text;
}

function countOf(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${bytes} bytes`;
}

/** The comment behind a field: its offset in bytes and its C type. */
export function fieldComment({ form, byteOffset, type }: Field): string {
  if (form === 'bits') return `${byteOffset}: bit-fields`;
  return form === 'padding' ? `${byteOffset}` : `${byteOffset}: ${comment(type)}`;
}

/** A line for each bit-field of a unit: `flag: unsigned int, bits 3 to 4`. */
export function bitLines(field: Field): string[] {
  return field.bits.map(({ name, type, bitOffset, bitSize }) => {
    const last = bitOffset + bitSize - 1;
    const place = bitSize === 1 ? `bit ${bitOffset}` : `bits ${bitOffset} to ${last}`;
    return `  ${comment(name || '(no name)')}: ${comment(type)}, ${place}`;
  });
}

/** An identifier for each field of a struct or union: those of members first, then `_bits0`, `_pad0` … */
export function fieldNames(fields: readonly Field[], spell: (raw: string) => string): string[] {
  const names = new NameSet(spell);
  const given = fields.map(({ form, name }) => (form === 'member' ? names.add(name) : ''));
  let bits = 0;
  let padding = 0;
  return fields.map(({ form }, i) => {
    if (form === 'bits') return names.add(`_bits${bits++}`);
    return form === 'padding' ? names.add(`_pad${padding++}`) : (given[i] ?? '');
  });
}

/** Values of an enum as its size holds them. */
export function enumValue(value: bigint, byteSize: number, signed: boolean): bigint {
  return signed ? BigInt.asIntN(8 * byteSize, value) : BigInt.asUintN(8 * byteSize, value);
}

/** Has the field no bytes, as a flexible array? */
export function isEmpty({ shape }: Field): boolean {
  return shapeSize(shape) === 0;
}

/** Names of a file as identifiers of another language. */

/** Gives out identifiers, each once: one that was given out before gets a number, `name_2`. */
export class NameSet {
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
