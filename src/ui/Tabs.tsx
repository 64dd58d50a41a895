import { Tabs as Primitive } from '@base-ui/react/tabs';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { onResize } from './element-size.tsx';
import { grouped } from './grouped.ts';
import { ContextMenu, type MenuItem } from './Menu.tsx';
import styles from './Tabs.module.css';
import type { StatusTone } from './tone.ts';

export type Tab<Id extends string> = {
  readonly id: Id;
  /** Exactly the accessible name. */
  readonly label: string;
  /** Shown beside the label; not part of the name. */
  readonly count?: number;
  /** Colours the count. */
  readonly tone?: StatusTone;
  readonly isDisabled?: boolean;
};

type TabsProps<Id extends string> = {
  /** Accessible name of the row of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  /** What the open tab shows. Only the open panel is in the page. */
  readonly renderPanel: (id: Id) => ReactNode;
  /** Around the panel, such as what stands beside it. */
  readonly around?: (panel: ReactNode) => ReactNode;
  /** After the tabs. */
  readonly end?: ReactNode;
  /** The commands on a tab, in its menu. */
  readonly menuOf?: (id: Id) => readonly MenuItem[];
  /** A tab is dragged; null: no more. */
  readonly onDrag?: (id: Id | null) => void;
};

/** The type of what is dragged. */
const DRAGGED = 'application/x-btfscope-tab';

/** A row of tabs over one panel. Arrows, Home and End move between tabs and open them; too many scroll sideways. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, renderPanel, around, end, menuOf, onDrag } = props;
  const listRef = useRef<HTMLDivElement>(null);
  /** The tab that the menu is about. */
  const menuOn = useRef<Id | null>(null);
  // A press may begin a drag: only the click opens the tab, not the focus that comes with the press.
  const isPressed = useRef(false);

  // Runs on each change of tab and of the width: an open tab out of sight helps nobody.
  useEffect(() => {
    const row = listRef.current;
    if (row === null) return;
    return onResize(row, () => {
      const open = row.querySelector(`[data-tab-id="${CSS.escape(value)}"]`);
      open?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  }, [value]);

  // A tab row is the same whatever its panel does.
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
