/** How often property tests try: `npm test` a fifth as often as `npm run test:long`, which sets BTFSCOPE_LONG. */
const isLong = process.env.BTFSCOPE_LONG !== undefined;

/** How many inputs a property test tries, of the count that the long run tries. */
export function runs(count: number): number {
  return isLong ? count : Math.ceil(count / 5);
}
