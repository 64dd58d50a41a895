/** Position in the tokens of a text, and the syntax errors that parsers report there. */
import type { Token } from '#analysis/c/tokens.ts';

const MAX_DEPTH = 64;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Token after the last one. */
export const END: Token = { kind: 'end', text: '', start: 0, end: 0, before: '\n' };

/** A syntax error and its token. The parser catches it. */
export class Fault extends Error {
  readonly token: Token;

  constructor(message: string, token: Token) {
    super(message);
    this.token = token;
  }
}

export class Cursor {
  /** Index of the next token. */
  place = 0;
  #tokens: readonly Token[];
  #depth = 0;
  /** Number of open braces of the declaration. */
  #braces = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    return this.#tokens[this.place] ?? END;
  }

  /** Returns the token after the next one. */
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

  /** Skips the next token if it is `text`. Returns true if it did. */
  take(text: string): boolean {
    const isNext = this.peek().text === text && this.peek().kind !== 'end';
    if (isNext) this.next();
    return isNext;
  }

  /** Skips `text`. Throws `Fault` if another token comes next. */
  expect(text: string): void {
    if (!this.take(text)) throw this.expected(text);
  }

  /** Returns the fault for an unexpected token. */
  expected(what: string): Fault {
    return new Fault(`${what} was expected, not ${shown(this.peek())}`, this.peek());
  }

  /** Counts one level of nesting, which bounds recursion. Throws `Fault` at the limit. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Fault('this is nested too deep', this.peek());
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Resets nesting for the next declaration. */
  startOver(): void {
    this.#depth = 0;
    this.#braces = 0;
  }

  /** Skips to the end of the declaration: after its `;`, or after the `}` of a body. */
  recover(): void {
    while (this.peek().kind !== 'end') {
      const { text } = this.next();
      if (this.#braces > 0) continue;
      const next = this.peek();
      const isAfterBody = text === '}' && next.before === '\n' && next.text !== ';';
      if (text === ';' || isAfterBody) return;
    }
  }

  /** Skips the rest of a group whose opening token was read. Returns the tokens inside. */
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

  /** Replaces the tokens, and starts at the first. Returns the previous tokens. */
  replace(tokens: readonly Token[]): readonly Token[] {
    const before = this.#tokens;
    this.#tokens = tokens;
    this.place = 0;
    return before;
  }

  /** Returns the tokens from `place` to the next token. */
  since(place: number): readonly Token[] {
    return this.#tokens.slice(place, this.place);
  }
}

/** Returns a token as a message shows it. */
export function shown({ kind, text }: Token): string {
  return kind === 'end' ? 'the end of the text' : text;
}
