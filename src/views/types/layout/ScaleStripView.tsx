import { memo } from 'react';
import type { MemberRow } from '#analysis/layout/member-rows.ts';
import type { ScaleBox, ScaleStrip } from '#analysis/layout/scale.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import { countOf, hexText } from '#views/parts/number-text.ts';
import { gapText } from '#views/types/gap-text.ts';
import { boxName, boxSize, boxStyle, boxTitle } from './box-text.ts';
import styles from './ScaleStripView.module.css';

/** Bytes of a cache line on all machines that pahole counts for. */
const CACHE_LINE = 64;

type ScaleStripViewProps = {
  readonly types: TypeTable;
  readonly rows: readonly MemberRow[];
  readonly strip: ScaleStrip;
  readonly lineBytes: number;
  /** Row of the selected member where this strip has a part of it; else null. */
  readonly selectedRow: number | null;
  /** Numbers of uppermost members that are marked. */
  readonly marked: ReadonlySet<number> | null;
  /** Of the element of row `n`: this and `n`. */
  readonly idPrefix: string;
};

/** One lane of one line of a drawing to scale: offset, boxes, and where a cache line begins. */
export const ScaleStripView = memo(function ScaleStripView(props: ScaleStripViewProps) {
  const { strip } = props;
  return strip.kind === 'bytes' ? (
    <Bytes {...props} strip={strip} />
  ) : (
    <LeftOut {...props} strip={strip} />
  );
});

type BytesProps = ScaleStripViewProps & { readonly strip: Extract<ScaleStrip, { kind: 'bytes' }> };

function Bytes(props: BytesProps) {
  const { strip, lineBytes, rows } = props;
  const isFirst = strip.lane === 0;
  const cacheLine = strip.startByte % CACHE_LINE === 0 ? strip.startByte / CACHE_LINE : null;
  return (
    <div
      className={styles.strip}
      data-first={isFirst}
      data-cacheline={isFirst && cacheLine !== null}
    >
      <span className={styles.offset}>{isFirst ? hexText(strip.startByte) : ''}</span>
      <span className={styles.boxes}>
        {strip.boxes.map((box) => {
          const row = rows[box.row];
          if (row === undefined) return null;
          const share = box.bits / (8 * lineBytes);
          const left = (box.startBit - 8 * strip.startByte) / (8 * lineBytes);
          const style = { left: `${100 * left}%`, width: `${100 * share}%` };
          return row.kind === 'member' ? (
            <MemberBox
              {...props}
              key={`${box.row}`}
              box={box}
              row={row}
              share={share}
              style={style}
            />
          ) : (
            <span
              key={box.row}
              data-box={box.row}
              className={styles.gap}
              style={style}
              title={boxTitle(props.types, row)}
            >
              {box.isRest || share < GAP_TEXT ? null : (
                <span className={styles.gapText}>{gapText(row)}</span>
              )}
            </span>
          );
        })}
      </span>
      <span className={styles.cacheline}>
        {isFirst && cacheLine !== null ? `line ${cacheLine}` : ''}
      </span>
    </div>
  );
}

/** Shares of the line under which there is room for no text, no letter, no hole's size, no type. */
const ANY_TEXT = 0.03;
const LETTER = 0.09;
const GAP_TEXT = 0.2;
const TYPE_TEXT = 0.45;

type MemberBoxProps = Omit<BytesProps, 'strip' | 'lineBytes'> & {
  readonly box: ScaleBox;
  readonly row: MemberRow;
  readonly share: number;
  readonly style: { readonly left: string; readonly width: string };
};

function MemberBox({
  types,
  box,
  row,
  share,
  style,
  selectedRow,
  marked,
  idPrefix,
}: MemberBoxProps) {
  const { tone, letter } = boxStyle(types, row);
  const look = {
    className: styles.box,
    style,
    title: boxTitle(types, row),
    'data-box': box.row,
    'data-tone': tone,
    'data-rest': box.isRest,
    'data-goes-on': box.goesOn,
    'data-empty': box.bits === 0,
    'data-open': row.isUnfolded,
    'data-bits': row.isBitfield,
    'data-selected': box.row === selectedRow,
    'data-marked': marked?.has(row.path[0] ?? -1) === true,
  };
  if (box.isRest) {
    return (
      <span {...look} aria-hidden="true">
        {share < ANY_TEXT ? null : <span className={styles.name}>⋯ {boxName(row)}</span>}
      </span>
    );
  }
  return (
    <span
      {...look}
      id={`${idPrefix}${box.row}`}
      role="option"
      aria-selected={box.row === selectedRow}
      aria-label={boxTitle(types, row)}
      tabIndex={-1}
    >
      {share < ANY_TEXT ? null : (
        <>
          {row.inner === null ? (
            share < LETTER ? null : (
              <span className={styles.letter}>{letter}</span>
            )
          ) : (
            <span className={styles.toggle} data-toggle={box.row}>
              {row.isUnfolded ? '▾' : '▸'}
            </span>
          )}
          <span className={styles.name}>
            {boxName(row)}
            {row.isBitfield ? `:${row.bitSize}` : ''}
          </span>
          {share < TYPE_TEXT ? null : (
            <span className={styles.type}>
              {drawnName(typeExpression(types, row.type))}
              {row.isBitfield ? '' : ` · ${boxSize(row)}`}
            </span>
          )}
        </>
      )}
    </span>
  );
}

function LeftOut({
  rows,
  strip,
}: ScaleStripViewProps & { readonly strip: Extract<ScaleStrip, { kind: 'left-out' }> }) {
  const row = strip.row === null ? undefined : rows[strip.row];
  const within =
    row === undefined ? '' : row.kind === 'member' ? ` of ${boxName(row)}` : ` of the ${row.kind}`;
  return (
    <div className={styles.strip} data-first>
      <span className={styles.offset}>⋮</span>
      <span className={styles.leftOut}>
        {countOf(strip.endByte - strip.startByte, 'byte')} more{within}, up to{' '}
        {hexText(strip.endByte)}
      </span>
    </div>
  );
}
