import { visible } from '#bytes/text.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { bitRange } from './bit-range.ts';
import styles from './StructMap.module.css';
import type { StructMap as Drawing, MapCell, MapLine } from './struct-map.ts';

const BYTES = [0, 1, 2, 3, 4, 5, 6, 7];

/** A struct byte by byte, eight to a line, the picked member lit. The words beside it say the same. */
export function StructMap({
  map,
  title,
  base,
}: {
  readonly map: Drawing;
  /** The struct as C spells it. Raw text. */
  readonly title: string;
  /** Bytes from the start of the access to this struct: the lines count from there. */
  readonly base: bigint;
}) {
  return (
    <figure className={styles.figure}>
      <div role="img" aria-label={summary(map, title)} className={styles.map}>
        <div className={styles.line}>
          <span className={styles.offset} />
          <div className={styles.ruler}>
            {BYTES.map((byte) => (
              <span key={byte}>+{byte}</span>
            ))}
          </div>
        </div>
        {map.lines.map((line) => (
          <Line key={line.startByte} line={line} base={base} />
        ))}
      </div>
      <figcaption className={styles.caption}>
        {visible(title)}, {countOf(map.sizeBytes, 'byte')}
      </figcaption>
    </figure>
  );
}

function Line({ line, base }: { readonly line: MapLine; readonly base: bigint }) {
  const start = hexText(base + BigInt(line.startByte));
  if (line.kind === 'left-out') {
    return (
      <div className={styles.line}>
        <span className={styles.offset}>⋮</span>
        <span className={styles.leftOut}>
          {countOf(line.endByte - line.startByte, 'byte')} not drawn
        </span>
      </div>
    );
  }
  return (
    <div className={styles.line}>
      <span className={styles.offset}>{start}</span>
      <div className={styles.cells}>
        {line.cells.map((cell) => (
          <Cell key={cell.key} cell={cell} />
        ))}
      </div>
    </div>
  );
}

function Cell({ cell }: { readonly cell: MapCell }) {
  const { kind, name, isRest, isPicked, isBitfield, share } = cell;
  return (
    <span
      className={styles.cell}
      data-kind={kind}
      data-picked={isPicked}
      data-bits={isBitfield}
      data-anonymous={kind === 'member' && name === ''}
      style={{ width: `${100 * share}%` }}
      title={`${cellName(cell)}: ${bitRange(cell)}`}
    >
      {share < LEAST_SHARE_FOR_NAME || kind !== 'member' ? null : (
        <span className={styles.name}>
          {isRest ? '⋯ ' : ''}
          {cellText(cell)}
        </span>
      )}
    </span>
  );
}

/** A name in less than six bits is three dots at best. */
const LEAST_SHARE_FOR_NAME = 6 / 64;

function cellText({ name }: MapCell): string {
  return name === '' ? '(anonymous)' : visible(name);
}

function cellName({ kind, name }: MapCell): string {
  if (kind === 'hole') return 'a hole';
  if (kind === 'padding') return 'padding';
  return name === '' ? 'an anonymous member' : visible(name);
}

function summary({ lines }: Drawing, title: string): string {
  const cells = lines.flatMap((line) => (line.kind === 'bytes' ? line.cells : []));
  const picked = cells.find((cell) => cell.isPicked);
  const what = `Layout of ${visible(title)}`;
  return picked === undefined ? what : `${what}: ${cellName(picked)} is at ${bitRange(picked)}`;
}
