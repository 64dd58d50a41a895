/** A line cut into pieces to be drawn: what it is made of, and what was found in it. */

export type PieceRole = 'plain' | 'keyword' | 'key' | 'string' | 'number' | 'comment' | 'directive';

export type LinePiece = {
  /** Column of its first character: the key of the piece in its line. */
  readonly at: number;
  readonly text: string;
  readonly role: PieceRole;
  /** Number of the match that it is part of, from 0 in the line; null = none. */
  readonly match: number | null;
};

type Token = { readonly start: number; readonly end: number; readonly role: PieceRole };

const TOKEN =
  /(?<comment>\/\*.*?(?:\*\/|$))|(?<directive>^#\w+)|(?<key>"[^"\\]*"(?=:)|\b[a-z_]+(?==)|^\[\d+\])|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<keyword>\b(?:struct|union|enum|typedef|const|volatile|restrict|extern|static|__attribute__)\b|(?<=^\[\d+\] )[A-Z_\d]+)|(?<number>(?<![\w.])-?(?:0x[\da-f]+|\d+)\b)/g;

const ROLES = ['comment', 'directive', 'key', 'string', 'keyword', 'number'] as const;

/** The tokens of a line of C, pahole, bpftool's raw text or JSON that are not plain. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const { index, groups } = match;
    const role = ROLES.find((name) => groups?.[name] !== undefined);
    if (role !== undefined) tokens.push({ start: index, end: index + match[0].length, role });
  }
  return tokens;
}

/** Where `query` is in `text`; without `matchCase` only the letters A to Z are taken as a to z, as in a search of bytes. */
function matchesIn(text: string, query: string, matchCase: boolean): number[] {
  if (query === '') return [];
  const fold = (raw: string) =>
    matchCase ? raw : raw.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const folded = fold(text);
  const wanted = fold(query);
  const found: number[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    found.push(at);
  }
  return found;
}

/** The pieces of a line, which together give it again. */
export function linePieces(text: string, query: string, matchCase: boolean): LinePiece[] {
  const tokens = tokensOf(text);
  const matches = matchesIn(text, query, matchCase);
  const edges = new Set([0]);
  for (const { start, end } of tokens) edges.add(start).add(end);
  for (const start of matches) edges.add(start).add(start + query.length);
  edges.delete(text.length);
  const starts = text === '' ? [] : [...edges].sort((a, b) => a - b);
  let token = 0;
  let match = 0;
  return starts.map((at, i) => {
    while ((tokens[token]?.end ?? Number.POSITIVE_INFINITY) <= at) token++;
    while ((matches[match] ?? Number.POSITIVE_INFINITY) + query.length <= at) match++;
    const inside = tokens[token];
    return {
      at,
      text: text.slice(at, starts[i + 1]),
      role: inside !== undefined && inside.start <= at ? inside.role : 'plain',
      match: (matches[match] ?? Number.POSITIVE_INFINITY) <= at ? match : null,
    };
  });
}
