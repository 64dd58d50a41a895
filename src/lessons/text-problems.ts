/** What of a lesson's text the page would not show: HTML, pictures, links to somewhere else. */
import type { RootContent } from 'mdast';
import type { LessonProblem } from './lesson.ts';

/** Where a link of a lesson may lead: a place of the tool, or a page that is asked for by a click. */
function isLessonLink(url: string): boolean {
  return url.startsWith('#/') || /^https:\/\/\S+$/.test(url);
}

/** In the order of the text. `linesBefore` is added to lines, where the text is part of a larger one. */
export function textProblems(nodes: readonly RootContent[], linesBefore = 0): LessonProblem[] {
  const problems: LessonProblem[] = [];
  const open: RootContent[] = [...nodes].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const message = messageOf(node);
    const { line = 1, column = 1 } = node.position?.start ?? {};
    if (message !== null) problems.push({ message, line: line + linesBefore, column });
    if ('children' in node) open.push(...node.children.toReversed());
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
      return node.depth < 2 ? 'The title stands at the head; a step begins with ##' : null;
    case 'link':
      return isLessonLink(node.url) ? null : 'A link leads to #/… or https://…';
    default:
      return null;
  }
}
