/** C declarations cut into tokens. Total: what is no token is told as one of kind `unknown`. */
export type TokenKind = 'word' | 'number' | 'sign' | 'unknown' | 'end';

export type Token = {
  readonly kind: TokenKind;
  readonly text: string;
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
};

const SPACE = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const WORD = /[A-Za-z_]\w*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|0[bB][01]+|\d+/y;
const SUFFIX = /[uUlL]*/y;
const SIGN = /\.\.\.|<<|>>|[{}()[\];,*=:+\-|&~^]/y;

/** All tokens, an `end` last. Comments are left out. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (;;) {
    at += match(SPACE, at)?.length ?? 0;
    if (at >= text.length) break;
    const start = at;
    const add = (kind: TokenKind, found: string, length = found.length) => {
      at += length;
      tokens.push({ kind, text: found, start, end: at });
    };
    const word = match(WORD, at);
    const number = match(NUMBER, at);
    const sign = match(SIGN, at);
    if (word !== null) add('word', word);
    else if (number !== null) {
      add('number', number, number.length + (match(SUFFIX, at + number.length)?.length ?? 0));
    } else if (sign !== null) add('sign', sign);
    else add('unknown', String.fromCodePoint(text.codePointAt(at) ?? 0));
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

/** A place among tokens: what comes next, what must come, and what to say when it does not. */

const MAX_DEPTH = 64;
const END: Token = { kind: 'end', text: '', start: 0, end: 0 };

/** What cannot be read, and the token at which that shows. Never leaves the parser. */
export class Fault extends Error {
  readonly token: Token;

  constructor(message: string, token: Token) {
    super(message);
    this.token = token;
  }
}

export class Cursor {
  /** Number of the next token. */
  place = 0;
  readonly #tokens: readonly Token[];
  #depth = 0;
  /** How many `{` of the declaration wait for their `}`. */
  #braces = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  peek(): Token {
    return this.#tokens[this.place] ?? END;
  }

  /** The token behind the next. */
  second(): Token {
    return this.#tokens[this.place + 1] ?? END;
  }

  next(): Token {
    const token = this.peek();
    this.place += 1;
    if (token.text === '{') this.#braces += 1;
    if (token.text === '}') this.#braces -= 1;
    return token;
  }

  /** Passes over `text` where it comes next. */
  take(text: string): boolean {
    const isNext = this.peek().text === text && this.peek().kind !== 'end';
    if (isNext) this.next();
    return isNext;
  }

  /** Passes over `text`. Throws `Fault` where something else comes next. */
  expect(text: string): void {
    if (!this.take(text)) throw this.expected(text);
  }

  /** The fault that something else stands here. */
  expected(what: string): Fault {
    return new Fault(`${what} was expected, not ${shown(this.peek())}`, this.peek());
  }

  /** One level deeper: recursion must not follow the text as far as it likes. Throws `Fault` at the limit. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Fault('this is nested too deep', this.peek());
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** A new declaration: whatever the one before left open. */
  startOver(): void {
    this.#depth = 0;
    this.#braces = 0;
  }

  /** Goes behind the `;` that ends the declaration, outside of all braces. */
  recover(): void {
    while (this.peek().kind !== 'end') {
      if (this.next().text === ';' && this.#braces <= 0) return;
    }
  }

  /** Behind a `(`: goes behind the `)` that closes it. */
  skipParentheses(): void {
    const open = this.#tokens[this.place - 1] ?? END;
    for (let depth = 1; depth > 0; ) {
      const { kind, text } = this.next();
      if (kind === 'end') throw new Fault('this ( has no )', open);
      if (text === '(') depth += 1;
      if (text === ')') depth -= 1;
    }
  }
}

/** A token as a message names it. */
export function shown({ kind, text }: Token): string {
  return kind === 'end' ? 'the end of the text' : text;
}
