import { Autocomplete } from '@base-ui/react/autocomplete';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type RefObject, useImperativeHandle, useRef } from 'react';
import { drawnName } from '#bytes/text.ts';
import styles from './PaletteList.module.css';
import { PaletteRow } from './PaletteRow.tsx';
import { isCommandText, type PaletteItem } from './palette-items.ts';
import type { Found } from './use-find.ts';

/** CSS pixels. */
const ROW = 36;
const HEADING = 28;
const OVERSCAN = 6;
const PADDING = 6;

export type PaletteListHandle = {
  readonly showRow: (index: number) => void;
  readonly scrollToTop: () => void;
};

type PaletteListProps = {
  readonly handle: RefObject<PaletteListHandle | null>;
  readonly items: readonly PaletteItem[];
  /** Do headings stand over the groups? */
  readonly hasHeadings: boolean;
  /** Are these lines the answer to a stroke before? */
  readonly isStale: boolean;
  readonly onTake: (item: PaletteItem, event: MouseEvent) => void;
};

/** The lines; only those in sight are drawn. */
export function PaletteList({ handle, items, hasHeadings, isStale, onTake }: PaletteListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const hasHeading = (index: number) =>
    hasHeadings && items[index]?.group !== items[index - 1]?.group;
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => ROW + (hasHeading(index) ? HEADING : 0),
    getItemKey: (index) => `${items[index]?.key ?? index}${hasHeading(index) ? ':first' : ''}`,
    overscan: OVERSCAN,
    paddingStart: PADDING,
    paddingEnd: PADDING,
    scrollPaddingStart: PADDING,
    scrollPaddingEnd: PADDING,
    useFlushSync: false,
  });
  useImperativeHandle(handle, () => ({
    showRow: (index) => rows.scrollToIndex(index, { align: 'auto' }),
    scrollToTop: () => rows.scrollToOffset(0),
  }));
  return (
    <Autocomplete.List
      ref={scroller}
      className={styles.list}
      aria-label="Found"
      data-stale={isStale}
      style={{ height: rows.getTotalSize() }}
    >
      <div role="presentation" className={styles.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={key}
              role="presentation"
              className={styles.place}
              style={{ transform: `translateY(${start}px)` }}
            >
              {hasHeading(index) ? (
                <div role="presentation" aria-hidden className={styles.heading}>
                  {item.group}
                </div>
              ) : null}
              <Autocomplete.Item
                index={index}
                value={item}
                className={styles.row}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                onClick={(event) => onTake(item, event)}
              >
                <PaletteRow item={item} hasHeading={hasHeadings} />
              </Autocomplete.Item>
            </div>
          );
        })}
      </div>
    </Autocomplete.List>
  );
}

/** Why there is no line, and what to do about it. */
export function NothingFound({ text, found }: { readonly text: string; readonly found: Found }) {
  const why = isCommandText(text)
    ? 'No matching command'
    : (found.failure ?? found.answer?.problem ?? `No matches for ${text.trim()}`);
  return (
    <div className={styles.nothing}>
      <p className={styles.why}>{drawnName(why)}</p>
      <p className={styles.hint}>Clear to see query examples.</p>
    </div>
  );
}
