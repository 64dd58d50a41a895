import type { LanePart } from '#analysis/code/jump-lanes.ts';
import styles from './JumpCell.module.css';

/** CSS pixels between two lanes, and from the last lane to the text. */
const STEP = 7;
const HEAD = 10;

/** Returns the width of `count` lanes in CSS pixels. */
export function lanesWidth(count: number): number {
  return count * STEP + HEAD;
}

type JumpCellProps = {
  readonly row: number;
  /** CSS pixels. */
  readonly height: number;
  /** Number of lanes. */
  readonly count: number;
  readonly parts: readonly LanePart[];
  /** Row of the selected instruction, whose jumps are highlighted. */
  readonly lit: number | null;
};

/** Jump arrows beside one row. Hidden from screen readers: the text of the row names the target. */
export function JumpCell({ row, height, count, parts, lit }: JumpCellProps) {
  const width = lanesWidth(count);
  const middle = height / 2;
  return (
    <svg className={styles.jumps} width={width} height={height} aria-hidden>
      {parts.toReversed().map(({ lane, from, to }) => {
        const x = (count - lane - 0.5) * STEP;
        const isEnd = row === from || row === to;
        const isUp = row === Math.max(from, to);
        const isDown = row === Math.min(from, to);
        return (
          <g key={lane} className={from === lit || to === lit ? styles.lit : undefined}>
            <path
              d={`M${x} ${isDown ? middle : 0}V${isUp ? middle : height}${isEnd ? `M${x} ${middle}H${width - 2}` : ''}`}
            />
            {row === to ? (
              <path className={styles.head} d={`M${width} ${middle}l-6 -3.5v7z`} />
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}
