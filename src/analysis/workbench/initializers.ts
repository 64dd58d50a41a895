/** What BTF depends on in an initializer: is it all 0, how long is the array, what does it use. */
import { type ArrayOf, bare, basicOf, type CType, type Interned } from './c-types.ts';
import { literalBytes } from './constants.ts';
import type { Mention } from './declared-places.ts';
import type { Token } from './tokens.ts';

/** Braces in braces. */
const MAX_DEPTH = 32;
const CHAR = basicOf(['char']);

export type Initializer = {
  /** Are all bytes 0? An address is not. */
  readonly isZero: boolean;
  /** Elements of an array; null where the text does not tell. */
  readonly count: number | null;
  /** Elements of the array without a length at the end of a struct; 0 without one. */
  readonly flexible: number;
  /** Names and strings that it refers to, in order. */
  readonly mentions: readonly Mention[];
};

/** Reads the value of a variable of that type. `constantOf`: null where tokens are no constant. */
export function readInitializer(
  tokens: readonly Token[],
  type: CType,
  types: Interned,
  constantOf: (tokens: readonly Token[]) => bigint | null,
): Initializer {
  const reader = new InitializerReader(types, constantOf);
  const isZero = reader.isZero(tokens, type, 0);
  const at = bare(type);
  const count = at?.kind === 'array' ? reader.countOf(tokens, at) : null;
  return { isZero, count, flexible: reader.flexible, mentions: reader.mentions };
}

class InitializerReader {
  readonly mentions: Mention[] = [];
  flexible = 0;
  readonly #types: Interned;
  readonly #constantOf: (tokens: readonly Token[]) => bigint | null;

  constructor(types: Interned, constantOf: (tokens: readonly Token[]) => bigint | null) {
    this.#types = types;
    this.#constantOf = constantOf;
  }

  isZero(tokens: readonly Token[], type: CType, depth: number): boolean {
    const [first] = tokens;
    const at = bare(type);
    if (first === undefined) return true;
    if (first.text === '{' && depth < MAX_DEPTH) {
      let isZero = true;
      let next = 0;
      for (const { designator, value } of elementsOf(tokens)) {
        next = memberIndex(at, designator) ?? next;
        const part = this.#partOf(at, next);
        if (!this.isZero(value, part, depth + 1)) isZero = false;
        if (depth === 0 && at?.kind === 'record' && part?.kind === 'array') {
          if (part.dimensions[0] === -1) this.flexible = this.countOf(value, part) ?? 0;
        }
        next++;
      }
      return isZero;
    }
    if (tokens.every(({ kind }) => kind === 'string')) {
      const bytes = tokens.flatMap(literalBytes);
      if (at?.kind === 'array') return bytes.every((byte) => byte === 0);
      this.#mentionString(tokens);
      return false;
    }
    for (const name of wordsIn(tokens)) this.mentions.push(name);
    for (const token of tokens) if (token.kind === 'string') this.#mentionString([token]);
    if (tokens.length === 1 && /^0*\.0*([eE]|$)/.test(first.text)) return true;
    return this.#constantOf(tokens) === 0n;
  }

  /** A string that something points at is an array without a name. */
  #mentionString(tokens: readonly Token[]): void {
    const bytes = tokens.flatMap(literalBytes);
    this.mentions.push({
      bytes: bytes.join(),
      type: this.#types.array(CHAR, bytes.length + 1),
    });
  }

  #partOf(at: CType, index: number): CType {
    if (at?.kind === 'array') return this.#types.element(at);
    if (at?.kind === 'record') return at.members?.[index]?.type ?? null;
    return at;
  }

  countOf(tokens: readonly Token[], array: ArrayOf): number | null {
    if (tokens.every(({ kind }) => kind === 'string'))
      return 1 + tokens.flatMap(literalBytes).length;
    if (tokens[0]?.text !== '{') return null;
    const isPart = ['record', 'array'].includes(bare(this.#types.element(array))?.kind ?? '');
    let next = 0;
    let count = 0;
    for (const { designator, value } of elementsOf(tokens)) {
      // Values without braces may be those of the element's members.
      if (isPart && value[0]?.text !== '{' && value[0]?.kind !== 'string') return null;
      if (designator.length > 0) {
        const at = this.#constantOf(lastIndexOf(designator));
        if (at === null || at < 0n || at > 0xffffffffn) return null;
        next = Number(at);
      }
      next += 1;
      count = Math.max(count, next);
    }
    return count;
  }
}

/** The words of code or of an initializer that may be names of variables and functions. */
export function wordsIn(tokens: readonly Token[]): string[] {
  const words = tokens.filter(({ kind }, i) => {
    const before = tokens[i - 1]?.text;
    return kind === 'word' && before !== '.' && before !== '->';
  });
  return [...new Set(words.map(({ text }) => text))];
}

type Element = {
  /** The tokens before the `=`; empty without one. */
  readonly designator: readonly Token[];
  readonly value: readonly Token[];
};

/** The elements between the braces of an initializer. */
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
    if (depth > 0 || (token.text !== ',' && token.text !== '=')) value.push(token);
    else if (token.text === ',') flush();
    else {
      designator = value;
      value = [];
    }
  }
  flush();
  return elements;
}

/** The member that `.name` selects; null where it is none of the record itself. */
function memberIndex(at: CType, designator: readonly Token[]): number | null {
  if (at?.kind !== 'record' || designator[0]?.text !== '.') return null;
  const index = at.members?.findIndex(({ name }) => name === designator[1]?.text) ?? -1;
  return index < 0 ? null : index;
}

/** Of `[3]` the 3, of `[1 ... 3]` the last. */
function lastIndexOf(designator: readonly Token[]): readonly Token[] {
  const end = designator.findIndex(({ text }) => text === ']');
  const dots = designator.findIndex(({ text }) => text === '...');
  return designator.slice(dots > 0 && dots < end ? dots + 1 : 1, end);
}
