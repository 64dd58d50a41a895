import { drawnName } from '#bytes/text.ts';
import styles from './Marked.module.css';
import { markedPieces } from './marked-pieces.ts';

/** A name out of the file with the characters marked that were asked for. Hidden characters are written as escapes. */
export function Marked({
  text,
  ranges,
}: {
  readonly text: string;
  readonly ranges: readonly number[];
}) {
  return (
    <bdi className={styles.text}>
      {markedPieces(text, ranges).map((piece) =>
        piece.isMarked ? (
          <mark key={piece.start}>{drawnName(piece.text)}</mark>
        ) : (
          <span key={piece.start}>{drawnName(piece.text)}</span>
        ),
      )}
    </bdi>
  );
}
