import { Tabs as Primitive } from '@base-ui/react/tabs';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { onResize } from './element-size.tsx';
import { grouped } from './grouped.ts';
import { ContextMenu, type MenuItem } from './Menu.tsx';
import styles from './Tabs.module.css';
import type { StatusTone } from './tone.ts';

export type Tab<Id extends string> = {
  readonly id: Id;
  /** Also the accessible name. */
  readonly label: string;
  /** Shown after the label; not part of the name. */
  readonly count?: number;
  /** Tone of the count. */
  readonly tone?: StatusTone;
  readonly isDisabled?: boolean;
};

type TabsProps<Id extends string> = {
  /** Accessible name of the tab row. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  /** Draws the content of the open tab. Other panels are not in the page. */
  readonly renderPanel: (id: Id) => ReactNode;
  /** Wraps the panel. */
  readonly around?: (panel: ReactNode) => ReactNode;
  /** After the tabs. */
  readonly end?: ReactNode;
  /** Returns the commands of a tab's context menu. */
  readonly menuOf?: (id: Id) => readonly MenuItem[];
  /** Called with the dragged tab; null at the end of the drag. */
  readonly onDrag?: (id: Id | null) => void;
};

/** Data type of a dragged tab. */
const DRAGGED = 'application/x-btfscope-tab';

/** Draws a row of tabs over one panel. Arrows, Home and End move and open; the row scrolls sideways. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, renderPanel, around, end, menuOf, onDrag } = props;
  const listRef = useRef<HTMLDivElement>(null);
  /** Tab of the context menu. */
  const menuOn = useRef<Id | null>(null);
  // A press may begin a drag: the click opens the tab, not the focus of the press.
  const isPressed = useRef(false);

  // Keeps the open tab visible on a change of tab or width.
  useEffect(() => {
    const row = listRef.current;
    if (row === null) return;
    return onResize(row, () => {
      const open = row.querySelector(`[data-tab-id="${CSS.escape(value)}"]`);
      open?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  }, [value]);

  // The tabs do not depend on the panel.
  const row = useMemo(() => {
    const tabOf = (target: EventTarget): Id | null => {
      const element = target instanceof Element ? target.closest('[data-tab-id]') : null;
      return tabs.find(({ id }) => id === element?.getAttribute('data-tab-id'))?.id ?? null;
    };
    const list = (
      <Primitive.List
        ref={listRef}
        className={styles.list}
        aria-label={label}
        activateOnFocus
        onPointerDownCapture={() => {
          isPressed.current = onDrag !== undefined;
        }}
        onKeyDownCapture={() => {
          isPressed.current = false;
        }}
        onContextMenuCapture={({ target }) => {
          menuOn.current = tabOf(target);
        }}
        onDragStart={({ target, dataTransfer }) => {
          const id = tabOf(target);
          if (id === null) return;
          dataTransfer.setData(DRAGGED, id);
          dataTransfer.effectAllowed = 'move';
          onDrag?.(id);
        }}
        onDragEnd={() => onDrag?.(null)}
      >
        {tabs.map((tab) => (
          <Primitive.Tab
            key={tab.id}
            value={tab.id}
            data-tab-id={tab.id}
            className={styles.tab}
            disabled={tab.isDisabled}
            draggable={onDrag !== undefined}
            onFocus={(event) => {
              if (isPressed.current) event.preventBaseUIHandler();
            }}
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span aria-hidden className={styles.count} data-tone={tab.tone}>
                {grouped(tab.count)}
              </span>
            )}
          </Primitive.Tab>
        ))}
      </Primitive.List>
    );
    return menuOf === undefined ? (
      list
    ) : (
      <ContextMenu on={list} groups={() => [menuOf(menuOn.current ?? value)]} />
    );
  }, [label, tabs, value, menuOf, onDrag]);
  const open = useCallback(
    (next: Id) => {
      if (tabs.some(({ id }) => id === next)) onChange(next);
    },
    [tabs, onChange],
  );
  const panel = (
    <Primitive.Panel value={value} className={styles.panel} key={value}>
      {renderPanel(value)}
    </Primitive.Panel>
  );
  return (
    <Primitive.Root className={styles.root} value={value} onValueChange={open}>
      <div className={styles.row}>
        {row}
        {end}
      </div>
      {around === undefined ? panel : around(panel)}
    </Primitive.Root>
  );
}
