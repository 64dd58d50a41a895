/** Reads declarators of C: pointers, arrays and parameters around a name. */
import { isDeclarationWord, type Token } from '#analysis/c/tokens.ts';
import { append } from '#bytes/arrays.ts';
import { type Attributes, noAttributes } from './attributes.ts';
import { type CType, isComplete, type Qualified } from './c-types.ts';
import { Fault } from './cursor.ts';
import type { Param } from './declared-places.ts';
import { levelsOf } from './levels.ts';
import { ConstantParser, isAttribute, QUALIFIERS } from './parse-constants.ts';

const MAX_POINTERS = 64;
/** Each array has a record for each of its dimensions, which typeof can repeat. */
const MAX_DIMENSIONS = 64;
/** C11 5.2.4.1 requires 127. Each function has a record with all of its parameters. */
const MAX_PARAMETERS = 127;
/** Limit of `levelsOf` a type, typedefs included: each use of the type walks them. */
const MAX_LEVELS = 1000;
const MAX_COUNT = 0xffffffff;
/** Largest size of a type that BTF can store, in bytes. */
export const MAX_BYTES = 0xffffffff;

export type Specifiers = {
  readonly type: CType;
  readonly storage: 'typedef' | 'static' | 'extern' | null;
  readonly isInline: boolean;
  /** True if the specifiers have a struct, union or enum. */
  readonly hasTag: boolean;
  readonly attributes: Attributes;
};

/** A declared name and its type; `name` is null if the declarator has no name. */
export type Declarator = { readonly name: Token | null; readonly type: CType };

/**
 * Returns the address space of a declared type itself, not of what it points at. `attributes` are
 * those of the declarator.
 */
export function addressSpaceOf(
  type: CType,
  specifiers: Specifiers,
  attributes: Attributes,
): number {
  if (attributes.addressSpace > 0) return attributes.addressSpace;
  let space = 0;
  for (let at = type; at !== null; at = at.of) {
    if (at === specifiers.type) space ||= specifiers.attributes.addressSpace;
    if (at.kind === 'typedef') space ||= at.addressSpace ?? 0;
    else if (at.kind !== 'array' && at.kind !== 'qualified') break;
  }
  return space;
}

export abstract class DeclaratorParser extends ConstantParser {
  /** Parameters with their names, by function type. A later declaration of a type replaces them. */
  readonly #paramsOf = new Map<CType, readonly Param[]>();
  /** Qualifiers in the brackets of the latest array. An array parameter is a pointer with them. */
  #arrayQualifiers: Qualified['by'][] = [];

  /** Reads the specifiers before a declarator. Throws `Fault` for invalid specifiers. */
  abstract specifiers(mayStore: boolean): Specifiers;

  paramsOf(type: CType): readonly Param[] {
    return this.#paramsOf.get(type) ?? [];
  }

  override typeName(): CType {
    const { type, attributes } = this.specifiers(false);
    const made = this.declarator(type, attributes.typeTags);
    if (made.name !== null) throw new Fault('a type has no name here', made.name);
    return made.type;
  }

  /** Reads a declarator. `tags` are type tags of `base`. Adds other attributes to `attributes`. */
  declarator(base: CType, tags: readonly string[], attributes = noAttributes()): Declarator {
    this.cursor.enter();
    let type = base;
    let typeTags = [...tags, ...this.attributes(attributes).typeTags.splice(0)];
    for (let pointers = 0; this.cursor.take('*'); pointers++) {
      if (pointers >= MAX_POINTERS) throw new Fault('too many pointers', this.cursor.peek());
      type = this.types.pointer(type, typeTags);
      typeTags = [];
      // The attributes before `*` are those of what the pointer points at.
      attributes.addressSpace = 0;
      const qualifiers = new Set<string>();
      for (;;) {
        const { text } = this.cursor.peek();
        const by = QUALIFIERS.get(text);
        if (by !== undefined || text === '_Atomic') {
          this.cursor.next();
          qualifiers.add(by ?? text);
        } else if (isAttribute(text)) {
          append(typeTags, this.attributes(attributes).typeTags.splice(0));
        } else break;
      }
      if (qualifiers.has('_Atomic')) type = this.types.atomic(type);
      type = this.types.withQualifiers(type, qualifiers);
    }
    const place = this.cursor.peek();
    const made = this.#isNested() ? this.#nested(type, typeTags) : this.#direct(type);
    if (levelsOf(made.type) > MAX_LEVELS) {
      throw new Fault(`the type has more than ${MAX_LEVELS} levels`, made.name ?? place);
    }
    this.cursor.leave();
    return made;
  }

  /** Returns true if the next token is a `(` around a declarator, not around parameters. */
  #isNested(): boolean {
    if (this.cursor.peek().text !== '(') return false;
    const second = this.cursor.second();
    const { kind, text } = second;
    if (text === '*' || text === '(' || isAttribute(text)) return true;
    return kind === 'word' && !this.startsType(second);
  }

  #nested(type: CType, tags: readonly string[]): Declarator {
    this.cursor.next();
    const inside = this.cursor.place;
    // The arrays and parameters after the parentheses are part of the inner declarator's base type.
    this.cursor.skipGroup();
    const outer = this.#suffixes(type);
    const end = this.cursor.place;
    this.cursor.place = inside;
    const made = this.declarator(outer, outer === type ? tags : []);
    this.cursor.expect(')');
    this.cursor.place = end;
    return made;
  }

  #direct(type: CType): Declarator {
    const token = this.cursor.peek();
    const name =
      token.kind === 'word' && !isDeclarationWord(token.text) ? this.cursor.next() : null;
    return { name, type: this.#suffixes(type) };
  }

  #suffixes(type: CType): CType {
    if (!this.isBracketed() && this.cursor.take('[')) {
      const token = this.cursor.peek();
      this.#arrayQualifiers = [];
      for (let by = QUALIFIERS.get(this.cursor.peek().text); by !== undefined; ) {
        this.cursor.next();
        this.#arrayQualifiers.push(by);
        by = QUALIFIERS.get(this.cursor.peek().text);
      }
      this.cursor.take('static');
      const qualifiers = this.#arrayQualifiers;
      const isOpen = this.cursor.peek().text === ']';
      const count = isOpen ? -1n : this.constant();
      this.cursor.expect(']');
      if (count < 0n && !isOpen) throw new Fault('a length is not negative', token);
      if (count > BigInt(MAX_COUNT)) throw new Fault('the array is too long', token);
      this.cursor.enter();
      const of = this.#suffixes(type);
      this.cursor.leave();
      if (!isComplete(of)) throw new Fault('arrays of this type are not allowed', token);
      if (of?.kind === 'atomic') {
        throw new Fault('arrays of _Atomic types have no element type in the BTF of clang', token);
      }
      if (of?.kind === 'array' && of.dimensions[0] === -1) {
        throw new Fault('only the first dimension may be without a length', token);
      }
      const made = this.types.array(of, Number(count));
      if (made.dimensions.length > MAX_DIMENSIONS) {
        throw new Fault(`more than ${MAX_DIMENSIONS} dimensions`, token);
      }
      if (this.layouts.sizeOf(made) > MAX_BYTES) throw new Fault('this array is too large', token);
      this.#arrayQualifiers = qualifiers;
      return made;
    }
    if (this.cursor.peek().text === '(') {
      const token = this.cursor.next();
      const { params, varargs } = this.#params();
      const returns = this.#suffixes(type);
      if (returns?.kind === 'func' || returns?.kind === 'array') {
        throw new Fault('functions cannot return arrays or functions', token);
      }
      const made = this.types.func(
        returns,
        params.map((param) => param.type),
        varargs,
      );
      this.#paramsOf.set(made, params);
      return made;
    }
    return type;
  }

  #params(): { params: Param[]; varargs: boolean } {
    const params: Param[] = [];
    if (this.cursor.take(')')) return { params, varargs: true };
    do {
      if (this.cursor.take('...')) {
        this.cursor.expect(')');
        return { params, varargs: true };
      }
      const { type: base, attributes } = this.specifiers(false);
      this.#arrayQualifiers = [];
      const paramAttributes = noAttributes();
      const { name, type } = this.declarator(base, attributes.typeTags, paramAttributes);
      let passed = this.types.decayed(type);
      for (const by of this.#arrayQualifiers) passed = this.types.qualified(passed, by);
      const declTags = [...attributes.declTags, ...this.attributes(paramAttributes).declTags];
      params.push({ name: name?.text ?? '', type: passed, declTags });
      if (params.length > MAX_PARAMETERS) {
        throw new Fault(`more than ${MAX_PARAMETERS} parameters`, this.cursor.peek());
      }
    } while (this.cursor.take(','));
    this.cursor.expect(')');
    const isVoid = params.length === 1 && params[0]?.type === null;
    return { params: isVoid ? [] : params, varargs: false };
  }
}
