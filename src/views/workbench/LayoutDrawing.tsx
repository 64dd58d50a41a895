import type { MouseEvent, PointerEvent } from 'react';
import { type MemberRow, pathKey, rowOfPath } from '#analysis/layout/member-rows.ts';
import type { Scale, ScaleBox, ScaleStrip } from '#analysis/layout/scale.ts';
import { typeExpression } from '#analysis/types/type-name.ts';
import { type Changes, changeOfItem } from '#analysis/workbench/changes.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { typeSelection } from '#model/selection.ts';
import { kindOf, skipModifiers, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/navigation.ts';
import { scrollRegion } from '#ui/scroll-region.ts';
import { kindStyle } from '#views/parts/kind-style.ts';
import { countOf, hexText, widthText } from '#views/parts/number-text.ts';
import styles from './LayoutDrawing.module.css';
import type { Pointed } from './subject.ts';

type LayoutDrawingProps = {
  readonly types: TypeTable;
  readonly composite: TypeId;
  readonly rows: readonly MemberRow[];
  readonly scale: Scale;
  readonly memberPath: readonly number[];
  readonly changes: Changes | null;
  readonly pointed: Pointed | null;
  readonly onPoint: (pointed: Pointed | null) => void;
};

/** Members as boxes of their width. For the eye and the pointer: the list of records says the same to the keyboard. */
export function LayoutDrawing(props: LayoutDrawingProps) {
  const { composite, rows, scale, memberPath, onPoint } = props;
  const rowUnder = (event: PointerEvent | MouseEvent) => {
    const target = event.target instanceof Element ? event.target.closest('[data-box]') : null;
    return rows[Number(target?.getAttribute('data-box') ?? -1)];
  };
  const onPointerOver = (event: PointerEvent) => {
    const row = rowUnder(event);
    if (row?.kind === 'member')
      onPoint({ kind: 'record', type: composite, item: row.path[0] ?? null });
  };
  const onClick = (event: MouseEvent) => {
    const row = rowUnder(event);
    if (row?.kind === 'member') select(typeSelection(composite, row.path));
  };
  const selectedRow = rowOfPath(rows, memberPath);
  return (
    <div className={styles.scroller} {...scrollRegion('Layout to scale')}>
      <div
        className={styles.drawing}
        aria-hidden="true"
        onClick={onClick}
        onPointerOver={onPointerOver}
        onPointerLeave={() => onPoint(null)}
      >
        {scale.strips.map((strip) => (
          <Strip key={stripKey(strip)} {...props} strip={strip} selectedRow={selectedRow} />
        ))}
      </div>
    </div>
  );
}

type StripProps = LayoutDrawingProps & {
  readonly strip: ScaleStrip;
  readonly selectedRow: number | null;
};

function Strip(props: StripProps) {
  const { strip, scale } = props;
  if (strip.kind === 'left-out') {
    return (
      <div className={styles.strip}>
        <span className={styles.offset}>⋮</span>
        <span className={styles.leftOut}>
          {countOf(strip.endByte - strip.startByte, 'byte')} more
        </span>
      </div>
    );
  }
  return (
    <div className={styles.strip}>
      <span className={styles.offset}>{strip.lane === 0 ? hexText(strip.startByte) : ''}</span>
      <span className={styles.boxes}>
        {strip.boxes.map((box) => (
          <Box
            key={box.row}
            {...props}
            box={box}
            left={(box.startBit - 8 * strip.startByte) / (8 * scale.lineBytes)}
            share={box.bits / (8 * scale.lineBytes)}
          />
        ))}
      </span>
    </div>
  );
}

type BoxProps = StripProps & {
  readonly box: ScaleBox;
  /** Parts of the line. */
  readonly left: number;
  readonly share: number;
};

/** Part of the line from which there is room for the type beside the name. */
const TYPE_SHARE = 0.45;

function Box({
  types,
  composite,
  rows,
  box,
  left,
  share,
  selectedRow,
  changes,
  pointed,
}: BoxProps) {
  const row = rows[box.row];
  if (row === undefined) return null;
  const style = { left: `${100 * left}%`, width: `${100 * share}%` };
  if (row.kind !== 'member') {
    const words = row.kind === 'hole' ? 'hole' : 'padding';
    return (
      <span className={styles.gap} style={style} title={`${words} of ${widthText(row.bitSize)}`}>
        {box.isRest || share < 0.2 ? null : <span>{widthText(row.bitSize)}</span>}
      </span>
    );
  }
  const [top = -1] = row.path;
  const name = drawnName(row.name) || '(anon)';
  const type = drawnName(typeExpression(types, row.type));
  const bits = row.isBitfield ? `:${row.bitSize}` : '';
  return (
    <span
      className={styles.box}
      style={style}
      title={`${name}${bits} at ${hexText(Math.floor(row.bitOffset / 8))}, ${widthText(row.bitSize)}, ${type}`}
      data-box={box.row}
      data-tone={kindStyle(kindOf(types, skipModifiers(types, row.type))).tone}
      data-rest={box.isRest}
      data-open={row.isUnfolded}
      data-empty={box.bits === 0}
      data-selected={box.row === selectedRow}
      data-change={(changes && changeOfItem(changes, composite, top)) ?? undefined}
      data-pointed={
        pointed?.kind === 'record' && pointed.type === composite && pointed.item === top
      }
    >
      <span className={styles.name}>
        {box.isRest ? '⋯' : ''}
        {name}
        {bits}
      </span>
      {share < TYPE_SHARE || box.isRest ? null : <span className={styles.type}>{type}</span>}
    </span>
  );
}

function stripKey(strip: ScaleStrip): string {
  return strip.kind === 'bytes' ? pathKey([strip.startByte, strip.lane]) : `${strip.startByte}…`;
}
