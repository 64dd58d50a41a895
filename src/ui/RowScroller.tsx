import type { CSSProperties, HTMLAttributes, ReactNode, RefObject } from 'react';
import { classNames } from './class-names.ts';
import styles from './RowScroller.module.css';

type RowScrollerProps = HTMLAttributes<HTMLDivElement> & {
  readonly role: 'listbox' | 'tree';
  /** Accessible name. */
  readonly label: string;
  /** Which rows are drawn, and how high all of them are in CSS pixels. */
  readonly rows: {
    readonly scrollerRef: RefObject<HTMLDivElement | null>;
    readonly first: number;
    /** Exclusive. */
    readonly end: number;
    readonly height: number;
  };
  /** The row that keys move from, and the id of what is active in it; null for none. */
  readonly active: number | null;
  readonly activeId: string;
  readonly renderRow: (index: number) => ReactNode;
  /** Above the rows. */
  readonly header?: ReactNode;
  /** Of the element that holds the rows. */
  readonly rowsStyle?: CSSProperties;
  readonly className?: string | undefined;
};

/**
 * Rows of which only those in sight are in the page. It has one tab stop and names its
 * active row; `onKeyDown` hears keys without Alt, Ctrl and Command.
 */
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
