/** How often property tests try: `npm test` a fifth as often as `npm run test:long`, which sets BTFSCOPE_LONG. */
export const isLong = process.env.BTFSCOPE_LONG !== undefined;

/** For tests that hostile input is read soon: what grows with the square of its size takes minutes. */
export const SOON = { timeout: 30_000 };

/** How many inputs a property test tries, of the count that the long run tries. */
export function runs(count: number): number {
  return isLong ? count : Math.ceil(count / 5);
}
