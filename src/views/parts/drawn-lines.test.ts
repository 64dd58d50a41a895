import { expect, it } from 'vitest';
import { drawnLines } from './drawn-lines.ts';

it.each([
  ['', ''],
  ['a\n', 'a\n'],
  ['\tint a;\n\n\tint b;', '\tint a;\n\n\tint b;'],
  ['a\u202eb\r\nc', 'a\\u{202e}b\\x0d\nc'],
])('draws %j with its lines and tabs', (text, shown) => {
  expect(drawnLines(text)).toBe(shown);
});

it('cuts a line that is too long, and no other', () => {
  const shown = drawnLines(`a\n${'W'.repeat(1 << 20)}\nb`).split('\n');
  expect(shown).toEqual(['a', `${'W'.repeat(10_000)}…`, 'b']);
});

it('cuts a text of many such lines', () => {
  const shown = drawnLines(`${'W'.repeat(20_000)}\n`.repeat(1000));
  expect(shown.length).toBeLessThan(1_020_000);
  expect(shown.endsWith('W…\n…')).toBe(true);
});
