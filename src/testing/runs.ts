/**
 * True if the long run has set BTFSCOPE_LONG. `npm test` tries a fifth of the inputs of property
 * tests.
 */
export const isLong = process.env.BTFSCOPE_LONG !== undefined;

/** Timeout for tests that hostile input is read fast, in ms: quadratic code takes minutes. */
export const SOON = { timeout: 30_000 };

/** Returns the number of inputs of a property test; `count` is the number in the long run. */
export function runs(count: number): number {
  return isLong ? count : Math.ceil(count / 5);
}
