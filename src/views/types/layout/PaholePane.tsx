import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId } from 'react';
import { visible } from '#bytes/text.ts';
import { rowAfterKey, rowOfEvent } from '#ui/list-keys.ts';
import { useRowWindow } from '#ui/use-row-window.ts';
import styles from './PaholePane.module.css';
import { type PaholeLines, paholePieces } from './pahole-lines.ts';

export const PAHOLE_LINE_HEIGHT = 18;

type PaholePaneProps = {
  readonly pahole: PaholeLines;
  /** Number of the line of the selected member, or null. */
  readonly selectedLine: number | null;
  readonly onChoose: (path: readonly number[]) => void;
};

/** The text of pahole, line by line; the line of the selected member is lit, and each chooses its member. */
export function PaholePane({ pahole, selectedLine, onChoose }: PaholePaneProps) {
  const id = useId();
  const { lines, columns } = pahole;
  const sight = useRowWindow<HTMLDivElement>({
    count: lines.length,
    rowHeight: PAHOLE_LINE_HEIGHT,
  });
  const { showRow } = sight;
  useEffect(() => {
    if (selectedLine !== null) showRow(selectedLine, 'center');
  }, [selectedLine, showRow]);

  const choose = (line: number) => {
    const path = lines[line]?.path ?? null;
    if (path !== null) onChoose(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = rowAfterKey(event.key, selectedLine, lines.length, sight.pageRows);
    if (next === null) return;
    event.preventDefault();
    const line = lineWithMember(pahole, next, next < (selectedLine ?? -1) ? -1 : 1);
    if (line !== null && line !== selectedLine) choose(line);
  };
  const drawn: ReactNode[] = [];
  for (let i = sight.first; i < sight.end; i++) {
    const line = lines[i];
    if (line === undefined) continue;
    drawn.push(
      <div
        key={i}
        id={`${id}${i}`}
        data-row={i}
        className={styles.line}
        data-member={line.path !== null}
        style={{ top: i * PAHOLE_LINE_HEIGHT + sight.shift, height: PAHOLE_LINE_HEIGHT }}
        {...(line.text === ''
          ? { role: 'presentation' }
          : {
              role: 'option',
              tabIndex: -1,
              'aria-selected': i === selectedLine,
              'aria-setsize': lines.length,
              'aria-posinset': i + 1,
            })}
      >
        <Line text={line.text} />
      </div>,
    );
  }
  const isActiveDrawn =
    selectedLine !== null && selectedLine >= sight.first && selectedLine < sight.end;
  return (
    <div className={styles.frame}>
      <div
        ref={sight.scrollerRef}
        className={styles.lines}
        role="listbox"
        aria-label="Layout as pahole prints it"
        aria-activedescendant={isActiveDrawn ? `${id}${selectedLine}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={(event: MouseEvent) => {
          const line = rowOfEvent(event);
          if (line !== null) choose(line);
        }}
      >
        <div
          role="presentation"
          className={styles.rows}
          style={{ height: sight.height, minWidth: `${Math.min(columns, MAX_COLUMNS) + 4}ch` }}
        >
          {drawn}
        </div>
      </div>
    </div>
  );
}

/** A line is cut here: a browser lays out a hostile name of a megabyte for seconds. */
const MAX_COLUMNS = 400;

function Line({ text }: { readonly text: string }) {
  if (text === '') return null;
  return paholePieces(text.slice(0, MAX_COLUMNS)).map(({ at, text: piece, role }) => (
    <span key={at} className={styles[role]}>
      {visible(piece)}
    </span>
  ));
}

/** From `line` on in the direction of the step the first that is about a member. */
function lineWithMember({ lines }: PaholeLines, line: number, step: 1 | -1): number | null {
  for (let i = line; i >= 0 && i < lines.length; i += step) {
    if (lines[i]?.path) return i;
  }
  return null;
}
