/** A position in a list of tokens, and the syntax errors that parsers throw at the position. */
import type { Token } from '#analysis/c/tokens.ts';

const MAX_DEPTH = 64;
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
/** Token that represents the end of the list. */
export const END: Token = { kind: 'end', text: '', start: 0, end: 0, before: '\n' };

/** A syntax error at a token. The parser catches it and continues with the next declaration. */
export class Fault extends Error {
  readonly token: Token;

  constructor(message: string, token: Token) {
    super(message);
    this.token = token;
  }
}

export class Cursor {
  /** Index of the next token in the list. */
  place = 0;
  #tokens: readonly Token[];
  #depth = 0;
  /** Number of open braces in the current declaration. */
  #braces = 0;
  /** Known groups by the index after their opening bracket, so that none is searched twice. */
  #groups = new Map<number, { readonly end: number; readonly braces: number }>();

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    return this.#tokens[this.place] ?? END;
  }

  /** Returns the token after the next token. */
  second(): Token {
    return this.#tokens[this.place + 1] ?? END;
  }

  next(): Token {
    const token = this.#skip();
    if (token.kind === 'number' && isSeparator(this.peek())) {
      throw new Fault("' between digits is C23, and C17 is compiled here", this.peek());
    }
    return token;
  }

  #skip(): Token {
    const token = this.peek();
    this.place += 1;
    if (token.text === '{') this.#braces += 1;
    if (token.text === '}') this.#braces -= 1;
    return token;
  }

  /** Skips the next token if its text is `text`. Returns true if the token was skipped. */
  take(text: string): boolean {
    const isNext = this.peek().text === text && this.peek().kind !== 'end';
    if (isNext) this.next();
    return isNext;
  }

  /** Skips the next token, which must be `text`. Throws `Fault` for another token. */
  expect(text: string): void {
    if (!this.take(text)) throw this.expected(text);
  }

  /** Returns a fault for the next token, which states that `what` was expected. */
  expected(what: string): Fault {
    return new Fault(`${what} was expected, not ${shown(this.peek())}`, this.peek());
  }

  /** Enters a level of nesting, to limit recursion. Throws `Fault` if the limit is reached. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Fault('this is nested too deep', this.peek());
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Resets the nesting at the start of a declaration. */
  startOver(): void {
    this.#depth = 0;
    this.#braces = 0;
  }

  /** Skips to the end of the declaration: to the `;`, or to the `}` of a function body. */
  recover(): void {
    while (this.peek().kind !== 'end') {
      const { text } = this.#skip();
      if (this.#braces > 0) continue;
      const next = this.peek();
      const isAfterBody = text === '}' && next.before === '\n' && next.text !== ';';
      if (text === ';' || isAfterBody) return;
    }
  }

  /** Skips the rest of a bracketed group, to its closing bracket. Returns the tokens inside. */
  skipGroup(): readonly Token[] {
    const from = this.place;
    const open = this.#tokens[from - 1] ?? END;
    const known = this.#groups.get(from);
    if (known !== undefined) {
      this.place = known.end;
      this.#braces += known.braces;
    }
    const starts = known === undefined ? [{ from, braces: this.#braces }] : [];
    while (starts.length > 0) {
      const { kind, text } = this.next();
      if (kind === 'end') throw new Fault(`this ${open.text} has no ${CLOSING[open.text]}`, open);
      if (text === open.text) starts.push({ from: this.place, braces: this.#braces });
      const start = text === CLOSING[open.text] ? starts.pop() : undefined;
      if (start === undefined) continue;
      this.#groups.set(start.from, { end: this.place, braces: this.#braces - start.braces });
    }
    return this.#tokens.slice(from, this.place - 1);
  }

  /** Replaces the list of tokens and moves to its start. Returns the previous list. */
  replace(tokens: readonly Token[]): readonly Token[] {
    const before = this.#tokens;
    this.#tokens = tokens;
    this.#groups = new Map();
    this.place = 0;
    return before;
  }

  /** Returns the tokens from index `place` to the cursor. */
  since(place: number): readonly Token[] {
    return this.#tokens.slice(place, this.place);
  }
}

/** Returns true for a `'` that directly follows the token before. */
function isSeparator({ text, before }: Token): boolean {
  return before === '' && text.startsWith("'");
}

/** Returns the text that messages use for a token. */
export function shown({ kind, text }: Token): string {
  return kind === 'end' ? 'the end of the text' : text;
}
