/** Splits text at marks of code and emphasis, and reports Markdown that the page cannot show. */

import type { RootContent } from 'mdast';
import { append } from '#bytes/arrays.ts';
import type { LessonProblem } from './lesson.ts';

/** Part of a text that can only contain code and emphasis, such as an option or a callout. */

type InlinePiece = {
  readonly kind: 'text' | 'code' | 'emphasis';
  readonly text: string;
  /** Offset in the line, in characters. */
  readonly start: number;
};

/** Matches code in back ticks and emphasis in asterisks, but not the asterisk of a C pointer. */
const MARKED = /`([^`]+)`|(?<![\w*])\*(?=\w)([^*`]*\w)\*(?![\w*])/g;

/** Splits a line at its marks of code and emphasis. An unpaired mark is plain text. */
export function inlinePieces(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    const start = match.index;
    if (start > end) pieces.push({ kind: 'text', text: text.slice(end, start), start: end });
    const [all, code, emphasis = ''] = match;
    pieces.push(
      code === undefined
        ? { kind: 'emphasis', text: emphasis, start }
        : { kind: 'code', text: code, start },
    );
    end = start + all.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end), start: end });
  return pieces;
}

/** Returns the line without its marks of code and emphasis. */
export function withoutMarks(text: string): string {
  return inlinePieces(text)
    .map((piece) => piece.text)
    .join('');
}

/** Returns the line and column at which a Markdown node begins. */
export function placeOf(node: RootContent): Omit<LessonProblem, 'message'> {
  const { line = 1, column = 1 } = node.position?.start ?? {};
  return { line, column };
}

/** Returns the problems of Markdown nodes. `linesBefore` counts the lines before the Markdown. */
export function textProblems(nodes: readonly RootContent[], linesBefore = 0): LessonProblem[] {
  const problems: LessonProblem[] = [];
  const open: RootContent[] = [...nodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const message = messageOf(node);
    const { line, column } = placeOf(node);
    if (message !== null) problems.push({ message, line: line + linesBefore, column });
    if ('children' in node) append(open, node.children.toReversed());
  }
  return problems;
}

function messageOf(node: RootContent): string | null {
  switch (node.type) {
    case 'html':
      return 'HTML is not shown; write Markdown';
    case 'image':
    case 'imageReference':
      return 'Pictures are not shown; show the place itself';
    case 'definition':
    case 'linkReference':
      return 'Write a link in one piece: [text](address)';
    case 'heading':
      return node.depth < 2 ? 'The title is in the head; a step begins with ##' : null;
    case 'link':
      return node.url.startsWith('#/') || /^https:\/\/\S+$/.test(node.url)
        ? null
        : 'A link leads to #/… or https://…';
    default:
      return null;
  }
}
