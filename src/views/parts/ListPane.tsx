import type { ReactNode } from 'react';
import { Split } from '#ui/Split.tsx';
import { VirtualList, type VirtualListProps } from '#ui/VirtualList.tsx';
import styles from './ListPane.module.css';

type ListPaneProps = Omit<VirtualListProps, 'scrollToIndex'> & {
  readonly toolbar: ReactNode;
  /** Says how many items are not listed. */
  readonly more?: string;
  readonly detail: ReactNode;
};

/** A list with the detail of its selected item: beside it, or below it on a narrow screen. */
export function ListPane({ toolbar, more = '', detail, ...list }: ListPaneProps) {
  return (
    <div className="grid tall head-and-body">
      <div className={styles.bar}>{toolbar}</div>
      <div className="shrink-y">
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
