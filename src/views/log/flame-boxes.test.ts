import { expect, it } from 'vitest';
import type { CostNode } from '#analysis/verifier/replay-cost.ts';
import { boxAfterKey, flameBoxes } from './flame-boxes.ts';

const insn = (number: number, steps: number): CostNode => ({
  kind: 'insn',
  insn: number,
  line: 0,
  steps,
  children: [],
});
const line = (steps: number, ...children: CostNode[]): CostNode => ({
  kind: 'line',
  insn: children[0]?.insn ?? 0,
  line: 0,
  steps,
  children,
});

const FUNCTIONS: CostNode[] = [
  {
    ...line(900, line(600, insn(1, 599), insn(2, 1)), line(300, insn(3, 300))),
    kind: 'function',
  },
  { ...line(100, line(100, insn(9, 100))), kind: 'function' },
];

it('draws shares as widths, and leaves out what is too narrow', () => {
  const boxes = flameBoxes(FUNCTIONS, 1000);
  expect(boxes.map(({ level, start, width }) => [level, start, width])).toEqual([
    [0, 0, 0.9],
    [0, 0.9, 0.1],
    [1, 0, 0.6],
    [1, 0.6, 0.3],
    [1, 0.9, 0.1],
    [2, 0, 0.599],
    [2, 0.6, 0.3],
    [2, 0.9, 0.1],
  ]);
});

it('moves by arrow keys along a level, and between levels', () => {
  const boxes = flameBoxes(FUNCTIONS, 1000);
  expect(boxAfterKey(boxes, 0, 'ArrowRight')).toBe(1);
  expect(boxAfterKey(boxes, 1, 'ArrowRight')).toBeNull();
  expect(boxAfterKey(boxes, 1, 'ArrowUp')).toBe(4);
  expect(boxAfterKey(boxes, 4, 'ArrowDown')).toBe(1);
  expect(boxAfterKey(boxes, 5, 'ArrowLeft')).toBeNull();
  expect(boxAfterKey(boxes, 0, 'Enter')).toBeNull();
});
