import { expect, it } from 'vitest';
import { fitText } from './text-fit.ts';
import { draggedBy } from './use-pan-zoom.ts';

const camera = { x: 10, y: 20, scale: 1 };

it('moves with one finger', () => {
  const moved = draggedBy(camera, [{ x: 5, y: 5 }], [{ x: 8, y: 1 }]);
  expect(moved).toEqual({ x: 13, y: 16, scale: 1 });
});

it('zooms with two, about the middle between them', () => {
  const before = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
  ];
  const after = [
    { x: -50, y: 0 },
    { x: 150, y: 0 },
  ];
  expect(draggedBy(camera, before, after)).toEqual({ x: -30, y: 40, scale: 2 });
});

it('does not divide by the distance of two fingers on one spot', () => {
  const spot = { x: 5, y: 5 };
  expect(draggedBy(camera, [spot, spot], [spot, { x: 15, y: 5 }]).scale).toBe(1);
});

it.each([
  ['task_struct', 200, 'task_struct'],
  ['task_struct', 60, 'task_st…'],
  ['abc', 0, '…'],
  ['😀😀😀😀', 22, '😀😀…'],
])('fits %s into %d pixels as %s', (text, width, fitted) => {
  expect(fitText(text, width, 12)).toBe(fitted);
});
