/** Walks the tokens of a text for the parsers, with the faults that they report. */
import type { Token } from '#analysis/c/tokens.ts';

const MAX_DEPTH = 64;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const END: Token = { kind: 'end', text: '', start: 0, end: 0, before: '\n' };

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
  #tokens: readonly Token[];
  #depth = 0;
  /** How many `{` of the declaration wait for their `}`. */
  #braces = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
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

  /** Goes behind the `;` that ends the declaration, or the `}` of a body, outside of all braces. */
  recover(): void {
    while (this.peek().kind !== 'end') {
      const { text } = this.next();
      if (this.#braces > 0) continue;
      const next = this.peek();
      const isBehindBody = text === '}' && next.before === '\n' && next.text !== ';';
      if (text === ';' || isBehindBody) return;
    }
  }

  /** Behind a `(`, `[` or `{`: goes behind what closes it. Returns what it passed, without that. */
  skipGroup(): readonly Token[] {
    const from = this.place;
    const open = this.#tokens[from - 1] ?? END;
    for (let depth = 1; depth > 0; ) {
      const { kind, text } = this.next();
      if (kind === 'end') throw new Fault(`this ${open.text} has no ${CLOSING[open.text]}`, open);
      if (text === open.text) depth += 1;
      if (text === CLOSING[open.text]) depth -= 1;
    }
    return this.#tokens.slice(from, this.place - 1);
  }

  /** Goes to the first of other tokens. Returns those of before. */
  replace(tokens: readonly Token[]): readonly Token[] {
    const before = this.#tokens;
    this.#tokens = tokens;
    this.place = 0;
    return before;
  }

  /** The tokens from `place` up to here. */
  since(place: number): readonly Token[] {
    return this.#tokens.slice(place, this.place);
  }
}

/** A token as a message names it. */
export function shown({ kind, text }: Token): string {
  return kind === 'end' ? 'the end of the text' : text;
}
