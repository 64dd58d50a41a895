/** Tokeniser of C. Accepts any text: a character that begins no token becomes a token of kind `unknown`. */
export type TokenKind = 'word' | 'number' | 'string' | 'char' | 'sign' | 'pack' | 'unknown' | 'end';

export type Token = {
  readonly kind: TokenKind;
  readonly text: string;
  /** Characters from the start of the text. */
  readonly start: number;
  readonly end: number;
  /** Space or line end between the previous token and this token; empty without space. */
  readonly before: '' | ' ' | '\n';
  /** The token is in a header. */
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

/** A part of a text, in characters. */
export type TextRange = { readonly start: number; readonly end: number };

const COMMENT = /\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\//g;

/** Returns the comments from `start` to `end`: the text between two tokens. */
export function commentsIn(text: string, start: number, end: number): TextRange[] {
  if (start === end) return [];
  return Array.from(text.slice(start, end).matchAll(COMMENT), ({ 0: comment, index }) => ({
    start: start + index,
    end: start + index + comment.length,
  }));
}

/** Returns all tokens but comments, and an `end` last. */
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
