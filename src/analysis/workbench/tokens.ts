/** C cut into tokens. Total: what is no token is told as one of kind `unknown`. */
export type TokenKind = 'word' | 'number' | 'string' | 'char' | 'sign' | 'pack' | 'unknown' | 'end';

export type Token = {
  readonly kind: TokenKind;
  readonly text: string;
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
  /** What separates it from the token before: nothing, space, or the end of a line. */
  readonly before: '' | ' ' | '\n';
  /** Comes out of a header. */
  readonly isHeader?: true;
};

const SPACE = /(?:\s|\\\r?\n|\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\/)+/y;
const NO_LINE = /\/\*[\s\S]*?\*\/|\\\r?\n/g;
const PATTERNS: readonly (readonly [kind: TokenKind, pattern: RegExp])[] = [
  ['word', /[A-Za-z_$][\w$]*/y],
  [
    'number',
    /0[xX](?:[0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][-+]?\d+|[0-9a-fA-F]+)|0[bB][01]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y,
  ],
  ['string', /"(?:[^"\\\n]|\\[\s\S])*"/y],
  ['char', /'(?:[^'\\\n]|\\[\s\S])+'/y],
  ['sign', /\.\.\.|<<|>>|<=|>=|==|!=|&&|\|\||->|##|[-{}()[\];,*=:+|&~^<>!?/%.#]/y],
];
const SUFFIX = /[uUlLfF]*/y;

/** All tokens, an `end` last. Comments are left out. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (;;) {
    const space = match(SPACE, at) ?? '';
    at += space.length;
    const isNewLine = at === space.length || space.replace(NO_LINE, ' ').includes('\n');
    const before = isNewLine ? '\n' : space === '' ? '' : ' ';
    if (at >= text.length) {
      tokens.push({ kind: 'end', text: '', start: text.length, end: text.length, before: '\n' });
      return tokens;
    }
    let found: { kind: TokenKind; text: string } | null = null;
    for (const [kind, pattern] of PATTERNS) {
      const is = match(pattern, at);
      if (is === null) continue;
      found = { kind, text: is };
      break;
    }
    found ??= { kind: 'unknown', text: String.fromCodePoint(text.codePointAt(at) ?? 0) };
    if (found.kind === 'number') found.text += match(SUFFIX, at + found.text.length) ?? '';
    const start = at;
    at += found.text.length;
    tokens.push({ ...found, start, end: at, before });
  }
}

/** A place among tokens: what comes next, what must come, and what to say when it does not. */

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
