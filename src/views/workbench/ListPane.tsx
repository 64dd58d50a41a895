import { type PointerEvent, type ReactNode, useMemo } from 'react';
import type { Change } from '#analysis/workbench/changes.ts';
import { rowOfEvent } from '#ui/list-keys.ts';
import { Panel } from '#ui/Panel.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import styles from './ListPane.module.css';
import type { PaneProps, Pointed } from './subject.ts';

const ROW_HEIGHT = 20;

type ListPaneProps<Row> = Pick<PaneProps, 'onPoint'> & {
  readonly title: string;
  readonly aside: string;
  /** Accessible name of the list. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly selected: number | null;
  /** Keep its identity while the rows stay the same. */
  readonly renderRow: (row: Row) => ReactNode;
  /** What the pointer is at over a row. */
  readonly pointedOf: (row: Row) => Pointed;
  readonly onSelect: (row: Row) => void;
  readonly onActivate?: (row: Row) => void;
};

/** A pane of lines, of which one is selected and one is pointed at. */
export function ListPane<Row>(props: ListPaneProps<Row>) {
  const { title, aside, label, rows, selected, onPoint, renderRow } = props;
  const withRow = (act: ((row: Row) => void) | undefined) => (index: number) => {
    const row = rows[index];
    if (row !== undefined) act?.(row);
  };
  const renderIndex = useMemo(
    () => (index: number) => {
      const row = rows[index];
      return row === undefined ? null : renderRow(row);
    },
    [rows, renderRow],
  );
  return (
    <Panel title={title} aside={<span className="small muted ellipsis">{aside}</span>}>
      <div
        className="tall"
        onPointerOver={(event: PointerEvent) =>
          withRow((row) => onPoint(props.pointedOf(row)))(rowOfEvent(event) ?? -1)
        }
        onPointerLeave={() => onPoint(null)}
      >
        <VirtualList
          label={label}
          count={rows.length}
          rowHeight={ROW_HEIGHT}
          selectedIndex={selected}
          scrollToIndex={selected}
          onSelect={withRow(props.onSelect)}
          onActivate={withRow(props.onActivate)}
          renderRow={renderIndex}
        />
      </div>
    </Panel>
  );
}

const SIGNS: Readonly<Record<Change, string>> = { new: '+', changed: '~' };

/** The sign of a change beside its colour; its room is there without one, too. */
export function ChangeSign({ change }: { readonly change: Change | null }) {
  return (
    <span className={styles.sign} aria-hidden="true">
      {change === null ? '' : SIGNS[change]}
    </span>
  );
}
