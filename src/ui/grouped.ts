// Narrow no-break space between groups of digits.
const GROUP = '\u202f';

/** Returns decimal digits in groups of three, such as `126 572`. */
export function grouped(value: number | bigint): string {
  return `${value}`.replace(/\B(?=(\d{3})+$)/g, GROUP);
}
