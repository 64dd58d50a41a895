import { describe, expect, it } from 'vitest';
import { rowAfterKey } from './list-keys.ts';

describe('rowAfterKey', () => {
  it.each([
    ['ArrowDown', 5, 6],
    ['ArrowUp', 5, 4],
    ['PageDown', 5, 15],
    ['PageUp', 5, 0],
    ['Home', 5, 0],
    ['End', 5, 99],
    ['ArrowDown', 99, 99],
    ['ArrowUp', 0, 0],
    ['ArrowDown', null, 0],
    ['ArrowUp', null, 99],
    ['x', 5, null],
  ])('%s from %s goes to %s', (key, from, to) => {
    expect(rowAfterKey(key, from, 100, 10)).toBe(to);
  });

  it('goes nowhere without rows', () => {
    expect(rowAfterKey('Home', null, 0, 10)).toBeNull();
  });
});
