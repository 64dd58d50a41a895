/** Splits C text into tokens. A character that begins no token has kind `unknown`. */
export type TokenKind = 'word' | 'number' | 'string' | 'char' | 'sign' | 'pack' | 'unknown' | 'end';

export type Token = {
  readonly kind: TokenKind;
  readonly text: string;
  /** Index of the token's first character in the text. */
  readonly start: number;
  readonly end: number;
  /** Space or line end between the previous token and this token; empty if there is neither. */
  readonly before: '' | ' ' | '\n';
  readonly isHeader?: true;
};

const SPACE = /(?:\s|\\\r?\n|\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\/)+/y;
/** White space and comments after the last end of a comment: searching it again takes long. */
const LAST_SPACE = /(?:\s|\\\r?\n|\/\/(?:\\\r?\n|[^\n])*)+/y;
const NO_LINE = /\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\/|\\\r?\n/g;
const PATTERNS: readonly (readonly [kind: TokenKind, pattern: RegExp])[] = [
  ['word', /[A-Za-z_$][\w$]*/y],
  [
    'number',
    /0[xX](?:[0-9a-fA-F]*(?:\.[0-9a-fA-F]*)?[pP][-+]?\d+|[0-9a-fA-F]+)|0[bB][01]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y,
  ],
  // Literals without their last quote.
  ['string', /"(?:[^"\\\n]|\\[\s\S])*/y],
  ['char', /'(?:[^'\\\n]|\\[\s\S])+/y],
  ['sign', /\.\.\.|<<|>>|<=|>=|==|!=|&&|\|\||->|##|[-{}()[\];,*=:+|&~^<>!?/%.#]/y],
];
const WORD_PATTERN = PATTERNS.slice(0, 1);
/** First characters of words, and of white space and comments: most tokens need one pattern. */
const WORD_START = /[A-Za-z_$]/;
const SPACE_START = /[\s\\/]/;
const SUFFIX = /[uUlLfF]*/y;

/** Range of characters in a text. */
export type TextRange = { readonly start: number; readonly end: number };

const COMMENT = /\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\//g;

/** Returns the comments from `start` to `end`, which must contain no tokens. */
export function commentsIn(text: string, start: number, end: number): TextRange[] {
  if (start === end) return [];
  return Array.from(text.slice(start, end).matchAll(COMMENT), ({ 0: comment, index }) => ({
    start: start + index,
    end: start + index + comment.length,
  }));
}

/** Returns all tokens except comments. The last token has kind `end`. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const lastComment = text.lastIndexOf('*/');
  /** End of the last literal that has no end, by its quote: no literal begins in it. */
  const unclosed: Record<string, number> = {};
  const match = (pattern: RegExp, from: number) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.[0] ?? null;
  };
  const spaceAt = (from: number) => match(from < lastComment ? SPACE : LAST_SPACE, from) ?? '';
  for (;;) {
    const space = SPACE_START.test(text[at] ?? '') ? spaceAt(at) : '';
    at += space.length;
    const isNewLine = at === space.length || space.replace(NO_LINE, ' ').includes('\n');
    const before = isNewLine ? '\n' : space === '' ? '' : ' ';
    if (at >= text.length) {
      tokens.push({ kind: 'end', text: '', start: text.length, end: text.length, before: '\n' });
      return tokens;
    }
    let token: { kind: TokenKind; text: string } | null = null;
    const isWord = WORD_START.test(text[at] ?? '');
    for (const [kind, pattern] of isWord ? WORD_PATTERN : PATTERNS) {
      const quote = kind === 'string' || kind === 'char' ? (text[at] ?? '') : '';
      if (at < (unclosed[quote] ?? 0)) continue;
      const matched = match(pattern, at);
      if (matched === null) continue;
      const end = at + matched.length;
      if (quote !== '' && text[end] !== quote) {
        unclosed[quote] = end;
        continue;
      }
      token = { kind, text: matched + quote };
      break;
    }
    token ??= { kind: 'unknown', text: String.fromCodePoint(text.codePointAt(at) ?? 0) };
    if (token.kind === 'number') token.text += match(SUFFIX, at + token.text.length) ?? '';
    const start = at;
    at += token.text.length;
    tokens.push({ ...token, start, end: at, before });
  }
}

const WORDS = {
  declaration: 'struct union enum typedef const volatile restrict extern static',
  type: 'void char short int long signed unsigned float double _Bool',
  specifier: 'inline register typeof _Alignas _Atomic __int128',
  attribute: '__attribute__',
  code:
    'auto break case continue default do else for goto if return sizeof switch while asm ' +
    '_Alignof _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local',
  /** Macros of the kernel and libbpf that expand to attributes. */
  macro: '__packed __aligned',
  /** Words that a header defines, or that are special only in `__attribute__`. */
  name: 'bool packed aligned preserve_access_index',
} as const;

export type CWordGroup = keyof typeof WORDS;

const GROUPS: ReadonlyMap<string, CWordGroup> = new Map(
  Object.entries(WORDS).flatMap(([group, words]) =>
    words.split(' ').map((word) => [word, group as CWordGroup] as const),
  ),
);

/** Returns the group of a word; null for a word that has no special meaning in C. */
export function cWordGroup(word: string): CWordGroup | null {
  return GROUPS.get(word) ?? null;
}

/** Returns true if C reserves the word, so that it cannot be a name. */
export function isReserved(word: string): boolean {
  const group = cWordGroup(word);
  return group !== null && group !== 'macro' && group !== 'name';
}

/** Returns true if the word may precede the name in a declaration. */
export function isDeclarationWord(word: string): boolean {
  const group = cWordGroup(word);
  return group !== null && group !== 'code' && group !== 'name';
}
