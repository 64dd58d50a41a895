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
