import {
  type CSSProperties,
  type HTMLAttributes,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
} from 'react';
import { classNames } from './class-names.ts';
import { type RowActions, rowAfterKey, rowHandlers } from './list-keys.ts';
import { useRowWindow } from './use-row-window.ts';
import styles from './VirtualList.module.css';

export type VirtualListProps = RowActions & {
  readonly label: string;
  readonly count: number;
  /** Height of a row in CSS pixels. */
  readonly rowHeight: number;
  readonly selectedIndex: number | null;
  /** Draws a row. Pass the same function while rows are the same: then only new rows are drawn. */
  readonly renderRow: (index: number) => ReactNode;
  /** Returns the accessible name of a row whose text is not enough. */
  readonly getRowLabel?: (index: number) => string;
  /** Row to scroll to whenever the number changes; null to leave the position. */
  readonly scrollToIndex?: number | null;
  /** Any value that identifies the list. When it changes, the list scrolls to the top. */
  readonly list?: unknown;
  /** Text shown if the list has no rows. */
  readonly emptyText?: string;
};

/** Returns a `renderRow` that draws loaded rows, and leaves rows empty that are not loaded. */
export function rowRenderer<Row>(
  rows: { at(index: number): Row | undefined } | null,
  draw: (row: Row) => ReactNode,
): (index: number) => ReactNode {
  return (index) => {
    const row = rows?.at(index);
    return row === undefined ? null : draw(row);
  };
}

/** Draws a listbox of equally high rows. Arrow and page keys select, Enter activates a row. */
export function VirtualList(props: VirtualListProps) {
  if (props.count > 0) return <Listbox {...props} />;
  return <p className={styles.empty}>{props.emptyText ?? 'Nothing here'}</p>;
}

function Listbox(props: VirtualListProps) {
  const { label, count, rowHeight, selectedIndex, onSelect, onActivate, scrollToIndex, list } =
    props;
  const id = useId();
  const rows = useRowWindow<HTMLDivElement>({ count, rowHeight, list });
  const { showRow } = rows;

  useEffect(() => {
    if (scrollToIndex !== undefined && scrollToIndex !== null) showRow(scrollToIndex, 'center');
    // Scroll again for a new list, because its row with the same index is another row.
    void list;
  }, [scrollToIndex, showRow, list]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && selectedIndex !== null) {
      event.preventDefault();
      onActivate?.(selectedIndex);
      return;
    }
    const next = rowAfterKey(event.key, selectedIndex, count, rows.pageRows);
    if (next === null) return;
    event.preventDefault();
    showRow(next, 'nearest');
    if (next !== selectedIndex) onSelect(next);
  };

  return (
    <RowScroller
      role="listbox"
      label={label}
      rows={rows}
      active={selectedIndex}
      activeId={`${id}${selectedIndex}`}
      {...rowHandlers(props)}
      onKeyDown={onKeyDown}
      renderRow={(index) => (
        <Row
          key={index}
          id={`${id}${index}`}
          index={index}
          count={count}
          top={index * rowHeight + rows.shift}
          height={rowHeight}
          isSelected={index === selectedIndex}
          renderRow={props.renderRow}
          getRowLabel={props.getRowLabel}
        />
      )}
    />
  );
}

type RowProps = {
  readonly id: string;
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly height: number;
  readonly isSelected: boolean;
  readonly renderRow: (index: number) => ReactNode;
  readonly getRowLabel: ((index: number) => string) | undefined;
};

const Row = memo(function Row(props: RowProps) {
  const { index } = props;
  return (
    <div
      id={props.id}
      data-row={index}
      role="option"
      tabIndex={-1}
      className={styles.row}
      style={{ top: props.top, height: props.height }}
      aria-selected={props.isSelected}
      aria-setsize={props.count}
      aria-posinset={index + 1}
      aria-label={props.getRowLabel?.(index)}
    >
      {props.renderRow(index)}
    </div>
  );
});

type RowScrollerProps = HTMLAttributes<HTMLDivElement> & {
  readonly role: 'listbox' | 'tree';
  readonly label: string;
  /** Rows to draw, and the height of all rows in CSS pixels. */
  readonly rows: {
    readonly scrollerRef: RefObject<HTMLDivElement | null>;
    readonly first: number;
    /** Index after the last drawn row. */
    readonly end: number;
    readonly height: number;
  };
  /** Row from which keys move, and the id of its element; null if there is no active row. */
  readonly active: number | null;
  readonly activeId: string;
  readonly renderRow: (index: number) => ReactNode;
  readonly header?: ReactNode;
  /** CSS style of the element that contains the rows. */
  readonly rowsStyle?: CSSProperties;
  readonly className?: string | undefined;
};

/** Draws the visible rows of a widget. `onKeyDown` gets no keys with Alt, Ctrl or Command. */
export function RowScroller(props: RowScrollerProps) {
  const { role, label, rows, active, activeId, renderRow, header, rowsStyle, ...rest } = props;
  const drawn: ReactNode[] = [];
  for (let index = rows.first; index < rows.end; index++) drawn.push(renderRow(index));
  const isActiveDrawn = active !== null && active >= rows.first && active < rows.end;
  const widget: HTMLAttributes<HTMLDivElement> = {
    role,
    'aria-label': label,
    'aria-activedescendant': isActiveDrawn ? activeId : undefined,
    tabIndex: 0,
    onKeyDown: (event) => {
      if (!event.altKey && !event.ctrlKey && !event.metaKey) rest.onKeyDown?.(event);
    },
  };
  return (
    <div className={styles.frame}>
      <div
        {...rest}
        {...widget}
        ref={rows.scrollerRef}
        className={classNames(styles.scroller, rest.className)}
      >
        {header}
        <div
          role="presentation"
          className={styles.rows}
          style={{ height: rows.height, ...rowsStyle }}
        >
          {drawn}
        </div>
      </div>
    </div>
  );
}
