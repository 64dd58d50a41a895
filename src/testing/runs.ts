/** Does the long run set BTFSCOPE_LONG? Property tests of `npm test` try a fifth as many inputs. */
export const isLong = process.env.BTFSCOPE_LONG !== undefined;

/** Timeout of tests that hostile input is read fast: quadratic code takes minutes. */
export const SOON = { timeout: 30_000 };

/** Returns the number of inputs of a property test; `count` is that of the long run. */
export function runs(count: number): number {
  return isLong ? count : Math.ceil(count / 5);
}
