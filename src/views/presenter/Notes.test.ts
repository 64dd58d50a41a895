import { expect, it } from 'vitest';
import { elapsedText } from './Notes.tsx';

it.each([
  [-500, '0:00'],
  [0, '0:00'],
  [59_999, '0:59'],
  [425_000, '7:05'],
  [3_753_000, '1:02:33'],
])('%i ms is %s', (milliseconds, text) => {
  expect(elapsedText(milliseconds)).toBe(text);
});
