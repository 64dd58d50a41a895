import { helperName } from '#analysis/code/helpers.ts';
import { drawnName } from '#bytes/text.ts';
import { type Insn, isCall } from '#formats/bpf/insn.ts';
import { CALL_SOURCE } from '#formats/bpf/opcodes.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { alphaTextAt } from '#print/alpha-insn.ts';
import { select } from '#store/navigation.ts';
import { InsnText } from '#views/parts/InsnText.tsx';
import { WordText } from '#views/parts/WordText.tsx';
import styles from './InsnCell.module.css';
import { type JumpLink, jumpLink, wordTarget } from './jump-link.ts';

type InsnCellProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly insn: Insn;
  readonly codeLength: number;
};

/** An instruction in the listing: its text, and where it leads or whom it calls. */
export function InsnCell({ model, section, insn, codeLength }: InsnCellProps) {
  const link = jumpLink(model, section, insn, codeLength);
  const helper = isCall(insn) && insn.srcReg === CALL_SOURCE.helper ? helperName(insn.imm) : null;
  return (
    <>
      <InsnText insn={insn} endian={model.endian} />
      {link === null ? null : <JumpButton section={section} link={link} isInRow />}
      {helper === null ? null : <span className={styles.helper}>{helper}</span>}
    </>
  );
}

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

type JumpButtonProps = {
  readonly section: SectionIndex;
  readonly link: JumpLink;
  readonly isInRow?: boolean;
};

/** `→ 14`: goes to the target of a jump or call. In a row of a table it is no tab stop, Enter on the row does the same. */
export function JumpButton({ section, link, isInRow = false }: JumpButtonProps) {
  const name = link.name === '' ? '' : ` ${drawnName(link.name)}`;
  return (
    <button
      type="button"
      className={styles.jump}
      {...(isInRow ? { tabIndex: -1 } : {})}
      aria-label={`Go to instruction ${link.insnIndex}${name}`}
      onClick={(event) => {
        // The row would select the jump itself.
        event.stopPropagation();
        select({ kind: 'insn', section, insnOff: link.insnOff });
      }}
    >
      → {link.insnIndex}
      {name === '' ? null : <bdi>{name}</bdi>}
    </button>
  );
}
