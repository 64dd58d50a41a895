/** The text of the editor as lines, and what is marked in it. Columns and offsets count UTF-16 units. */
import { type CWordGroup, cWordGroup } from '#analysis/c/keywords.ts';
import { type TextRange, tokensOf } from '#analysis/c/tokens.ts';

/** A place as editors tell it. */
export type TextPlace = {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
};

/** The place of the character at `offset`; past the end that of the end. */
export function placeOf(text: string, offset: number): TextPlace {
  const before = text.slice(0, Math.max(0, offset));
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = 1;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line += 1;
  return { line, column: before.length - lineStart + 1 };
}

/** How many lines an editor shows for it. */
export function lineCount(text: string): number {
  return placeOf(text, text.length).line;
}

/** What a new line behind `caret` begins with: the space before this one, and a tab behind a brace. */
export function indentBehind(text: string, caret: number): string {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret);
  const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
  return /\{\s*$/.test(line) ? `${indent}\t` : indent;
}

export type PieceRole = 'plain' | 'keyword' | 'number' | 'comment';

/** A part of the text that looks the same all over. */
export type EditorPiece = {
  readonly start: number;
  readonly text: string;
  readonly role: PieceRole;
  readonly isWrong: boolean;
};

/** Groups of words that are not coloured: they are in bodies, which are not compiled, or rare. */
const UNCOLOURED: ReadonlySet<CWordGroup | null> = new Set([null, 'specifier', 'code']);

/** Longer texts are shown in one colour: an element for each word would cost the keys their quickness. */
const MAX_COLOURED = 12_000;

/** The whole text in pieces, which together give it again. `wrong` are the places of problems. */
export function editorPieces(text: string, wrong: readonly TextRange[]): EditorPiece[] {
  const coloured = text.length > MAX_COLOURED ? [] : colouredRanges(text);
  const edges = new Set([0]);
  const within = (offset: number) => Math.max(0, Math.min(text.length, offset));
  for (const { start, end } of [...coloured, ...wrong]) edges.add(within(start)).add(within(end));
  edges.delete(text.length);
  const starts = text === '' ? [] : [...edges].sort((a, b) => a - b);
  let next = 0;
  return starts.map((start, i) => {
    while ((coloured[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const range = coloured[next];
    return {
      start,
      text: text.slice(start, starts[i + 1]),
      role: range !== undefined && range.start <= start ? range.role : 'plain',
      isWrong: wrong.some((fault) => fault.start <= start && start < fault.end),
    };
  });
}

type Coloured = TextRange & { readonly role: PieceRole };

function colouredRanges(text: string): Coloured[] {
  const found: Coloured[] = [];
  let behind = 0;
  for (const { kind, text: word, start, end } of tokensOf(text)) {
    // Between two tokens is space, or a comment.
    if (/\S/.test(text.slice(behind, start)))
      found.push({ start: behind, end: start, role: 'comment' });
    if (kind === 'number') found.push({ start, end, role: 'number' });
    else if (kind === 'word' && !UNCOLOURED.has(cWordGroup(word)))
      found.push({ start, end, role: 'keyword' });
    behind = end;
  }
  return found;
}

const WORD = /[A-Za-z_]\w*/y;

/** The word that the caret is in or at the end of; empty where there is none. */
export function wordAt(text: string, caret: number): string {
  let start = caret;
  while (start > 0 && /\w/.test(text[start - 1] ?? '')) start--;
  WORD.lastIndex = start;
  return WORD.exec(text)?.[0] ?? '';
}
