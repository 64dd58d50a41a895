/** Reads constant expressions of C: numbers, enumerators, sizes and places of types. */
import { type Attributes, readAttributes } from './attributes.ts';
import {
  bare,
  type CType,
  Interned,
  isComplete,
  isKeyword,
  isNumberWord,
  Layouts,
  type Typedef,
} from './c-types.ts';
import { readConstant, readUnary } from './constants.ts';
import type { Problem } from './declared-places.ts';
import { Cursor, Fault, shown, type Token } from './tokens.ts';

/** A qualifier in each of its spellings. */
export const QUALIFIERS: ReadonlyMap<string, 'const' | 'volatile' | 'restrict'> = new Map(
  (['const', 'volatile', 'restrict'] as const).flatMap((by) => [
    [by, by],
    [`__${by}`, by],
    [`__${by}__`, by],
  ]),
);

/** The names that are known, and the constants that are made of them. */
export abstract class ConstantParser {
  readonly cursor: Cursor;
  readonly layouts = new Layouts();
  readonly types = new Interned();
  /** Typedefs, enumerators, variables and functions have one space of names. */
  readonly typedefs = new Map<string, Typedef>();
  readonly constants = new Map<string, bigint>();
  /** The types of variables and functions. */
  readonly symbols = new Map<string, CType>();
  readonly problems: Problem[] = [];
  readonly notes: Problem[] = [];

  constructor(tokens: readonly Token[]) {
    this.cursor = new Cursor(tokens);
  }

  /** A type without a name, as in a cast. Throws `Fault`. */
  abstract typeName(): CType;

  /** Says what is left out, where the text compiles all the same. */
  note(message: string, { start, end }: Token): void {
    // Once is enough, wherever it is said again.
    if (this.notes.some((note) => note.message === message)) return;
    this.notes.push({ message, start, end: Math.max(end, start + 1) });
  }

  /** `_Static_assert` with its `;`, where one stands here. Throws `Fault` where it is false. */
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

  /** The two sides of a comparison as numbers; null where it is none. */
  #sides(tokens: readonly Token[]): string | null {
    let depth = 0;
    const at = tokens.findIndex(({ text }) => {
      if (text === '(') depth++;
      if (text === ')') depth--;
      return depth === 0 && /^([<>]=?|[=!]=)$/.test(text);
    });
    const sign = tokens[at];
    if (sign === undefined || tokens.some(({ text }) => text === '&&' || text === '||'))
      return null;
    const sides = [tokens.slice(0, at), tokens.slice(at + 1)].map((side) => this.constantOf(side));
    return sides.includes(null) ? null : sides.join(` ${sign.text} `);
  }

  /** The value of these tokens and no more; null where they are no constant. */
  constantOf(tokens: readonly Token[]): bigint | null {
    return this.within(tokens, () => {
      const value = this.constant();
      return this.cursor.peek().kind === 'end' ? value : null;
    });
  }

  /** What `read` makes of these tokens alone; null where it throws `Fault`. */
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

  attributes(found: Attributes): Attributes {
    if (!isAttribute(this.cursor.peek().text)) return found;
    return readAttributes(
      {
        cursor: this.cursor,
        readConstant: () => this.constant(),
        readAlignmentOfType: () =>
          this.startsType(this.cursor.peek()) ? this.layouts.alignOf(this.typeName()) : null,
        note: (message, token) => this.note(message, token),
      },
      found,
    );
  }

  constant(): bigint {
    return readConstant(this.cursor, (token) => this.#operand(token));
  }

  /** Names, casts, and what asks for sizes and places of types. */
  #operand(token: Token): bigint | null {
    const known = token.kind === 'word' ? this.constants.get(token.text) : undefined;
    if (known !== undefined) {
      this.cursor.next();
      return known;
    }
    switch (token.text) {
      case 'sizeof':
        this.cursor.next();
        return BigInt(this.layouts.sizeOf(this.#operandType(token)));
      case '_Alignof':
      case '__alignof__':
        this.cursor.next();
        return BigInt(this.layouts.alignOf(this.#operandType(token)));
      case '__builtin_offsetof':
        this.cursor.next();
        return BigInt(this.#offsetof(token));
      case '(':
        return this.startsType(this.cursor.second()) ? this.#cast() : null;
      default:
        return null;
    }
  }

  /** The type in parentheses, or that of a variable. */
  #operandType(place: Token): CType {
    const isGroup = this.cursor.take('(');
    const token = this.cursor.peek();
    let type = this.symbols.get(token.text);
    if (type !== undefined) this.cursor.next();
    else if (token.kind === 'string') {
      throw new Fault(`${place.text} of a string is not supported`, token);
    } else if (isGroup && this.startsType(token)) type = this.typeName();
    else throw new Fault(`${place.text} takes a type or a variable here`, token);
    if (isGroup) this.cursor.expect(')');
    if (type !== null && type.kind !== 'func' && !isComplete(type)) {
      throw new Fault('the type is not complete, so its size is not known', token);
    }
    return type;
  }

  /** Bytes from the start of the type to the member. */
  #offsetof(place: Token): number {
    this.cursor.expect('(');
    let type = this.typeName();
    this.cursor.expect(',');
    let bits = 0;
    for (let isFirst = true; ; isFirst = false) {
      const token = this.cursor.peek();
      if (!isFirst && this.cursor.take('[')) {
        const at = bare(type);
        if (at?.kind !== 'array') throw new Fault('this member is not an array', token);
        const element = this.types.element(at);
        bits += 8 * Number(this.constant()) * this.layouts.sizeOf(element);
        this.cursor.expect(']');
        type = element;
      } else if (isFirst || this.cursor.take('.')) {
        const name = this.cursor.next();
        const member = this.#memberOf(type, name);
        bits += member.bitOffset;
        type = member.type;
      } else break;
    }
    this.cursor.expect(')');
    if (bits % 8 !== 0) throw new Fault('offsetof of a bit-field', place);
    return bits / 8;
  }

  /** A member by name, also of the structs and unions without a name inside. Throws `Fault`. */
  #memberOf(type: CType, name: Token): { bitOffset: number; type: CType } {
    const waiting: { type: CType; bitOffset: number }[] = [{ type, bitOffset: 0 }];
    for (let i = 0; i < waiting.length; i++) {
      const next = waiting[i];
      const at = bare(next?.type ?? null);
      if (next === undefined || at?.kind !== 'record') continue;
      for (const member of this.layouts.layoutOf(at).members) {
        const bitOffset = next.bitOffset + member.bitOffset;
        if (member.name === name.text) return { bitOffset, type: member.type };
        if (member.name === '') waiting.push({ type: member.type, bitOffset });
      }
    }
    throw new Fault(`no member is called ${shown(name)}`, name);
  }

  #cast(): bigint {
    this.cursor.next();
    const token = this.cursor.peek();
    const at = bare(this.typeName());
    this.cursor.expect(')');
    const value = readUnary(this.cursor, (one) => this.#operand(one));
    if (at?.kind === 'pointer') return BigInt.asUintN(64, value);
    if (at?.kind !== 'basic' && at?.kind !== 'enum') {
      throw new Fault('a constant can be cast to a number here', token);
    }
    if (at.kind === 'basic' && at.encoding === 'bool') return value === 0n ? 0n : 1n;
    const isSigned = at.kind === 'enum' ? false : at.encoding === 'signed';
    const bits = 8 * this.layouts.sizeOf(at);
    return isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  }

  /** Can a type begin with this token? */
  startsType({ kind, text }: Token): boolean {
    if (kind !== 'word') return false;
    return (
      isKeyword(text) ||
      isNumberWord(text) ||
      this.typedefs.has(text) ||
      QUALIFIERS.has(text) ||
      /^(__)?typeof(__|_unqual)?$/.test(text)
    );
  }
}

/** Does an attribute begin with this word? */
export function isAttribute(text: string): boolean {
  return (
    text.startsWith('__attribute') ||
    text === '__packed' ||
    text === '__aligned' ||
    text === '_Alignas'
  );
}
