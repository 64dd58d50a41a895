import { labelPieces } from '#lessons/glossary/find-terms.ts';
import type { TermId } from '#lessons/glossary/term-names.ts';
import { Term } from './Term.tsx';

type TermTextProps = {
  readonly text: string;
  /** The whole label is this term; for labels that are words of other things elsewhere. */
  readonly as?: TermId | undefined;
};

/** A short label of ours in which the terms have their cards. Not for texts out of a file. */
export function TermText({ text, as }: TermTextProps) {
  if (as !== undefined) return <Term id={as}>{text}</Term>;
  return labelPieces(text).map(({ start, text: piece, term }) =>
    term === null ? (
      piece
    ) : (
      <Term key={start} id={term}>
        {piece}
      </Term>
    ),
  );
}
