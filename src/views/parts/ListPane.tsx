import type { ReactNode } from 'react';
import { Split } from '#ui/Split.tsx';
import { VirtualList, type VirtualListProps } from '#ui/VirtualList.tsx';
import styles from './ListPane.module.css';

type ListPaneProps = Omit<VirtualListProps, 'scrollToIndex'> & {
  /** Controls above the list and the details. */
  readonly toolbar?: ReactNode;
  /** Text that says how many items are not listed; empty if all are. */
  readonly more?: string;
  readonly detail: ReactNode;
};

/** Shows a list and the selected item's details beside the list, or below it on a narrow screen. */
export function ListPane({ toolbar, more = '', detail, ...list }: ListPaneProps) {
  return (
    <div className="column tall">
      {toolbar === undefined ? null : <div className={styles.bar}>{toolbar}</div>}
      <div className="fill">
        <Split
          label={`Resize the list of ${list.label.toLowerCase()}`}
          firstSize={50}
          minFirst={200}
          minSecond={200}
          first={
            <div className={styles.list}>
              <VirtualList {...list} />
              {more === '' ? null : <p className="small soft line-above pad-row">{more}</p>}
            </div>
          }
          second={<div className="tall scroll-y">{detail}</div>}
        />
      </div>
    </div>
  );
}
