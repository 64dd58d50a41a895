import styles from './vignette.module.css';

const STEPS = [
  { index: '0', name: 'struct inode', tone: 'kind-composite', means: 'this object' },
  { index: '15', name: '.i_atime', tone: 'kind-composite', means: 'member 15' },
  { index: '0', name: '.tv_sec', tone: 'kind-int', means: 'member 0' },
] as const;

const WIDTH = 96;
const GAP = 104;
const LEFT = 16;

/** An access string whose numbers each lead to a step on the types. */
export function CoreVignette() {
  return (
    <svg viewBox="0 0 336 168" className={styles.drawing} aria-hidden="true" focusable="false">
      {STEPS.map(({ index, name, tone, means }, step) => {
        const middle = LEFT + step * GAP + WIDTH / 2;
        return (
          <g key={name}>
            <g data-tone="reloc-3">
              <rect x={middle - 17} y="22" width="34" height="24" rx="5" className={styles.pill} />
              <text x={middle} y="38" className={`${styles.toned} ${styles.middle}`}>
                {index}
              </text>
              <path d={`M${middle} 46v26`} className={styles.line} />
            </g>
            {step === 0 ? null : (
              <text x={middle - GAP / 2} y="38" className={`${styles.quiet} ${styles.middle}`}>
                :
              </text>
            )}
            <g data-tone={tone}>
              <rect
                x={middle - WIDTH / 2}
                y="72"
                width={WIDTH}
                height="28"
                rx="4"
                className={styles.box}
              />
              <text x={middle} y="90" className={`${styles.toned} ${styles.middle}`}>
                {name}
              </text>
              {step === 0 ? null : (
                <path
                  d={`M${middle - GAP + WIDTH / 2} 86h${GAP - WIDTH}`}
                  className={styles.line}
                />
              )}
            </g>
            <text x={middle} y="116" className={`${styles.quiet} ${styles.middle}`}>
              {means}
            </text>
          </g>
        );
      })}
      <line x1="16" y1="130" x2="320" y2="130" className={styles.rule} />
      <text x="16" y="150" className={styles.quiet}>
        byte_off
      </text>
      <text x="320" y="150" textAnchor="end">
        0:15:0 @ offset 88
      </text>
    </svg>
  );
}
