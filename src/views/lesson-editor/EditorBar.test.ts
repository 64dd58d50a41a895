import { expect, it } from 'vitest';
import { fileNameOf } from './EditorBar.tsx';

it.each([
  ['The first four bytes', 'the-first-four-bytes.md'],
  ['../../etc/passwd', 'etc-passwd.md'],
  ['', 'lesson.md'],
  ['課', 'lesson.md'],
  ['x'.repeat(500), `${'x'.repeat(60)}.md`],
])('names %j', (title, name) => {
  expect(fileNameOf(title)).toBe(name);
});
