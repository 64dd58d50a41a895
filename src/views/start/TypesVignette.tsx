import type { Tone } from '#ui/tone.ts';
import styles from './vignette.module.css';

type Box = {
  readonly name: string;
  readonly tone: Tone | null;
  readonly row: number;
  readonly from: number;
  readonly bytes: number;
};

const LINES = ['struct conn {', '  u32 id;', '  void *peer;', '  u8 mac[6];', '  u16 port;', '};'];

const BOXES: readonly Box[] = [
  { name: 'id', tone: 'kind-int', row: 0, from: 0, bytes: 4 },
  { name: 'hole', tone: null, row: 0, from: 4, bytes: 4 },
  { name: 'peer', tone: 'kind-ptr', row: 1, from: 0, bytes: 8 },
  { name: 'mac', tone: 'kind-array', row: 2, from: 0, bytes: 6 },
  { name: 'port', tone: 'kind-int', row: 2, from: 6, bytes: 2 },
];

const CELL = 20;
const LEFT = 158;

/** A declaration, and beside it its layout in rows of eight bytes. */
export function TypesVignette() {
  return (
    <svg viewBox="0 0 336 168" className={styles.drawing} aria-hidden="true" focusable="false">
      <rect x="10" y="50" width="112" height="18" rx="3" className={styles.lit} />
      {LINES.map((line, index) => (
        <text key={line} x="16" y={45 + index * 18} xmlSpace="preserve">
          {line}
        </text>
      ))}
      {[0, 4, 8].map((byte) => (
        <text
          key={byte}
          x={LEFT + byte * CELL}
          y="32"
          className={`${styles.quiet} ${styles.middle}`}
        >
          {byte}
        </text>
      ))}
      {BOXES.map(({ name, tone, row, from, bytes }) => {
        const x = LEFT + from * CELL;
        const y = 40 + row * 34;
        return (
          <g key={name} data-tone={tone ?? 'muted'}>
            <rect
              x={x + 1}
              y={y}
              width={bytes * CELL - 2}
              height="28"
              rx="3"
              className={tone === null ? styles.hole : styles.box}
            />
            <text
              x={x + (bytes * CELL) / 2}
              y={y + 18}
              className={`${tone === null ? styles.quiet : styles.toned} ${styles.middle}`}
            >
              {name}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
