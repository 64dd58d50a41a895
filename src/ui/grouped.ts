// Narrow no-break space: a number stays on one line.
const GROUP = '\u202f';

/** Returns decimal digits in groups of three: `126 572`. */
export function grouped(value: number | bigint): string {
  return `${value}`.replace(/\B(?=(\d{3})+$)/g, GROUP);
}
