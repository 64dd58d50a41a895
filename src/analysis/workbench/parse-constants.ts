/** Holds the names that a text declares, and reads constant expressions that use them. */
import { isDeclarationWord, type Token } from '#analysis/c/tokens.ts';
import { getOrCreate } from '#bytes/cache.ts';
import { type Attributes, readAttributes } from './attributes.ts';
import {
  bare,
  type CType,
  Interned,
  Layouts,
  type Qualified,
  type RecordType,
  type Typedef,
} from './c-types.ts';
import { isComparison } from './constants.ts';
import { Cursor, Fault, shown } from './cursor.ts';
import type { Problem } from './declared-places.ts';
import { BOOLEANS, readConstant, readExpression, type Scope, type Value } from './expressions.ts';
import { type IncludedKernel, KernelTypes } from './kernel-types.ts';

/** Qualifiers by each spelling, such as `__const`. */
export const QUALIFIERS: ReadonlyMap<string, Qualified['by']> = new Map(
  (['const', 'volatile', 'restrict'] as const).flatMap((by) => [
    [by, by],
    [`__${by}`, by],
    [`__${by}__`, by],
  ]),
);

/** Matches `typeof` in all spellings, and `typeof_unqual` in those of C17. */
export const TYPEOF = /^((__)?typeof(__)?|__typeof_unqual(__)?)$/;

type MemberPlace = { readonly bitOffset: number; readonly type: CType };

/** Base class of the parser: reads constant expressions with the names that the text declares. */
export abstract class ConstantParser {
  readonly cursor: Cursor;
  readonly layouts = new Layouts();
  readonly types = new Interned();
  /** Typedefs by name. Enumerators, variables and functions share one space of names with them. */
  readonly typedefs = new Map<string, Typedef>();
  readonly constants = new Map<string, Value>();
  /** Types of variables and functions, by name. */
  readonly symbols = new Map<string, CType>();
  readonly problems: Problem[] = [];
  readonly notes: Problem[] = [];
  /** Messages of `notes`. */
  readonly #noted = new Set<string>();
  /** Members by name of the records that were asked for one. */
  readonly #members = new Map<RecordType, ReadonlyMap<string, MemberPlace>>();
  readonly #scope: Scope = {
    types: this.types,
    layouts: this.layouts,
    valueOf: (name) => this.#valueOf(name),
    startsType: (token) => this.startsType(token),
    typeName: () => this.typeName(),
    memberOf: (type, name) => this.#memberOf(type, name),
  };

  /** Types for `vmlinux.h`; null if no kernel is open, or if the text does not include it. */
  readonly kernel: KernelTypes | null;

  constructor(tokens: readonly Token[], kernel: IncludedKernel | null) {
    this.cursor = new Cursor(tokens);
    this.kernel = kernel === null ? null : new KernelTypes(kernel, this.types);
  }

  typedefOf(name: string): Typedef | null {
    const known = this.typedefs.get(name);
    if (known !== undefined || this.symbols.has(name)) return known ?? null;
    const made = this.kernel?.typedef(name) ?? null;
    if (made !== null) this.typedefs.set(name, made);
    return made;
  }

  /** Returns the value of an enumerator, or null for other names. */
  constantOf(name: string): Value | null {
    return this.constants.get(name) ?? this.kernel?.constant(name) ?? null;
  }

  /** Reads the name of a type, as in a cast. Throws `Fault` for other tokens. */
  abstract typeName(): CType;

  /** Adds a note about a part of the text that is left out, although the text compiles. */
  note(message: string, { start, end }: Token): void {
    // The list has each message once.
    if (this.#noted.has(message)) return;
    this.#noted.add(message);
    this.notes.push({ message, start, end: Math.max(end, start + 1) });
  }

  /** Reads a `_Static_assert` and its `;` if it comes next. Throws `Fault` if it is false. */
  staticAssert(): boolean {
    const start = this.cursor.peek();
    if (!this.cursor.take('_Static_assert')) return false;
    this.cursor.expect('(');
    const from = this.cursor.place;
    const left = this.cursor.peek();
    const value = this.constant();
    const tokens = this.cursor.since(from);
    let message = '';
    if (this.cursor.take(',')) message = this.cursor.next().text;
    this.cursor.expect(')');
    this.cursor.expect(';');
    if (value !== 0n) return true;
    const text = `this assertion is false: ${this.#sides(tokens) ?? value}`;
    const place = { ...start, start: left.start, end: tokens.at(-1)?.end ?? left.end };
    throw new Fault(message === '' ? text : `${text} (${message.slice(1, -1)})`, place);
  }

  /** Returns the numbers on both sides of a comparison as text, or null for other expressions. */
  #sides(tokens: readonly Token[]): string | null {
    let depth = 0;
    const at = tokens.findIndex(({ text }) => {
      if (text === '(') depth++;
      if (text === ')') depth--;
      return depth === 0 && isComparison(text);
    });
    const sign = tokens[at];
    if (sign === undefined || tokens.some(({ text }) => text === '&&' || text === '||'))
      return null;
    const sides = [tokens.slice(0, at), tokens.slice(at + 1)].map(
      (side) => this.valueOf(side)?.value ?? null,
    );
    return sides.includes(null) ? null : sides.join(` ${sign.text} `);
  }

  /** Returns the value of a constant expression of these tokens, or null for other tokens. */
  valueOf(tokens: readonly Token[]): Value | null {
    return this.within(tokens, () => {
      const value = readExpression(this.cursor, this.#scope);
      return this.cursor.peek().kind === 'end' ? value : null;
    });
  }

  /** Calls `read` on these tokens alone. Returns the result, or null if `read` throws `Fault`. */
  within<T>(tokens: readonly Token[], read: () => T): T | null {
    const place = this.cursor.place;
    const all = this.cursor.replace(tokens);
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return null;
    } finally {
      this.cursor.replace(all);
      this.cursor.place = place;
    }
  }

  /** Adds the attributes at the cursor to `attributes`, and returns `attributes`. */
  attributes(attributes: Attributes): Attributes {
    if (!isAttribute(this.cursor.peek().text) && !this.isBracketed()) return attributes;
    return readAttributes(
      {
        cursor: this.cursor,
        readConstant: () => this.constant(),
        readAlignmentOfType: () =>
          this.startsType(this.cursor.peek()) ? this.layouts.alignOf(this.typeName()) : null,
        note: (message, token) => this.note(message, token),
      },
      attributes,
    );
  }

  /** Returns true if the next tokens are `[[`. */
  isBracketed(): boolean {
    return this.cursor.peek().text === '[' && this.cursor.second().text === '[';
  }

  /** Reads an integer constant expression. Returns its value. Throws `Fault` if it is invalid. */
  constant(): bigint {
    return readConstant(this.cursor, this.#scope);
  }

  /** Reads any expression. Returns its type. Throws `Fault` if the expression is invalid. */
  expressionType(): CType {
    return readExpression(this.cursor, this.#scope).type;
  }

  #valueOf(name: string): Value | null {
    const constant = this.constantOf(name);
    if (constant !== null) return constant;
    const type = this.symbols.get(name);
    if (type !== undefined) return { type, value: null, address: null };
    // `true` and `false` need no stdbool.h. vmlinux.h declares them as enumerators.
    return BOOLEANS.get(name) ?? null;
  }

  /** Finds the member with this name, even in unnamed members. Throws `Fault` if there is none. */
  #memberOf(type: CType, name: Token): MemberPlace {
    const at = bare(type);
    const isDefined = at?.kind === 'record' && at.members !== null;
    const found = isDefined
      ? getOrCreate(this.#members, at, () => this.#membersOf(at)).get(name.text)
      : undefined;
    if (found === undefined) throw new Fault(`no member is called ${shown(name)}`, name);
    return found;
  }

  /** Returns the members by name, even those in unnamed members. The outermost has the name. */
  #membersOf(record: RecordType): Map<string, MemberPlace> {
    const members = new Map<string, MemberPlace>();
    const offsets = new Map<RecordType, number>([[record, 0]]);
    for (const [at, offset] of offsets) {
      for (const { name, type, bitOffset } of this.layouts.layoutOf(at).members) {
        const place = { bitOffset: offset + bitOffset, type };
        const inner = bare(type);
        if (name !== '') getOrCreate(members, name, () => place);
        // A record that is a member twice has the names of its first place.
        else if (inner?.kind === 'record') getOrCreate(offsets, inner, () => place.bitOffset);
      }
    }
    return members;
  }

  /** Returns true if a type can begin with the token. */
  startsType({ kind, text }: Token): boolean {
    if (kind !== 'word') return false;
    return (
      isDeclarationWord(text) ||
      this.typedefOf(text) !== null ||
      QUALIFIERS.has(text) ||
      TYPEOF.test(text)
    );
  }
}

/** Returns true if the word begins an attribute. */
export function isAttribute(text: string): boolean {
  return (
    text.startsWith('__attribute') ||
    text === '__packed' ||
    text === '__aligned' ||
    text === '_Alignas'
  );
}
