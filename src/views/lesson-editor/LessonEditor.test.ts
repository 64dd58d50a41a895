import { expect, it } from 'vitest';
import { fileNameOf, offsetOf } from './LessonEditor.tsx';

it.each([
  [1, 1, 0],
  [1, 3, 2],
  [2, 1, 4],
  [3, 2, 6],
  [3, 99, 7],
  [9, 1, 7],
])('finds line %i, column %i', (line, column, offset) => {
  expect(offsetOf('abc\n\nde', { line, column })).toBe(offset);
});

it.each([
  ['The first four bytes', 'the-first-four-bytes.md'],
  ['../../etc/passwd', 'etc-passwd.md'],
  ['', 'lesson.md'],
  ['課', 'lesson.md'],
  ['x'.repeat(500), `${'x'.repeat(60)}.md`],
])('names %j', (title, name) => {
  expect(fileNameOf(title)).toBe(name);
});
