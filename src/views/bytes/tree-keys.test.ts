import { expect, it } from 'vitest';
import { type TreePlace, treeMove } from './tree-keys.ts';

const closed: TreePlace = { row: 3, rowCount: 10, pageRows: 4, isOpen: false, hasParts: true };
const open: TreePlace = { ...closed, isOpen: true };
const leaf: TreePlace = { ...closed, hasParts: false };

it.each([
  ['ArrowRight', closed, { kind: 'open' }],
  ['ArrowRight', open, { kind: 'row', row: 4 }],
  ['ArrowRight', leaf, null],
  ['ArrowLeft', open, { kind: 'close' }],
  ['ArrowLeft', closed, { kind: 'parent' }],
  ['ArrowLeft', { ...open, row: 0 }, { kind: 'parent' }],
  ['ArrowDown', leaf, { kind: 'row', row: 4 }],
  ['ArrowUp', leaf, { kind: 'row', row: 2 }],
  ['PageDown', leaf, { kind: 'row', row: 7 }],
  ['Home', leaf, { kind: 'row', row: 0 }],
  ['End', leaf, { kind: 'row', row: 9 }],
  ['x', leaf, null],
] as const)('%s at %j', (key, place, move) => {
  expect(treeMove(key, place)).toEqual(move);
});
