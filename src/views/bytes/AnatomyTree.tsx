import { ChevronRight } from 'lucide-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
} from 'react';
import type { Pin } from '#store/lesson/pins.ts';
import { keepFocus, rowOfEvent } from '#ui/list-keys.ts';
import { useRowWindow } from '#ui/use-row-window.ts';
import { PinMark } from '#views/parts/PinMark.tsx';
import styles from './AnatomyTree.module.css';
import {
  type Outline,
  rowAt,
  rowCount,
  rowOfPath,
  type TreePath,
  type TreeRow,
} from './anatomy-tree.ts';
import type { OwnerText } from './owner-text.ts';
import { treeMove } from './tree-keys.ts';

const ROW_HEIGHT = 24;

type AnatomyTreeProps = {
  readonly outline: Outline;
  /** What is selected; it may be inside of an owner that is closed. */
  readonly selected: TreePath;
  readonly textOf: (row: TreeRow) => OwnerText;
  /** What a lesson has pinned to the row, or to what is folded into it. */
  readonly pinsOf: (row: TreeRow) => readonly Pin[];
  readonly onSelect: (row: TreeRow) => void;
  readonly onOpen: (path: TreePath, isOpen: boolean) => void;
  /** Enter or double click. */
  readonly onActivate: (row: TreeRow) => void;
};

/**
 * The file and its parts, opened as far as a person wants; of any length, since
 * only what is seen is in the page. Arrows move, open and close, Enter goes on.
 */
export function AnatomyTree(props: AnatomyTreeProps) {
  const { outline, selected, textOf, pinsOf, onSelect, onOpen, onActivate } = props;
  const id = useId();
  const count = rowCount(outline);
  const rows = useRowWindow<HTMLDivElement>({ count, rowHeight: ROW_HEIGHT });
  const active = rowOfPath(outline, selected);
  const { showRow } = rows;
  useEffect(() => showRow(active, 'nearest'), [active, showRow]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const row = rowAt(outline, active);
    if (row === null) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onActivate(row);
      return;
    }
    const place = { ...row, row: active, rowCount: count, pageRows: rows.pageRows };
    const move = treeMove(event.key, place);
    if (move === null) return;
    event.preventDefault();
    if (move.kind === 'open' || move.kind === 'close') onOpen(row.path, move.kind === 'open');
    else {
      const to = move.kind === 'row' ? move.row : rowOfPath(outline, row.path.slice(0, -1));
      const next = to === active ? null : rowAt(outline, to);
      if (next !== null) onSelect(next);
    }
  };

  const onClick = (event: MouseEvent) => {
    const row = rowAt(outline, rowOfEvent(event) ?? -1);
    if (row === null) return;
    const isTwisty = event.target instanceof Element && event.target.closest('[data-twisty]');
    if (isTwisty && row.path.length > 0) onOpen(row.path, !row.isOpen);
    else onSelect(row);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const row = rowAt(outline, rowOfEvent(event) ?? -1);
    if (row?.hasParts && row.path.length > 0) onOpen(row.path, !row.isOpen);
  };

  const drawn: ReactNode[] = [];
  for (let index = rows.first; index < rows.end; index++) {
    const row = rowAt(outline, index);
    if (row === null) continue;
    const { name, said } = textOf(row);
    drawn.push(
      <Row
        key={index}
        id={`${id}${index}`}
        index={index}
        top={index * ROW_HEIGHT + rows.shift}
        level={row.path.length + 1}
        position={(row.path.at(-1) ?? 0) + 1}
        siblings={row.siblings}
        state={row.hasParts ? (row.isOpen ? 'open' : 'closed') : 'leaf'}
        kind={row.owner.kind}
        isSelected={index === active}
        name={name}
        said={said}
        pins={pinsOf(row)}
      />,
    );
  }
  const isActiveDrawn = active >= rows.first && active < rows.end;
  return (
    <div className={styles.frame}>
      <div
        ref={rows.scrollerRef}
        className={styles.tree}
        role="tree"
        aria-label="Anatomy of the file"
        aria-activedescendant={isActiveDrawn ? `${id}${active}` : undefined}
        tabIndex={0}
        onMouseDown={keepFocus}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
      >
        <div role="presentation" className={styles.rows} style={{ height: rows.height }}>
          {drawn}
        </div>
      </div>
    </div>
  );
}

type RowProps = {
  readonly id: string;
  readonly index: number;
  /** CSS pixels. */
  readonly top: number;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly state: 'open' | 'closed' | 'leaf';
  readonly kind: string;
  readonly isSelected: boolean;
  readonly name: string;
  readonly said: string;
  readonly pins: readonly Pin[];
};

/** The indent goes no deeper than this: a narrow pane would show nothing but it. */
const MAX_INDENT = 8;

const Row = memo(function Row(props: RowProps) {
  const { state, level } = props;
  const indent: CSSProperties = { paddingInlineStart: 4 + 12 * Math.min(level - 1, MAX_INDENT) };
  return (
    <div
      id={props.id}
      data-row={props.index}
      role="treeitem"
      tabIndex={-1}
      className={styles.row}
      style={{ ...indent, top: props.top, height: ROW_HEIGHT }}
      aria-level={level}
      aria-posinset={props.position}
      aria-setsize={props.siblings}
      aria-selected={props.isSelected}
      aria-expanded={state === 'leaf' ? undefined : state === 'open'}
      title={props.said === '' ? props.name : `${props.name}  ${props.said}`}
    >
      {state === 'leaf' ? (
        <span className={styles.dot} data-kind={props.kind} aria-hidden />
      ) : (
        <span
          data-twisty=""
          className={styles.twisty}
          data-open={state === 'open' ? '' : undefined}
        >
          <ChevronRight size={14} aria-hidden />
        </span>
      )}
      <span className={styles.name} data-kind={props.kind}>
        {props.name}
      </span>
      {props.pins.map((pin) => (
        <PinMark key={pin.number} {...pin} />
      ))}
      {props.said === '' ? null : <span className={styles.said}>{props.said}</span>}
    </div>
  );
});
