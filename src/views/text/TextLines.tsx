import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import type { WholeText } from '#store/texts.ts';
import { rowAfterKey } from '#ui/list-keys.ts';
import { rowOfEvent } from '#ui/row-of-event.ts';
import { useRowWindow } from '#ui/use-row-window.ts';
import { TextLine } from './TextLine.tsx';
import styles from './TextLines.module.css';
import { type Block, widestLine } from './text-lines.ts';
import type { Match } from './use-find.ts';

const LINE_HEIGHT = 20;

type TextLinesProps = {
  /** Accessible name. */
  readonly label: string;
  readonly text: WholeText;
  /** Columns that a line is shown further in than it is written. */
  readonly indentOf: (line: number) => number;
  /** Lines about the selected type. */
  readonly selected: Block | null;
  /** A line to bring into sight; each new object does it again. */
  readonly reveal: { readonly line: number } | null;
  readonly query: string;
  readonly matchCase: boolean;
  readonly match: Match | null;
  /** A click on a line, or Enter. */
  readonly onChoose: (line: number) => void;
  /** The first line in sight, when it changes. */
  readonly onTopLine: (line: number) => void;
};

/** The lines of a text of any size, of which only those in sight are in the page. */
export function TextLines(props: TextLinesProps) {
  const { label, text, selected, reveal, query, matchCase, match, onChoose, onTopLine } = props;
  const id = useId();
  const count = text.lineStarts.length;
  const rows = useRowWindow<HTMLDivElement>({ count, rowHeight: LINE_HEIGHT });
  const { showRow, scrollerRef } = rows;
  const [cursor, setCursor] = useState<number | null>(null);
  const active = cursor ?? selected?.first ?? null;

  const first = useRef(0);
  useEffect(() => {
    first.current = rows.first;
    onTopLine(rows.first);
  }, [rows.first, onTopLine]);

  useEffect(() => {
    if (reveal === null) return;
    setCursor(null);
    showRow(reveal.line, 'center');
  }, [reveal, showRow]);

  useEffect(() => {
    if (match === null) return;
    setCursor(match.line);
    showRow(match.line, 'center');
    // Once its line is drawn: it may be far to the right.
    const frame = requestAnimationFrame(() => {
      scrollerRef.current
        ?.querySelector('mark[data-shown]')
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [match, showRow, scrollerRef]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' && active !== null) {
      event.preventDefault();
      onChoose(active);
      return;
    }
    const next = rowAfterKey(event.key, active ?? first.current, count, rows.pageRows);
    if (next === null) return;
    event.preventDefault();
    setCursor(next);
    showRow(next, 'nearest');
  };

  const onClick = (event: MouseEvent) => {
    // Whoever marks text with the pointer wants to copy it.
    if (window.getSelection()?.isCollapsed === false) return;
    const line = rowOfEvent(event);
    if (line === null) return;
    setCursor(line);
    onChoose(line);
  };

  const digits = `${count}`.length;
  const drawn = [];
  for (let line = rows.first; line < rows.end; line++) {
    drawn.push(
      <TextLine
        key={line}
        id={`${id}${line}`}
        text={text}
        line={line}
        top={line * LINE_HEIGHT + rows.shift}
        height={LINE_HEIGHT}
        digits={digits}
        indent={props.indentOf(line)}
        isSelected={selected !== null && line >= selected.first && line < selected.end}
        isCursor={line === active}
        query={query}
        matchCase={matchCase}
        match={match?.line === line ? match.inLine : null}
      />,
    );
  }
  const isActiveDrawn = active !== null && active >= rows.first && active < rows.end;
  return (
    <div className={styles.frame}>
      <div
        ref={scrollerRef}
        className={styles.lines}
        role="listbox"
        aria-label={label}
        aria-multiselectable
        aria-activedescendant={isActiveDrawn ? `${id}${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div
          role="presentation"
          className={styles.rows}
          style={{ height: rows.height, width: `calc(${widestLine(text) + digits}ch + 80px)` }}
        >
          {drawn}
        </div>
      </div>
    </div>
  );
}
