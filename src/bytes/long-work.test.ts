import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Derived, finish, isRest, Run, type Steps, sortSteps } from './long-work.ts';

function* sum(count: number): Steps<number> {
  let total = 0;
  for (let i = 0; i < count; i++) {
    if (isRest(i)) yield;
    total += i;
  }
  return total;
}

const TOTAL = (10_000 * 9_999) / 2;

describe('Run', () => {
  it('does small work in one go, however short the slice', () => {
    const run = new Run(sum(1000));
    expect(run.result).toBeNull();
    run.advance(0);
    expect(run.result).toEqual({ value: (1000 * 999) / 2 });
  });

  it('returns the same result in slices as in one go', () => {
    const run = new Run(sum(10_000));
    let pieces = 0;
    for (; run.result === null; pieces++) run.advance(0);
    expect(pieces).toBeGreaterThan(5);
    expect(run.result).toEqual({ value: TOTAL });
    expect(finish(sum(10_000))).toBe(TOTAL);
  });

  it('can be finished after some slices, and stays finished', () => {
    const run = new Run(sum(10_000));
    run.advance(0);
    expect(run.finish()).toBe(TOTAL);
    run.advance(0);
    expect(run.finish()).toBe(TOTAL);
  });
});

it('can be joined by other work', () => {
  const run = new Run(sum(10_000));
  const twice = new Run(
    (function* (): Steps<number> {
      return 2 * (yield* run.join());
    })(),
  );
  twice.advance(0);
  expect(twice.finish()).toBe(2 * TOTAL);
  expect(run.result).toEqual({ value: TOTAL });
});

describe('Derived', () => {
  it('does the work once for all callers', () => {
    let begun = 0;
    const derived = new Derived(function* ({ count }: { readonly count: number }): Steps<number> {
      begun++;
      return yield* sum(count);
    });
    const of = { count: 10_000 };
    const run = derived.runOf(of);
    run.advance(0);
    expect(run.result).toBeNull();
    expect(derived.of(of)).toBe(TOTAL);
    expect(run.result).toEqual({ value: TOTAL });
    expect(derived.runOf(of)).toBe(run);
    expect(begun).toBe(1);
    expect(derived.of({ count: 3 })).toBe(3);
  });
});

describe('sortSteps', () => {
  it('sorts as Array.sort does, and keeps the order of equal rows', () => {
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

  it('returns sorted input unchanged, and pauses between slices', () => {
    const rows = Uint32Array.from({ length: 5000 }, (_, i) => i);
    const steps = sortSteps(rows, (a, b) => a - b);
    expect(steps.next()).toEqual({ done: false, value: undefined });
    expect(finish(steps)).toBe(rows);
  });

  it('does not change its input', () => {
    const rows = Uint32Array.from([2, 0, 1]);
    expect([...finish(sortSteps(rows, (a, b) => a - b))]).toEqual([0, 1, 2]);
    expect([...rows]).toEqual([2, 0, 1]);
  });
});
