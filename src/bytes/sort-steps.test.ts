import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortSteps } from './sort-steps.ts';
import { finish } from './steps.ts';

describe('sortSteps', () => {
  it('sorts as Array.sort does, equal rows in the order in which they came', () => {
    const keys = fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 200 });
    fc.assert(
      fc.property(keys, fc.boolean(), (key, isFalling) => {
        const sign = isFalling ? -1 : 1;
        const compare = (a: number, b: number) => sign * ((key[a] ?? 0) - (key[b] ?? 0));
        const rows = key.map((_, i) => i);
        const sorted = finish(sortSteps(Uint32Array.from(rows), compare));
        expect([...sorted]).toEqual(rows.toSorted(compare));
      }),
    );
  });

  it('gives back what is in order already, and rests on the way', () => {
    const rows = Uint32Array.from({ length: 5000 }, (_, i) => i);
    const steps = sortSteps(rows, (a, b) => a - b);
    expect(steps.next()).toEqual({ done: false, value: undefined });
    expect(finish(steps)).toBe(rows);
  });

  it('changes nothing in what it was given', () => {
    const rows = Uint32Array.from([2, 0, 1]);
    expect([...finish(sortSteps(rows, (a, b) => a - b))]).toEqual([0, 1, 2]);
    expect([...rows]).toEqual([2, 0, 1]);
  });
});
