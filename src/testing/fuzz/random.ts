/** Pseudorandom numbers; a seed always gives the same sequence. */
export type Random = {
  /** Returns an integer from 0 to `below` - 1; 0 if `below` is less than 1. */
  readonly below: (below: number) => number;
  /** Returns true once in `n` calls on average. */
  readonly oneIn: (n: number) => boolean;
  /** Returns one of `values`. Throws `RangeError` if there are none. */
  readonly pick: <T>(values: ArrayLike<T>) => T;
};

/** Returns a Mulberry32 generator: 32 bits of state, enough to select mutations. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) => (limit < 1 ? 0 : next() % limit);
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) throw new RangeError('there is nothing to pick from');
      return value;
    },
  };
}
