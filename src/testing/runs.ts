/** True in the long test run, which sets BTFSCOPE_LONG. `npm test` tries a fifth of the inputs. */
export const isLong = process.env.BTFSCOPE_LONG !== undefined;

/** Time limit for tests of hostile input, in ms; quadratic code would take minutes. */
export const SOON = { timeout: 30_000 };

/** Returns the number of inputs for a property test: `count` in the long run, else a fifth. */
export function runs(count: number): number {
  return isLong ? count : Math.ceil(count / 5);
}
