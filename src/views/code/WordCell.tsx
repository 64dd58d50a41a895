import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { alphaTextAt } from '#print/alpha-insn.ts';
import { WordText } from '#views/parts/WordText.tsx';
import { JumpButton } from './JumpButton.tsx';
import { wordTarget } from './word-target.ts';

type WordCellProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  /** Bytes from the start of the section. */
  readonly insnOff: number;
  readonly word: number;
  readonly isInRow?: boolean;
};

/** An instruction of one word: its text, and where it leads. */
export function WordCell({ model, section, insnOff, word, isInRow = false }: WordCellProps) {
  const target = wordTarget(model, section, insnOff, word);
  return (
    <>
      <WordText text={alphaTextAt(model, section, insnOff, word)} />
      {target === null ? null : (
        <JumpButton
          section={target.section}
          link={{ insnOff: target.insnOff, insnIndex: target.insnOff / 4, name: '' }}
          isInRow={isInRow}
        />
      )}
    </>
  );
}
