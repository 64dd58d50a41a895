import { type KeyboardEvent, useEffect, useId } from 'react';
import { MAX_ITEMS } from '#analysis/types/wide-types.ts';
import { visible } from '#bytes/text.ts';
import { grouped } from '#ui/grouped.ts';
import { rowAfterKey, rowOfEvent } from '#ui/list-keys.ts';
import { useRowWindow } from '#ui/use-row-window.ts';
import { RowScroller } from '#ui/VirtualList.tsx';
import styles from './PaholePane.module.css';
import { type PaholeLine, type PaholeLines, paholePieces } from './pahole-lines.ts';

export const PAHOLE_LINE_HEIGHT = 18;

/** Message shown in place of a text that is too large. */
export const HUGE_NAMES = `This type has more than ${grouped(MAX_ITEMS)} members, or names of millions of characters, so its text is not shown here. The Text view has it.`;

type PaholePaneProps = {
  readonly pahole: PaholeLines;
  /** Index of the line of the selected member; null if no member is selected. */
  readonly selectedLine: number | null;
  readonly onChoose: (path: readonly number[]) => void;
};

/** Shows pahole's text. A click on a line selects its member. */
export function PaholePane({ pahole, selectedLine, onChoose }: PaholePaneProps) {
  const id = useId();
  const { lines, columns } = pahole;
  const rows = useRowWindow<HTMLDivElement>({
    count: lines.length,
    rowHeight: PAHOLE_LINE_HEIGHT,
  });
  const { showRow } = rows;
  useEffect(() => {
    if (selectedLine !== null) showRow(selectedLine, 'center');
  }, [selectedLine, showRow]);

  const choose = (line: number) => {
    const path = lines[line]?.path ?? null;
    if (path !== null) onChoose(path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = rowAfterKey(event.key, selectedLine, lines.length, rows.pageRows);
    if (next === null) return;
    event.preventDefault();
    const line = lineWithMember(pahole, next, next < (selectedLine ?? -1) ? -1 : 1);
    if (line !== null && line !== selectedLine) choose(line);
  };
  return (
    <div className="shrink-y tall surface box no-overflow">
      <RowScroller
        role="listbox"
        label="Layout as pahole prints it"
        className="tiny mono-code"
        rows={rows}
        rowsStyle={{ minWidth: `${Math.min(columns, MAX_COLUMNS) + 4}ch` }}
        active={selectedLine}
        activeId={`${id}${selectedLine}`}
        onKeyDown={onKeyDown}
        onClick={(event) => {
          const line = rowOfEvent(event);
          if (line !== null) choose(line);
        }}
        renderRow={(i) => {
          const { text, path } = lines[i] ?? BLANK;
          const option = {
            role: 'option',
            tabIndex: -1,
            'aria-selected': i === selectedLine,
            'aria-setsize': lines.length,
            'aria-posinset': i + 1,
          };
          return (
            <div
              key={i}
              id={`${id}${i}`}
              data-row={i}
              className={styles.line}
              data-member={path !== null}
              style={{ top: i * PAHOLE_LINE_HEIGHT + rows.shift, height: PAHOLE_LINE_HEIGHT }}
              {...(text === '' ? { role: 'presentation' } : option)}
            >
              {paholePieces(text.slice(0, MAX_COLUMNS)).map((piece) => (
                <span key={piece.at} className={styles[piece.role]}>
                  {visible(piece.text)}
                </span>
              ))}
            </div>
          );
        }}
      />
    </div>
  );
}

const BLANK: PaholeLine = { text: '', path: null };

/** Maximum characters of a line: browsers need seconds to lay out a name of a megabyte. */
const MAX_COLUMNS = 400;

/** Starts at `line`, moves by `step`, and returns the first line of a member, or null. */
function lineWithMember({ lines }: PaholeLines, line: number, step: 1 | -1): number | null {
  for (let i = line; i >= 0 && i < lines.length; i += step) {
    if (lines[i]?.path) return i;
  }
  return null;
}
