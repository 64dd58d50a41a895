import { Tabs as Primitive } from '@base-ui/react/tabs';
import { type ReactNode, useEffect, useRef } from 'react';
import { grouped } from './grouped.ts';
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
};

/** A row of tabs over one panel. Arrows, Home and End move between tabs and open them; too many scroll sideways. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, tabs, value, onChange, renderPanel } = props;
  const list = useRef<HTMLDivElement>(null);

  // Runs on each change of tab: an open tab out of sight helps nobody.
  useEffect(() => {
    const open = list.current?.querySelector(`[data-tab-id="${CSS.escape(value)}"]`);
    open?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);

  return (
    <Primitive.Root
      className={styles.root}
      value={value}
      onValueChange={(next) => {
        const tab = tabs.find(({ id }) => id === next);
        if (tab !== undefined) onChange(tab.id);
      }}
    >
      <Primitive.List ref={list} className={styles.list} aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Primitive.Tab
            key={tab.id}
            value={tab.id}
            data-tab-id={tab.id}
            className={styles.tab}
            disabled={tab.isDisabled}
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
      <Primitive.Panel value={value} className={styles.panel} key={value}>
        {renderPanel(value)}
      </Primitive.Panel>
    </Primitive.Root>
  );
}
