import { Fragment, type ReactNode } from 'react';
import { codePieces } from './code-pieces.ts';
import { LessonCode } from './LessonCode.tsx';

type InlineTextProps = {
  /** Visible text. */
  readonly text: string;
  /** In a button. */
  readonly isPlain?: boolean;
};

/** A line in which what stands between back ticks is code. */
export function InlineText({ text, isPlain = false }: InlineTextProps): ReactNode {
  return codePieces(text).map((piece) => (
    <Fragment key={piece.start}>
      {piece.isCode ? <LessonCode text={piece.text} isPlain={isPlain} /> : piece.text}
    </Fragment>
  ));
}
