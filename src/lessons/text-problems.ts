/**
 * The parts of a lesson's text that the page does not show: HTML, pictures, links to somewhere
 * else.
 */

import type { RootContent } from 'mdast';
import { append } from '#bytes/append.ts';
import type { LessonProblem } from './lesson.ts';

/** Where the node begins in the Markdown that it was read from. */
export function placeOf(node: RootContent): Omit<LessonProblem, 'message'> {
  const { line = 1, column = 1 } = node.position?.start ?? {};
  return { line, column };
}

/** In the order of the text. `linesBefore` is added to lines, where the text is part of a larger one. */
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
