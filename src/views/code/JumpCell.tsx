import type { LanePart } from '#analysis/code/jump-lanes.ts';
import styles from './JumpCell.module.css';

/** CSS pixels from lane to lane, and from the last to the text. */
const STEP = 7;
const HEAD = 10;

/** CSS pixels that `count` lanes take. */
export function lanesWidth(count: number): number {
  return count * STEP + HEAD;
}

type JumpCellProps = {
  readonly row: number;
  /** CSS pixels. */
  readonly height: number;
  /** How many lanes the listing has. */
  readonly count: number;
  readonly parts: readonly LanePart[];
  /** The row of the selected instruction, whose jumps are lit. */
  readonly lit: number | null;
};

/** The part of the jumps that stands beside one row. A picture: the text of the row says where it leads. */
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
