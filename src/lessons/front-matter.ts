/** Front matter: the lines `key: value` between `---` and `---` at the start of a lesson. */
import type { LessonProblem } from './lesson.ts';

export type FrontMatter = {
  readonly values: ReadonlyMap<string, { readonly text: string; readonly line: number }>;
  /** The lesson with empty lines in place of the front matter, to keep the line numbers. */
  readonly rest: string;
};

const KEYS = ['title', 'about', 'object', 'number', 'lang', 'translates'] as const;

/** Reads the front matter and adds mistakes to `problems`. A translation has no `object`. */
export function readFrontMatter(
  text: string,
  isTranslation: boolean,
  problems: LessonProblem[],
): FrontMatter {
  const lines = text.split('\n');
  const values = new Map<string, { text: string; line: number }>();
  if (lines[0]?.trimEnd() !== '---') {
    problems.push({ message: 'A lesson begins with a line ---', line: 1, column: 1 });
    return { values, rest: text };
  }
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---');
  if (end < 0) {
    problems.push({ message: 'The --- of line 1 has no second ---', line: 1, column: 1 });
    return { values, rest: '' };
  }
  for (let i = 1; i < end; i++) {
    const line = lines[i] ?? '';
    if (line.trim() === '') continue;
    const [, key = '', value = ''] = /^([a-z]+):\s*(.*?)\s*$/.exec(line) ?? [];
    const at = { line: i + 1, column: 1 };
    if (key === '') problems.push({ message: 'A line here is `key: value`', ...at });
    else if (!KEYS.some((known) => known === key)) {
      problems.push({ message: `There is no key ${key}; there are ${KEYS.join(', ')}`, ...at });
    } else if (values.has(key)) problems.push({ message: `${key} is given twice`, ...at });
    else values.set(key, { text: value, line: i + 1 });
  }
  for (const key of ['title', 'about', 'object'] as const) {
    if (isTranslation && key === 'object') continue;
    if ((values.get(key)?.text ?? '') === '') {
      problems.push({ message: `The lesson has no ${key}`, line: 1, column: 1 });
    }
  }
  const rest = lines.map((line, i) => (i <= end ? '' : line)).join('\n');
  return { values, rest };
}
