import { Tabs as Primitive } from '@base-ui/react/tabs';
import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef } from 'react';
import { tabPanelAria } from './aria.tsx';
import { onResize } from './element-size.tsx';
import { grouped } from './grouped.ts';
import { ContextMenu, type MenuItem } from './Menu.tsx';
import styles from './Tabs.module.css';
import type { StatusTone } from './tone.ts';

export type Tab<Id extends string> = {
  readonly id: Id;
  /** Text of the tab, also its accessible name. */
  readonly label: string;
  /** Number after the label, not part of the accessible name. */
  readonly count?: number;
  /** Colour of the number. */
  readonly tone?: StatusTone;
  readonly isDisabled?: boolean;
};

type TabsProps<Id extends string> = {
  /** Accessible name of the row of tabs. */
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly value: Id;
  readonly onChange: (id: Id) => void;
  /** Draws the content of the open tab, in the one panel of all tabs. */
  readonly renderPanel: (id: Id) => ReactNode;
  /** Returns an element with the panel inside of it. */
  readonly around?: (panel: ReactNode) => ReactNode;
  /** Content at the end of the row, after the tabs. */
  readonly end?: ReactNode;
  /** Returns the items of a tab's context menu. */
  readonly menuOf?: (id: Id) => readonly MenuItem[];
  /** Called with the dragged tab; with null when the drag ends. */
  readonly onDrag?: (id: Id | null) => void;
};

/** MIME type of the dragged data: tells a tab from other dragged objects. */
const DRAGGED = 'application/x-btfscope-tab';

/** Draws a row of tabs above one panel. Arrows, Home and End open other tabs. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, renderPanel, around, end, menuOf, onDrag } = props;
  const listRef = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const tabElementId = useCallback((tab: Id) => `${panelId}-${tab}`, [panelId]);
  /** Tab on which the context menu opened. */
  const menuOn = useRef<Id | null>(null);
  // Whether a tab is pressed. A press may begin a drag, so only the click opens the tab.
  const isPressed = useRef(false);

  // Scrolls to the open tab when another tab is opened or the width changes.
  useEffect(() => {
    const row = listRef.current;
    if (row === null) return;
    return onResize(row, () => {
      const open = row.querySelector(`[data-tab-id="${CSS.escape(value)}"]`);
      open?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
  }, [value]);

  // A new panel must not draw the row of tabs again.
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
            id={tabElementId(tab.id)}
            aria-controls={tab.id === value ? panelId : undefined}
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
  }, [label, tabs, value, menuOf, onDrag, panelId, tabElementId]);
  const open = useCallback(
    (next: Id) => {
      if (tabs.some(({ id }) => id === next)) onChange(next);
    },
    [tabs, onChange],
  );
  // Not the panel of Base UI: its context changes with each tab, for which React visits all that is
  // inside, hidden views too.
  const panel = (
    <div {...tabPanelAria(panelId, tabElementId(value))} className={styles.panel}>
      {renderPanel(value)}
    </div>
  );
  return (
    <div className={styles.root}>
      <Primitive.Root className={styles.row} value={value} onValueChange={open}>
        {row}
        {end}
      </Primitive.Root>
      {around === undefined ? panel : around(panel)}
    </div>
  );
}
