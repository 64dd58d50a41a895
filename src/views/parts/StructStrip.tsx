import { type MouseEvent, memo, type PointerEvent } from 'react';
import type { MemberRow } from '#analysis/layout/member-rows.ts';
import type { ScaleBox, ScaleStrip } from '#analysis/layout/scale.ts';
import { BASE_CLASS, typeText } from '#analysis/source/type-text.ts';
import type { LayoutRow } from '#analysis/types/struct-layout.ts';
import { counted, drawnName, hexText, visible } from '#bytes/text.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { grouped } from '#ui/grouped.ts';
import { kindStyle } from './KindBadge.tsx';
import { widthText } from './layout-text.ts';
import { countOf } from './number-text.ts';
import { offsetCell } from './Offset.tsx';
import styles from './StructStrip.module.css';

/** Bytes of a cache line, as pahole assumes. */
const CACHE_LINE = 64;

/** `data-` attributes that one view sets on the box of a member. */
type BoxData = { readonly [name: `data-${string}`]: string | boolean | undefined };

/** Properties that all strips of one drawing share. */
type Drawing = {
  readonly types: TypeTable;
  readonly rows: readonly MemberRow[];
  readonly lineBytes: number;
  readonly selectedRow: number | null;
  /** Indices of marked members of the struct. The members inside of them are marked too. */
  readonly marked?: ReadonlySet<number> | null;
  /** Offset of the struct in bytes. It is added to the offsets of the lines. */
  readonly base?: bigint;
  readonly dataOf?: (row: MemberRow) => BoxData;
};

type StructDrawingProps = Drawing & {
  readonly strips: readonly ScaleStrip[];
  /** Accessible name. Without it, screen readers skip the drawing: a table has the same content. */
  readonly label?: string;
  readonly hasRuler?: boolean;
  readonly onSelect?: (row: MemberRow) => void;
  /** Called with the member under the pointer, and with null when the pointer leaves. */
  readonly onPoint?: (row: MemberRow | null) => void;
};

/** Shows a small struct to scale, all lines at once. */
export function StructDrawing(props: StructDrawingProps) {
  const { strips, label, hasRuler = false, onSelect, onPoint, ...drawing } = props;
  const memberUnder = (target: EventTarget) => {
    const row = drawing.rows[rowUnder(target) ?? -1];
    return row?.kind === 'member' ? row : undefined;
  };
  const drawn = (
    <div
      className={styles.drawing}
      aria-hidden="true"
      onClick={(event: MouseEvent) => {
        const row = memberUnder(event.target);
        if (row !== undefined) onSelect?.(row);
      }}
      onPointerOver={(event: PointerEvent) => {
        const row = memberUnder(event.target);
        if (row !== undefined) onPoint?.(row);
      }}
      onPointerLeave={() => onPoint?.(null)}
    >
      {hasRuler ? <StructRuler lineBytes={drawing.lineBytes} height={20} /> : null}
      {strips.map((strip) => (
        <div key={stripKey(strip)} className={styles.line}>
          <StructStrip {...drawing} strip={strip} />
        </div>
      ))}
    </div>
  );
  return label === undefined ? (
    drawn
  ) : (
    <div role="img" aria-label={label}>
      {drawn}
    </div>
  );
}

function stripKey(strip: ScaleStrip): string {
  return strip.kind === 'bytes' ? `${strip.startByte}:${strip.lane}` : `${strip.startByte}:more`;
}

type StructStripProps = Drawing & {
  readonly strip: ScaleStrip;
  /** Prefix of the ids of the boxes. If it is set, the boxes are options of a list box. */
  readonly idPrefix?: string;
};

/** Shows one lane of a line: its offset, its boxes, and the number of a beginning cache line. */
export const StructStrip = memo(function StructStrip(props: StructStripProps) {
  const { strip } = props;
  return strip.kind === 'bytes' ? (
    <Bytes {...props} strip={strip} />
  ) : (
    <LeftOut {...props} strip={strip} />
  );
});

type BytesProps = StructStripProps & { readonly strip: Extract<ScaleStrip, { kind: 'bytes' }> };

function Bytes(props: BytesProps) {
  const { strip, lineBytes, rows, base = 0n } = props;
  const isFirst = strip.lane === 0;
  const cacheLine = strip.startByte % CACHE_LINE === 0 ? strip.startByte / CACHE_LINE : null;
  return (
    <div
      className={styles.strip}
      data-first={isFirst}
      data-cacheline={isFirst && cacheLine !== null}
    >
      <span className={styles.offset}>
        {isFirst ? offsetCell(base + BigInt(strip.startByte)) : ''}
      </span>
      <span className={styles.boxes}>
        {strip.boxes.map((box) => {
          const row = rows[box.row];
          if (row === undefined) return null;
          const share = box.bits / (8 * lineBytes);
          const left = (box.startBit - 8 * strip.startByte) / (8 * lineBytes);
          const style = { left: `${100 * left}%`, width: `${100 * share}%` };
          return row.kind === 'member' ? (
            <MemberBox {...props} key={box.row} box={box} row={row} share={share} style={style} />
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

/** Share of a line from which a box shows, in order: any text, a letter, a hole's size, a type. */
const ANY_TEXT = 0.03;
const LETTER = 0.09;
const GAP_TEXT = 0.2;
const TYPE_TEXT = 0.45;

type MemberBoxProps = StructStripProps & {
  readonly box: ScaleBox;
  readonly row: MemberRow;
  readonly share: number;
  readonly style: { readonly left: string; readonly width: string };
};

function MemberBox(props: MemberBoxProps) {
  const { types, box, row, share, style, selectedRow, marked, idPrefix, dataOf } = props;
  const { tone, letter } = kindStyle(kindOf(types, skipModifiers(types, row.type)));
  const isSelected = box.row === selectedRow;
  const look = {
    className: styles.box,
    style,
    title: boxTitle(types, row),
    'data-box': box.row,
    'data-tone': tone,
    'data-rest': box.isRest,
    'data-empty': box.bits === 0,
    'data-open': row.isUnfolded,
    'data-bits': row.isBitfield,
    'data-selected': isSelected,
    'data-marked': marked?.has(row.path[0] ?? -1) === true,
    ...dataOf?.(row),
  };
  if (box.isRest) {
    return (
      <span {...look} aria-hidden="true">
        {share < ANY_TEXT ? null : <span className={styles.name}>⋯ {boxName(row)}</span>}
      </span>
    );
  }
  const option =
    idPrefix === undefined
      ? {}
      : {
          id: `${idPrefix}${box.row}`,
          role: 'option',
          'aria-selected': isSelected,
          'aria-label': boxTitle(types, row),
          tabIndex: -1,
        };
  return (
    <span {...look} {...option}>
      {share < ANY_TEXT ? null : (
        <>
          {row.inner === null || idPrefix === undefined ? (
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
              {drawnName(typeText(types, row.type))}
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
  base = 0n,
}: StructStripProps & { readonly strip: Extract<ScaleStrip, { kind: 'left-out' }> }) {
  const row = strip.row === null ? undefined : rows[strip.row];
  const within =
    row === undefined ? '' : row.kind === 'member' ? ` of ${boxName(row)}` : ` of the ${row.kind}`;
  return (
    <div className={styles.strip} data-first>
      <span className={styles.offset}>⋮</span>
      <span className={styles.leftOut}>
        {countOf(strip.endByte - strip.startByte, 'byte')} more{within}, up to{' '}
        {offsetCell(base + BigInt(strip.endByte))}
      </span>
    </div>
  );
}

/** Shows labels above the byte columns. `height` is in CSS pixels. */
export function StructRuler(props: { readonly lineBytes: number; readonly height: number }) {
  const { lineBytes, height } = props;
  const step = lineBytes > 16 ? 8 : 1;
  const bytes = Array.from({ length: lineBytes / step }, (_, i) => i * step);
  return (
    <div className={styles.ruler} style={{ height }} aria-hidden="true">
      <span />
      <span
        className="grid"
        style={{ gridTemplateColumns: `repeat(${bytes.length}, minmax(0, 1fr))` }}
      >
        {bytes.map((byte) => (
          <span key={byte} className={styles.byte}>
            +{byte.toString(16)}
          </span>
        ))}
      </span>
    </div>
  );
}

/** Returns the row of the box in which the event occurred; null outside of boxes. */
export function rowUnder(target: EventTarget): number | null {
  return numberUnder(target, 'data-box');
}

/** Returns the row whose unfold sign was clicked; null if the event is elsewhere. */
export function toggleUnder(target: EventTarget): number | null {
  return numberUnder(target, 'data-toggle');
}

function numberUnder(target: EventTarget, attribute: string): number | null {
  if (!(target instanceof Element)) return null;
  const text = target.closest(`[${attribute}]`)?.getAttribute(attribute) ?? null;
  return text === null ? null : Number(text);
}

const MAX_NAME = 200;

/** Returns the name of a member, escaped; `(anon)` or `base class` for one without a name. */
function boxName(row: MemberRow): string {
  return visible(row.name.slice(0, MAX_NAME)) || (row.isBase ? BASE_CLASS : '(anon)');
}

/** Returns a bit offset as a text: `0x5c (byte 92, bit 3)`. */
export function longPlaceText(bitOffset: number): string {
  const bit = bitOffset % 8;
  const byte = (bitOffset - bit) / 8;
  return `${hexText(byte)} (byte ${grouped(byte)}${bit === 0 ? '' : `, bit ${bit}`})`;
}

/** Returns the size of a member: `4 bytes`, `3 bits`. */
export function boxSize(row: MemberRow): string {
  return row.isBitfield ? counted(row.bitSize, 'bit') : widthText(row.bitSize);
}

/** Returns the tooltip of a box: `tgid at 0x5c (byte 92), 4 bytes, pid_t`. */
export function boxTitle(types: TypeTable, row: MemberRow): string {
  const place = longPlaceText(row.bitOffset);
  if (row.kind !== 'member') return `${gapText(row)} at ${place}`;
  const type = visible(typeText(types, row.type));
  return `${boxName(row)} at ${place}, ${boxSize(row)}, ${type}`;
}

/** Describes a row that is not a member: `4-byte hole`, `24 bits of padding`. */
export function gapText(row: LayoutRow): string {
  if (row.kind === 'padding') return `${widthText(row.bitSize)} of padding`;
  return row.bitSize % 8 === 0 ? `${row.bitSize / 8}-byte hole` : `${row.bitSize}-bit hole`;
}
