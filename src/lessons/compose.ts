/** Writes parts of a lesson's Markdown for the lesson editor. */

/** Returns true if the text begins like a lesson, with the line `---`. */
export function isLessonText(head: string): boolean {
  return /^\ufeff?---[ \t]*\r?\n/.test(head);
}

/** Returns a new lesson's Markdown. `object` is the key of its file, `show` the first address. */
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

/** Returns a fenced block of Markdown. Its first line has `word` and `meta`. */
export function block(word: string, text: string, meta: string): string {
  const first = meta === '' ? word : `${word} ${meta}`;
  return `\`\`\`${first}\n${text}\n\`\`\``;
}

/** Returns a lesson's Markdown with `object` changed in its front matter. */
export function withObject(text: string, object: string): string {
  const line = `object: ${object}`;
  const [, head = ''] = /^(---[ \t]*\r?\n[\s\S]*?)\r?\n---/.exec(text) ?? [];
  if (head === '') return text;
  const replaced = /^object:.*$/m.test(head)
    ? head.replace(/^object:.*$/m, () => line)
    : `${head}\n${line}`;
  return replaced + text.slice(head.length);
}

/** Inserts `piece` after the line or block at `offset`. `caret` is the offset after `piece`. */
export function withPiece(
  text: string,
  offset: number,
  piece: string,
): { readonly text: string; readonly caret: number } {
  const at = insertionOffset(text, offset);
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const head = before === '' ? '' : `${before}\n\n`;
  return {
    text: `${head}${piece}\n${after === '' ? '' : `\n${after}`}`,
    caret: head.length + piece.length,
  };
}

/** Returns the end of the line or fenced block at `offset`, but not before the first step. */
function insertionOffset(text: string, offset: number): number {
  const firstStep = /^## /m.exec(text)?.index ?? text.length;
  let at = Math.max(offset, firstStep);
  const lineEnd = text.indexOf('\n', at);
  at = lineEnd < 0 ? text.length : lineEnd;
  for (const { index, 0: fence } of text.matchAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$/gm)) {
    if (index < at && index + fence.length > at) return index + fence.length;
  }
  return at;
}
