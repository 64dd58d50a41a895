/** Pieces of a lesson's text, as its author's tools write them. */

/** Does the text begin as a lesson does? The first characters are enough. */
export function isLessonText(head: string): boolean {
  return /^\ufeff?---[ \t]*\r?\n/.test(head);
}

/** The first lines of a new lesson. `object` is the key of the file that it is about, `show` an address without it. */
export function newLesson(object: string, show: string): string {
  return [
    '---',
    'title: My lesson',
    'about: What a learner can do after it, in one sentence.',
    `object: ${object}`,
    '---',
    '',
    '## The first step',
    '',
    'Explain one thing, and show it.',
    '',
    block('show', show, ''),
    '',
  ].join('\n');
}

/** A fenced block: `word` and what stands behind it, then the text. */
export function block(word: string, text: string, meta: string): string {
  const first = meta === '' ? word : `${word} ${meta}`;
  return `\`\`\`${first}\n${text}\n\`\`\``;
}

/** The lesson with another object at its head. */
export function withObject(text: string, object: string): string {
  const line = `object: ${object}`;
  const [, head = ''] = /^(---[ \t]*\r?\n[\s\S]*?)\r?\n---/.exec(text) ?? [];
  if (head === '') return text;
  const replaced = /^object:.*$/m.test(head)
    ? head.replace(/^object:.*$/m, () => line)
    : `${head}\n${line}`;
  return replaced + text.slice(head.length);
}

/**
 * The text with `piece` put in as a paragraph of its own at `offset`, a place between two
 * characters, and where the caret stands behind it. A piece never goes into a fence: it is
 * put behind that.
 */
export function withPiece(
  text: string,
  offset: number,
  piece: string,
): { readonly text: string; readonly caret: number } {
  const at = placeFor(text, offset);
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const head = before === '' ? '' : `${before}\n\n`;
  return {
    text: `${head}${piece}\n${after === '' ? '' : `\n${after}`}`,
    caret: head.length + piece.length,
  };
}

/** The end of the line at `offset`, or of the fence that it stands in; never before the first step. */
function placeFor(text: string, offset: number): number {
  const firstStep = /^## /m.exec(text)?.index ?? text.length;
  let at = Math.max(offset, firstStep);
  const lineEnd = text.indexOf('\n', at);
  at = lineEnd < 0 ? text.length : lineEnd;
  for (const { index, 0: fence } of text.matchAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gm)) {
    if (index < at && index + fence.length > at) return index + fence.length;
  }
  return at;
}
