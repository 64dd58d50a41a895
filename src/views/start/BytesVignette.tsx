import styles from './vignette.module.css';

const ROWS = [
  { offset: '0x0000', bytes: '61 11 00 00 00 00 00 00' },
  { offset: '0x0008', bytes: '18 02 00 00 08 00 00 00' },
  { offset: '0x0010', bytes: '00 00 00 00 00 00 00 00' },
  { offset: '0x0018', bytes: '85 10 00 00 ff ff ff ff' },
] as const;

const CELL = 26;
const LEFT = 74;
const TOP = 36;
const ROW = 22;

/** Rows of hex, with the bytes of a relocation marked and told. */
export function BytesVignette() {
  return (
    <svg viewBox="0 0 336 168" className={styles.drawing} aria-hidden="true" focusable="false">
      <g data-tone="reloc-2">
        <rect
          x={LEFT + 4 * CELL - 5}
          y={TOP + ROW - 14}
          width={4 * CELL}
          height="19"
          rx="4"
          className={styles.pill}
        />
        <path
          d={`M${LEFT + 8 * CELL - 5} ${TOP + ROW - 4}h22v${3 * ROW + 14}h-22`}
          className={styles.line}
        />
      </g>
      {ROWS.map(({ offset, bytes }, row) => (
        <g key={offset}>
          <text x="16" y={TOP + row * ROW} className={styles.quiet}>
            {offset}
          </text>
          {/* A given length, so that the mark fits in any font. */}
          <text x={LEFT} y={TOP + row * ROW} textLength={8 * CELL - 9}>
            {bytes}
          </text>
        </g>
      ))}
      <g data-tone="reloc-2">
        <rect x="16" y="120" width="261" height="34" rx="5" className={styles.pill} />
        <text x="26" y="134" className={styles.toned}>
          R_BPF_64_64
        </text>
        <text x="26" y="148" className={styles.toned}>
          S + A = .data + 8 → counts
        </text>
      </g>
    </svg>
  );
}
