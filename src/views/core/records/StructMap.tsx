import type { MemberRow } from '#analysis/layout/member-rows.ts';
import type { ScaleBox, ScaleStrip } from '#analysis/layout/scale.ts';
import { drawnName } from '#bytes/text.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { bitRange } from './bit-range.ts';
import styles from './StructMap.module.css';
import { type StructMap as Drawing, LINE_BYTES } from './struct-map.ts';

const BYTES = Array.from({ length: LINE_BYTES }, (_, byte) => byte);

type StructMapProps = {
  readonly map: Drawing;
  /** The struct as C spells it. Raw text. */
  readonly title: string;
  /** Bytes from the start of the access to this struct: the lines count from there. */
  readonly base: bigint;
};

/** A struct byte by byte, eight to a line, the picked member lit. The words beside it say the same. */
export function StructMap({ map, title, base }: StructMapProps) {
  return (
    <figure className={styles.figure}>
      <div role="img" aria-label={summary(map, title)} className="stack gap-hair">
        <div className="row gap-2 shrink">
          <span className={styles.offset} />
          <div className={styles.ruler}>
            {BYTES.map((byte) => (
              <span key={byte}>+{byte}</span>
            ))}
          </div>
        </div>
        {map.strips.map((strip) => (
          <Line key={strip.startByte} map={map} strip={strip} base={base} />
        ))}
      </div>
      <figcaption className={styles.caption}>
        {drawnName(title)}, {countOf(map.sizeBytes, 'byte')}
      </figcaption>
    </figure>
  );
}

type LineProps = {
  readonly map: Drawing;
  readonly strip: ScaleStrip;
  readonly base: bigint;
};

function Line({ map, strip, base }: LineProps) {
  if (strip.kind === 'left-out') {
    return (
      <div className="row gap-2 shrink">
        <span className={styles.offset}>⋮</span>
        <span className={styles.leftOut}>
          {countOf(strip.endByte - strip.startByte, 'byte')} not drawn
        </span>
      </div>
    );
  }
  return (
    <div className="row gap-2 shrink">
      <span className={styles.offset}>{hexText(base + BigInt(strip.startByte))}</span>
      <div className={styles.cells}>
        {strip.boxes.map((box) => {
          const row = map.rows[box.row];
          return row === undefined ? null : (
            <Cell key={box.row} box={box} row={row} isPicked={box.row === map.pickedRow} />
          );
        })}
      </div>
    </div>
  );
}

type CellProps = {
  readonly box: ScaleBox;
  readonly row: MemberRow;
  readonly isPicked: boolean;
};

function Cell({ box, row, isPicked }: CellProps) {
  const { kind, isBitfield } = row;
  const share = box.bits / (8 * LINE_BYTES);
  return (
    <span
      className={styles.cell}
      data-kind={kind}
      data-picked={isPicked}
      data-bits={isBitfield}
      data-anonymous={kind === 'member' && row.name === ''}
      style={{ width: `${100 * share}%` }}
      title={`${rowName(row)}: ${bitRange(row)}`}
    >
      {share < LEAST_SHARE_FOR_NAME || kind !== 'member' ? null : (
        <span className={styles.name}>
          {box.isRest ? '⋯ ' : ''}
          {row.name === '' ? '(anonymous)' : drawnName(row.name)}
        </span>
      )}
    </span>
  );
}

/** A name in less than six bits is three dots at best. */
const LEAST_SHARE_FOR_NAME = 6 / 64;

function rowName({ kind, name }: MemberRow): string {
  if (kind === 'hole') return 'a hole';
  if (kind === 'padding') return 'padding';
  return name === '' ? 'an anonymous member' : drawnName(name);
}

function summary({ rows, pickedRow }: Drawing, title: string): string {
  const picked = pickedRow === null ? undefined : rows[pickedRow];
  const what = `Layout of ${drawnName(title)}`;
  return picked === undefined ? what : `${what}: ${rowName(picked)} is at ${bitRange(picked)}`;
}
