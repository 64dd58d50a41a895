import type { ReactNode } from 'react';
import { classNames } from '#ui/class-names.ts';
import type { Tone } from '#ui/tone.ts';
import { StartSection } from './StartSection.tsx';
import styles from './Vignettes.module.css';

/** Shows small pictures of the features. */
export function Vignettes() {
  return (
    <StartSection title="Features">
      <div className={styles.grid}>
        <Vignette
          drawing={<Types />}
          title="Types in memory"
          text="Declarations as bpftool prints them, the layout byte by byte with its holes, and the references."
        />
        <Vignette
          drawing={<Bytes />}
          title="Every byte explained"
          text="Relocations at their width, the formula with its numbers, and the patched instruction."
        />
        <Vignette
          drawing={<Core />}
          title="CO-RE, step by step"
          text="The meaning of each number of an access string, on the types the program was compiled with."
        />
        <Vignette
          drawing={<Panes />}
          title="Two views side by side"
          text="A member selected in Types is selected in Bytes. Shift and the number of a tab opens its view beside."
        />
      </div>
    </StartSection>
  );
}

function Vignette(props: {
  readonly drawing: ReactNode;
  readonly title: string;
  readonly text: string;
}) {
  return (
    <div>
      <div className={styles.frame}>
        <svg viewBox="0 0 336 168" className={styles.drawing} aria-hidden="true" focusable="false">
          {props.drawing}
        </svg>
      </div>
      <h3 className={styles.title}>{props.title}</h3>
      <p className={styles.text}>{props.text}</p>
    </div>
  );
}

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

const QUIET_MIDDLE = classNames(styles.quiet, styles.middle);
const TONED_MIDDLE = classNames(styles.toned, styles.middle);

const BOX_CELL = 20;
const BOX_LEFT = 158;

/** Shows a declaration and its layout in rows of eight bytes. */
function Types() {
  return (
    <>
      <rect x="10" y="50" width="112" height="18" rx="3" className={styles.lit} />
      {LINES.map((line, index) => (
        <text key={line} x="16" y={45 + index * 18} xmlSpace="preserve">
          {line}
        </text>
      ))}
      {[0, 4, 8].map((byte) => (
        <text key={byte} x={BOX_LEFT + byte * BOX_CELL} y="32" className={QUIET_MIDDLE}>
          {byte}
        </text>
      ))}
      {BOXES.map(({ name, tone, row, from, bytes }) => {
        const x = BOX_LEFT + from * BOX_CELL;
        const y = 40 + row * 34;
        return (
          <g key={name} data-tone={tone ?? 'muted'}>
            <rect
              x={x + 1}
              y={y}
              width={bytes * BOX_CELL - 2}
              height="28"
              rx="3"
              className={tone === null ? styles.hole : styles.box}
            />
            <text
              x={x + (bytes * BOX_CELL) / 2}
              y={y + 18}
              className={tone === null ? QUIET_MIDDLE : TONED_MIDDLE}
            >
              {name}
            </text>
          </g>
        );
      })}
    </>
  );
}

const ROWS = [
  { offset: '0x0000', bytes: '61 11 00 00 00 00 00 00' },
  { offset: '0x0008', bytes: '18 02 00 00 08 00 00 00' },
  { offset: '0x0010', bytes: '00 00 00 00 00 00 00 00' },
  { offset: '0x0018', bytes: '85 10 00 00 ff ff ff ff' },
] as const;

const HEX_CELL = 26;
const HEX_LEFT = 74;
const HEX_TOP = 36;
const HEX_ROW = 22;

/** Shows rows of hex bytes with a marked relocation. */
function Bytes() {
  return (
    <>
      <g data-tone="reloc-2">
        <rect
          x={HEX_LEFT + 4 * HEX_CELL - 5}
          y={HEX_TOP + HEX_ROW - 14}
          width={4 * HEX_CELL}
          height="19"
          rx="4"
          className={styles.pill}
        />
        <path
          d={`M${HEX_LEFT + 8 * HEX_CELL - 5} ${HEX_TOP + HEX_ROW - 4}h22v${3 * HEX_ROW + 14}h-22`}
          className={styles.line}
        />
      </g>
      {ROWS.map(({ offset, bytes }, row) => (
        <g key={offset}>
          <text x="16" y={HEX_TOP + row * HEX_ROW} className={styles.quiet}>
            {offset}
          </text>
          {/* `textLength` fixes the width of the bytes, so that the mark fits in any font. */}
          <text x={HEX_LEFT} y={HEX_TOP + row * HEX_ROW} textLength={8 * HEX_CELL - 9}>
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
    </>
  );
}

const PANE_ROWS = ['0b 00 00 04', '56 01 00 00', '18 00 00 00', 'c0 00 00 00'];

/** Shows a declaration and bytes in two panes, with the same member marked. */
function Panes() {
  return (
    <>
      <path d="M0 32h336M168 0v168" className={styles.rule} />
      <text x="16" y="21">
        Types
      </text>
      <text x="184" y="21">
        Bytes
      </text>
      <rect x="10" y="76" width="148" height="18" rx="3" className={styles.lit} />
      <rect x="178" y="76" width="148" height="18" rx="3" className={styles.lit} />
      {LINES.slice(0, 5).map((line, index) => (
        <text key={line} x="16" y={53 + index * 18} xmlSpace="preserve">
          {line}
        </text>
      ))}
      {PANE_ROWS.map((bytes, row) => (
        <text key={bytes} x="184" y={71 + row * 18}>
          {bytes}
        </text>
      ))}
    </>
  );
}

const STEPS = [
  { index: '0', name: 'struct inode', tone: 'kind-composite', means: 'this object' },
  { index: '15', name: '.i_atime', tone: 'kind-composite', means: 'member 15' },
  { index: '0', name: '.tv_sec', tone: 'kind-int', means: 'member 0' },
] as const;

const STEP_WIDTH = 96;
const STEP_GAP = 104;
const STEP_LEFT = 16;

/** Shows an access string with the meaning of each index. */
function Core() {
  return (
    <>
      {STEPS.map(({ index, name, tone, means }, step) => {
        const middle = STEP_LEFT + step * STEP_GAP + STEP_WIDTH / 2;
        return (
          <g key={name}>
            <g data-tone="reloc-3">
              <rect x={middle - 17} y="22" width="34" height="24" rx="5" className={styles.pill} />
              <text x={middle} y="38" className={TONED_MIDDLE}>
                {index}
              </text>
              <path d={`M${middle} 46v26`} className={styles.line} />
            </g>
            {step === 0 ? null : (
              <text x={middle - STEP_GAP / 2} y="38" className={QUIET_MIDDLE}>
                :
              </text>
            )}
            <g data-tone={tone}>
              <rect
                x={middle - STEP_WIDTH / 2}
                y="72"
                width={STEP_WIDTH}
                height="28"
                rx="4"
                className={styles.box}
              />
              <text x={middle} y="90" className={TONED_MIDDLE}>
                {name}
              </text>
              {step === 0 ? null : (
                <path
                  d={`M${middle - STEP_GAP + STEP_WIDTH / 2} 86h${STEP_GAP - STEP_WIDTH}`}
                  className={styles.line}
                />
              )}
            </g>
            <text x={middle} y="116" className={QUIET_MIDDLE}>
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
    </>
  );
}
