// Narrow and no-break: a number is never torn at the end of a line.
const GROUP = '\u202f';

/** Decimal digits in groups of three: `126 572`. */
export function grouped(value: number | bigint): string {
  return `${value}`.replace(/\B(?=(\d{3})+$)/g, GROUP);
}
