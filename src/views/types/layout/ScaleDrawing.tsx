import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useEffect, useId } from 'react';
import type { MemberRow } from '#analysis/layout/member-rows.ts';
import { memberAfterKey, type Scale } from '#analysis/layout/scale.ts';
import type { TypeTable } from '#model/type-table.ts';
import { Chip } from '#ui/Badge.tsx';
import { IconButton } from '#ui/Button.tsx';
import { Segmented } from '#ui/inputs.tsx';
import { useRowWindow } from '#ui/use-row-window.ts';
import { RowScroller } from '#ui/VirtualList.tsx';
import { rowUnder, StructRuler, StructStrip, toggleUnder } from '#views/parts/StructStrip.tsx';
import styles from './ScaleDrawing.module.css';

/** Height in CSS pixels of a lane, and of the ruler above the lanes. */
const STRIP_HEIGHT = 22;
const RULER_HEIGHT = 22;

type ScaleDrawingProps = {
  readonly label: string;
  readonly types: TypeTable;
  readonly rows: readonly MemberRow[];
  readonly scale: Scale;
  readonly selectedRow: number | null;
  readonly marked?: ReadonlySet<number> | null;
  /** Row to scroll to if no row is selected. */
  readonly firstShown?: number | null;
  readonly onSelect: (path: readonly number[]) => void;
  /** Called to fold or unfold a member that has members itself. */
  readonly onToggle: (path: readonly number[]) => void;
  /** Called with the index of the row under the pointer; null if there is none. */
  readonly onPoint?: (row: number | null) => void;
};

/** Returns the height of the whole drawing in CSS pixels. */
export function drawingHeight(scale: Scale): number {
  return RULER_HEIGHT + STRIP_HEIGHT * scale.strips.length + 2;
}

/** Shows a struct to scale; only visible lines are drawn. Arrow keys select, Enter unfolds. */
export function ScaleDrawing(props: ScaleDrawingProps) {
  const { label, types, rows, scale, selectedRow, marked = null } = props;
  const { firstShown = null } = props;
  const { onSelect, onToggle, onPoint } = props;
  const id = useId();
  const { strips, stripOfRow, lineBytes } = scale;
  const strip = selectedRow === null ? -1 : (stripOfRow[selectedRow] ?? -1);
  const sight = useRowWindow<HTMLDivElement>({
    count: strips.length,
    rowHeight: STRIP_HEIGHT,
    headerHeight: RULER_HEIGHT,
  });
  const { showRow } = sight;
  const wanted = selectedRow ?? firstShown;
  const shownStrip = wanted === null ? -1 : (stripOfRow[wanted] ?? -1);
  useEffect(() => {
    if (shownStrip >= 0) showRow(shownStrip, 'center');
  }, [shownStrip, showRow]);

  const select = (index: number) => {
    const row = rows[index];
    if (row !== undefined) onSelect(row.path);
  };
  const toggle = (index: number) => {
    const row = rows[index];
    if (row !== undefined && row.inner !== null) onToggle(row.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && selectedRow !== null) toggle(selectedRow);
    else {
      const next = memberAfterKey(scale, rows, selectedRow, event.key);
      if (next === null) return;
      if (next !== selectedRow) select(next);
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const toggled = toggleUnder(event.target);
    const row = rowUnder(event.target);
    if (toggled !== null) toggle(toggled);
    else if (row !== null && rows[row]?.kind === 'member') select(row);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const row = rowUnder(event.target);
    if (row !== null && toggleUnder(event.target) === null) toggle(row);
  };

  return (
    <div className={styles.frame}>
      <RowScroller
        role="listbox"
        label={label}
        rows={sight}
        header={<StructRuler lineBytes={lineBytes} height={RULER_HEIGHT} />}
        active={strip}
        activeId={`${id}${selectedRow}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        onPointerOver={(event) => onPoint?.(rowUnder(event.target))}
        onPointerLeave={() => onPoint?.(null)}
        renderRow={(i) => {
          const shown = strips[i];
          if (shown === undefined) return null;
          const hasSelected =
            shown.kind === 'bytes' && shown.boxes.some(({ row }) => row === selectedRow);
          return (
            <div
              key={i}
              role="presentation"
              className={styles.row}
              style={{ top: i * STRIP_HEIGHT + sight.shift, height: STRIP_HEIGHT }}
            >
              <StructStrip
                types={types}
                rows={rows}
                strip={shown}
                lineBytes={lineBytes}
                selectedRow={hasSelected ? selectedRow : null}
                marked={marked}
                idPrefix={id}
              />
            </div>
          );
        }}
      />
    </div>
  );
}

const LINES = { '1': '1', '8': '8', '16': '16', '64': '64' } as const;

type DrawingControlsProps = {
  readonly lineBytes: LineBytes;
  readonly onLineBytes: (lineBytes: LineBytes) => void;
  readonly hasHoles: boolean;
  readonly onlyHoles: boolean;
  readonly onOnlyHoles: (onlyHoles: boolean) => void;
  readonly onUnfoldAll?: () => void;
  readonly onFoldAll?: () => void;
};

/** Shows controls for bytes per row, the filter for holes, and fold or unfold all. */
export function DrawingControls(props: DrawingControlsProps) {
  const { lineBytes, onLineBytes, hasHoles, onlyHoles, onOnlyHoles } = props;
  const { onUnfoldAll, onFoldAll } = props;
  return (
    <div className={styles.controls}>
      <span className="small muted" aria-hidden="true">
        Bytes per row
      </span>
      <Segmented label="Bytes per row" options={LINES} value={lineBytes} onChange={onLineBytes} />
      {hasHoles ? (
        <Chip
          tone={onlyHoles ? 'accent' : 'muted'}
          isPressed={onlyHoles}
          onClick={() => onOnlyHoles(!onlyHoles)}
        >
          Only holes
        </Chip>
      ) : null}
      {onUnfoldAll === undefined || onFoldAll === undefined ? null : (
        <span className="at-end flex">
          <IconButton label="Unfold all" icon={ChevronsUpDown} onClick={onUnfoldAll} />
          <IconButton label="Fold all" icon={ChevronsDownUp} onClick={onFoldAll} />
        </span>
      )}
    </div>
  );
}

export type LineBytes = keyof typeof LINES;
