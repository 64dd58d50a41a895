import { expect, it } from 'vitest';
import { offsetOf } from './LessonEditor.tsx';

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
