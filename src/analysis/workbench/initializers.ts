/** Reads facts about an initializer for BTF: zero or not, the array length, the names in it. */
import type { Token } from '#analysis/c/tokens.ts';
import { getOrCreate } from '#bytes/cache.ts';
import {
  type ArrayOf,
  bare,
  basicOf,
  type CType,
  type Interned,
  type Member,
  type RecordType,
} from './c-types.ts';
import { literalBytes } from './constants.ts';
import { END, Fault, shown } from './cursor.ts';
import type { Mention, StringLiteral } from './declared-places.ts';
import { converted, type Value } from './expressions.ts';
import { wordsIn } from './function-bodies.ts';

/** Limits nested braces. */
const MAX_DEPTH = 32;
const CHAR = basicOf(['char']);

export type Initializer = {
  /** True if all bytes are 0. The bytes of an address count as not 0. */
  readonly isZero: boolean;
  /** Number of elements of an array; null if the text does not determine it. */
  readonly count: number | null;
  /** Number of elements of a flexible array member; 0 without such a member. */
  readonly flexible: number;
  /** Names and strings in the initializer, in order. */
  readonly mentions: readonly Mention[];
};

/** Functions that `readInitializer` needs from the parser. */
type ExpressionParser = {
  readonly types: Interned;
  /** Returns the value of an expression, or null if the tokens are not an expression. */
  valueOf(tokens: readonly Token[]): Value | null;
  /** Adds a note that an expression has an unknown value, which is assumed to be not 0. */
  noteUnknown(tokens: readonly Token[]): void;
  /** Returns true for a variable that is a number or a pointer. */
  isNumber(name: string): boolean;
};

/** Reads the initializer of a variable with type `type`. Throws `Fault` if it is invalid. */
export function readInitializer(
  tokens: readonly Token[],
  type: CType,
  parser: ExpressionParser,
): Initializer {
  const reader = new InitializerReader(parser);
  const isZero = reader.isZero(tokens, { type, bits: null }, 0);
  const { count, flexible, mentions } = reader;
  return { isZero, count, flexible, mentions };
}

/** A variable, member or array element that the initializer sets. */
type Part = { readonly type: CType; readonly bits: number | null };

class InitializerReader {
  readonly mentions: Mention[] = [];
  /** Number of elements of the array so far. */
  count: number | null = null;
  flexible = 0;
  readonly #parser: ExpressionParser;

  constructor(parser: ExpressionParser) {
    this.#parser = parser;
  }

  isZero(tokens: readonly Token[], part: Part, depth: number): boolean {
    const [first] = tokens;
    const at = bare(part.type);
    if (first === undefined) return true;
    if (depth > MAX_DEPTH) throw new Fault('this is nested too deep', first);
    if (tokens.every(({ kind }) => kind === 'string')) return this.#stringIsZero(tokens, at, depth);
    if (first.text === '{') {
      const elements = elementsOf(tokens);
      const [only] = elements;
      if (at?.kind !== 'record' && (at?.kind !== 'array' || isTextOf(only, at))) {
        return only === undefined || this.isZero(only.value, part, depth + 1);
      }
      return this.#fill(elements, 0, at, depth, true).isZero;
    }
    return this.#expressionIsZero(tokens, part, first);
  }

  #stringIsZero(tokens: readonly Token[], at: CType, depth: number): boolean {
    const bytes = tokens.flatMap(literalBytes);
    if (at?.kind !== 'array') {
      this.#mentionString(tokens);
      return false;
    }
    if (depth <= 1) this.count = bytes.length + 1;
    return bytes.every((byte) => byte === 0);
  }

  #expressionIsZero(tokens: readonly Token[], { type, bits }: Part, first: Token): boolean {
    // A number is used by its value, which is computed at once.
    const addressed = tokens.filter(
      ({ text }, i) => tokens[i - 1]?.text === '&' || !this.#parser.isNumber(text),
    );
    for (const name of wordsIn(addressed)) this.mentions.push(name);
    for (const token of tokens) if (token.kind === 'string') this.#mentionString([token]);
    const result = this.#parser.valueOf(tokens);
    if (result === null) {
      this.#parser.noteUnknown(tokens);
      return false;
    }
    if (result.value === null) {
      if (isWhole(type) && isFloat(result.type)) {
        throw new Fault('a whole number was expected', first);
      }
      return false;
    }
    const { value } = converted(result, type);
    return (bits === null || value === null ? value : BigInt.asUintN(bits, value)) === 0n;
  }

  /**
   * Reads values for the parts of a struct, union or array, from element `from` on. Without braces,
   * reads at most one element per part.
   */
  #fill(
    elements: readonly Element[],
    from: number,
    at: RecordType | ArrayOf,
    depth: number,
    hasBraces: boolean,
  ): { readonly isZero: boolean; readonly end: number } {
    const [open] = elements[from]?.value ?? [];
    if (depth > MAX_DEPTH && open !== undefined) throw new Fault('this is nested too deep', open);
    const size = hasBraces ? Number.POSITIVE_INFINITY : partCount(at);
    let isZero = true;
    let next = 0;
    let count = 0;
    let i = from;
    while (i < elements.length && (next < size || !hasBraces)) {
      const { designator, value } = elements[i] ?? { designator: [], value: [] };
      if (!hasBraces && (designator.length > 0 || next >= size)) break;
      const chosen = designator.length === 0 ? null : this.#chosen(at, designator);
      if (chosen !== null) next = chosen.last;
      const part = chosen?.part ?? this.#partOf(at, next);
      const made = this.#readPart(elements, i, part, value, depth, chosen?.isDeep === true);
      if (!made.isZero) isZero = false;
      if (depth === 0 && at.kind === 'record' && isOpen(part.type)) {
        this.flexible = this.count ?? 0;
      }
      if (made.end === i) break;
      i = made.end;
      next += 1;
      count = Math.max(count, next);
    }
    if (hasBraces && (depth === 0 || isOpen(at))) this.count = count;
    return { isZero, end: i };
  }

  /** Reads the value of one part: one element, or without braces possibly several elements. */
  #readPart(
    elements: readonly Element[],
    i: number,
    part: Part,
    value: readonly Token[],
    depth: number,
    isDeep: boolean,
  ) {
    const at = bare(part.type);
    const isWholePart =
      (at?.kind !== 'record' && at?.kind !== 'array') ||
      value[0]?.text === '{' ||
      isTextOf(elements[i], at) ||
      bare(this.#parser.valueOf(value)?.type ?? null) === at;
    if (isWholePart) return { isZero: this.isZero(value, part, depth + 1), end: i + 1 };
    const [first] = value;
    if (isDeep && first !== undefined) throw new Fault('this value needs braces around it', first);
    return this.#fill(elements, i, at, depth + 1, false);
  }

  #mentionString(tokens: readonly Token[]): void {
    this.mentions.push(stringLiteral(tokens.flatMap(literalBytes), CHAR, this.#parser.types));
  }

  #partOf(at: RecordType | ArrayOf, index: number): Part {
    if (at.kind === 'array') return { type: this.#parser.types.element(at), bits: null };
    return partsOf(at)[index] ?? { type: null, bits: null };
  }

  /** Returns the part, and its index, that a designator such as `.name` or `[1 ... 3]` selects. */
  #chosen(outer: RecordType | ArrayOf, designator: readonly Token[]) {
    let at: CType = outer;
    let part: Part = { type: outer, bits: null };
    let last: number | null = null;
    for (let i = 0; i < designator.length; ) {
      const token = designator[i] ?? END;
      if (at?.kind === 'array' && token.text === '[') {
        let close = i + 1;
        let from = close;
        for (; close < designator.length && designator[close]?.text !== ']'; close++) {
          if (designator[close]?.text === '...') from = close + 1;
        }
        const index = this.#parser.valueOf(designator.slice(from, close));
        if (index?.value == null || index.value < 0n || index.value > 0xffffffffn) {
          throw new Fault('the number of an element was expected', token);
        }
        last ??= Number(index.value);
        part = this.#partOf(at, 0);
        i = close + 1;
      } else {
        const name: Token = token.text === '.' ? (designator[i + 1] ?? END) : token;
        const path: readonly number[] | null = at?.kind === 'record' ? pathTo(at, name.text) : null;
        if (path === null) throw new Fault(`no member is called ${shown(name)}`, name);
        last ??= path[0] ?? 0;
        for (const index of path) {
          if (at?.kind !== 'record') break;
          part = this.#partOf(at, index);
          at = bare(part.type);
        }
        i += token.text === '.' ? 2 : 1;
        if (designator[i]?.text === ':') i += 1;
      }
      at = bare(part.type);
    }
    return { last: last ?? 0, part, isDeep: part.type !== this.#partOf(outer, last ?? 0).type };
  }
}

/** Returns a string literal: an array that has no name. */
export function stringLiteral(bytes: readonly number[], of: CType, types: Interned): StringLiteral {
  return { bytes: bytes.join(), type: types.array(of, bytes.length + 1) };
}

/** Returns the members that have values in an initializer: all except unnamed bit-fields. */
function partsOf({ members }: RecordType): readonly Member[] {
  const all = members ?? [];
  const parts = partLists.get(all) ?? all.filter(({ name, bits }) => name !== '' || bits === null);
  partLists.set(all, parts);
  return parts;
}

/** Results of `partsOf` by the members of the record. */
const partLists = new WeakMap<readonly Member[], readonly Member[]>();

function partCount(at: RecordType | ArrayOf): number {
  if (at.kind === 'array') return Math.max(0, at.dimensions[0] ?? 0);
  return at.what === 'union' ? Math.min(1, partsOf(at).length) : partsOf(at).length;
}

/** Returns the indices that lead to a member, through unnamed members, or null. */
function pathTo(record: RecordType, name: string): readonly number[] | null {
  const members = membersByName.get(record) ?? pathsIn(record);
  membersByName.set(record, members);
  const path: number[] = [];
  for (let step = members.get(name) ?? null; step !== null; step = step.outer)
    path.unshift(step.index);
  return path.length === 0 ? null : path;
}

/** Index of a member, and the unnamed member that it is in. */
type Step = { readonly index: number; readonly outer: Step | null };
/** Results of `pathsIn`. */
const membersByName = new WeakMap<RecordType, ReadonlyMap<string, Step>>();

function pathsIn(record: RecordType): Map<string, Step> {
  const steps = new Map<string, Step>();
  const records = new Map<RecordType, Step | null>([[record, null]]);
  for (const [at, outer] of records) {
    for (const [index, { name, type }] of partsOf(at).entries()) {
      const inner = bare(type);
      if (name !== '') getOrCreate(steps, name, () => ({ index, outer }));
      else if (inner?.kind === 'record') getOrCreate(records, inner, () => ({ index, outer }));
    }
  }
  return steps;
}

/** Returns true if the element is a string, and `at` is an array of characters. */
function isTextOf(element: Element | undefined, at: CType): boolean {
  if (element === undefined || at?.kind !== 'array' || at.dimensions.length > 1) return false;
  const of = bare(at.of);
  const isChar = of?.kind === 'basic' && of.size === 1 && of.encoding !== 'bool';
  return isChar && element.value.every(({ kind }) => kind === 'string');
}

function isOpen(type: CType): boolean {
  const at = bare(type);
  return at?.kind === 'array' && at.dimensions[0] === -1;
}

function isWhole(type: CType): boolean {
  const at = bare(type);
  return (at?.kind === 'basic' && at.encoding !== 'float') || at?.kind === 'enum';
}

function isFloat(type: CType): boolean {
  const at = bare(type);
  return at?.kind === 'basic' && at.encoding === 'float';
}

/** An element of an initializer in braces. */
type Element = {
  /** Tokens before `=`, such as `.name`; empty if the element has no designator. */
  readonly designator: readonly Token[];
  readonly value: readonly Token[];
};

/** Returns the elements of an initializer from the tokens between its braces. */
function elementsOf(tokens: readonly Token[]): Element[] {
  const elements: Element[] = [];
  let designator: Token[] = [];
  let value: Token[] = [];
  let depth = 0;
  const flush = () => {
    if (value.length > 0) elements.push({ designator, value });
    designator = [];
    value = [];
  };
  for (const token of tokens.slice(1, -1)) {
    if ('([{'.includes(token.text)) depth++;
    if (')]}'.includes(token.text)) depth--;
    const isOldDesignator = token.text === ':' && value.length === 1 && value[0]?.kind === 'word';
    const isSign = token.text === ',' || token.text === '=' || isOldDesignator;
    if (depth > 0 || !isSign) value.push(token);
    else if (token.text === ',') flush();
    else {
      designator = value;
      value = [];
    }
  }
  flush();
  return elements;
}
