import { memo } from 'react';
import { visible } from '#bytes/text.ts';
import type { WholeText } from '#store/texts.ts';
import { grouped } from '#ui/grouped.ts';
import { type LinePiece, linePieces } from './line-pieces.ts';
import styles from './TextLine.module.css';
import { shownLine } from './text-lines.ts';

type TextLineProps = {
  readonly id: string;
  readonly text: WholeText;
  readonly line: number;
  readonly top: number;
  readonly height: number;
  /** Room for the number. */
  readonly digits: number;
  /** Columns that it is shown further in than it is written. */
  readonly indent: number;
  /** Is it about the selected type? */
  readonly isSelected: boolean;
  /** Is it where the keys move from? */
  readonly isCursor: boolean;
  readonly query: string;
  readonly matchCase: boolean;
  /** Number in the line of the match that is shown, from 0; null = none. */
  readonly match: number | null;
};

/** One line with its number. */
export const TextLine = memo(function TextLine(props: TextLineProps) {
  const { text, line, query, matchCase, match, isCursor } = props;
  const shown = shownLine(text, line);
  return (
    <div
      id={props.id}
      data-row={line}
      role="option"
      tabIndex={-1}
      className={styles.line}
      style={{ top: props.top, height: props.height }}
      aria-selected={props.isSelected}
      aria-setsize={text.lineStarts.length}
      aria-posinset={line + 1}
      aria-label={shown.text.trim() === '' ? 'Empty line' : undefined}
      data-cursor={isCursor ? '' : undefined}
    >
      <span aria-hidden className={styles.gutter} style={{ width: `${props.digits}ch` }}>
        {line + 1}
      </span>
      <span className={styles.text} style={{ marginInlineStart: `${props.indent}ch` }}>
        {linePieces(shown.text, query, matchCase).map((piece) => (
          <Piece key={piece.at} piece={piece} isShown={match !== null && piece.match === match} />
        ))}
        {shown.bytesLeftOut === 0 ? null : (
          <span className={styles.cut}> … {grouped(shown.bytesLeftOut)} more bytes</span>
        )}
      </span>
    </div>
  );
});

function Piece({ piece, isShown }: { readonly piece: LinePiece; readonly isShown: boolean }) {
  const drawn = piece.text
    .split('\t')
    .map((part) => visible(part))
    .join('\t');
  if (piece.match !== null) {
    return (
      <mark className={styles.match} data-shown={isShown ? '' : undefined}>
        {drawn}
      </mark>
    );
  }
  return piece.role === 'plain' ? drawn : <span className={styles[piece.role]}>{drawn}</span>;
}
