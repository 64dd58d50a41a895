import type { ReactNode } from 'react';
import { Split } from '#ui/Split.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import styles from './ListPane.module.css';

const ROW_HEIGHT = 46;

type ListPaneProps = {
  /** Names the list. */
  readonly label: string;
  /** Over the list and its detail. */
  readonly toolbar: ReactNode;
  readonly count: number;
  readonly selectedIndex: number | null;
  readonly onSelect: (index: number) => void;
  /** Enter or double click. */
  readonly onActivate: (index: number) => void;
  /** Keep its identity while the rows stay the same. */
  readonly renderRow: (index: number) => ReactNode;
  readonly emptyText: string;
  /** How many there are beyond those that are listed, in words; empty for none. */
  readonly more: string;
  /** What is selected, in full. */
  readonly detail: ReactNode;
};

/** A list, and what is selected in it in full: beside it, or under it on a narrow screen. */
export function ListPane(props: ListPaneProps) {
  return (
    <div className={styles.pane}>
      <div className={styles.bar}>{props.toolbar}</div>
      <div className="shrink-y">
        <Split
          label={`Resize the list: ${props.label}`}
          firstSize={50}
          minFirst={200}
          minSecond={200}
          first={
            <div className={styles.list}>
              <VirtualList
                label={props.label}
                count={props.count}
                rowHeight={ROW_HEIGHT}
                selectedIndex={props.selectedIndex}
                onSelect={props.onSelect}
                onActivate={props.onActivate}
                renderRow={props.renderRow}
                emptyText={props.emptyText}
              />
              {props.more === '' ? null : <p className={styles.more}>{props.more}</p>}
            </div>
          }
          second={<div className="tall scroll-y">{props.detail}</div>}
        />
      </div>
    </div>
  );
}
