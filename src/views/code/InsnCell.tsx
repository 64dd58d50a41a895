import { helperName } from '#analysis/code/helpers.ts';
import type { LanePart } from '#analysis/code/jump-lanes.ts';
import { functionAt } from '#analysis/objects/functions.ts';
import { relocationAtInsn, relocationsInRange } from '#analysis/relocations/by-place.ts';
import { drawnName } from '#bytes/text.ts';
import { type Insn, isCall, jumpTarget } from '#formats/bpf/insn.ts';
import { CALL_SOURCE } from '#formats/bpf/opcodes.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { type AlphaTarget, alphaTargetAt, alphaTextAt } from '#print/alpha-insn.ts';
import { select } from '#store/address/navigation.ts';
import { InsnText, WordText } from '#views/parts/InsnText.tsx';
import styles from './InsnCell.module.css';

export type InsnCellProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly insn: Insn;
  readonly codeLength: number;
};

/** Shows a BPF instruction as text, with its jump target or the name of its helper. */
export function InsnCell({ model, section, insn, codeLength }: InsnCellProps) {
  const link = jumpLink(model, section, insn, codeLength);
  const helper = isCall(insn) && insn.srcReg === CALL_SOURCE.helper ? helperName(insn.imm) : null;
  return (
    <>
      <InsnText insn={insn} />
      {link === null ? null : <JumpButton section={section} link={link} isInRow />}
      {helper === null ? null : <span className={styles.helper}>{helper}</span>}
    </>
  );
}

type WordCellProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  /** Offset of the instruction in the section, in bytes. */
  readonly insnOff: number;
  readonly word: number;
  readonly isInRow?: boolean;
};

/** Shows an instruction that is one word as text, with its jump target. */
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

/** Shows a button such as `→ 14` that selects a jump target. In a row it is no tab stop. */
export function JumpButton({ section, link, isInRow = false }: JumpButtonProps) {
  const name = link.name === '' ? '' : ` ${drawnName(link.name)}`;
  return (
    <button
      type="button"
      className={styles.jump}
      {...(isInRow ? { tabIndex: -1 } : {})}
      aria-label={`Go to instruction ${link.insnIndex}${name}`}
      onClick={(event) => {
        // Keep the click from the row, which would select the jump instead of the target.
        event.stopPropagation();
        select({ kind: 'insn', section, insnOff: link.insnOff });
      }}
    >
      → {link.insnIndex}
      {name === '' ? null : <bdi>{name}</bdi>}
    </button>
  );
}

/** Target of a jump or of a call. */
type JumpLink = {
  /** Offset of the target in the section, in bytes. */
  readonly insnOff: number;
  /** Number of the target's slot in the section, as the listing shows it. */
  readonly insnIndex: number;
  /** Name of the called function, not escaped; empty for a jump. */
  readonly name: string;
};

/**
 * Returns the target of a jump; null if it is outside of the section, or if a relocation sets it.
 */
export function jumpLink(
  model: ObjectModel,
  section: SectionIndex,
  insn: Insn,
  codeLength: number,
): JumpLink | null {
  const insnOff = jumpTarget(insn);
  if (insnOff === null || insnOff < 0 || insnOff >= codeLength) return null;
  if (isCall(insn) && relocationAtInsn(model, section, insn.offset) !== null) return null;
  const func = isCall(insn) ? functionAt(model, section, insnOff) : null;
  return { insnOff, insnIndex: insnOff / 8, name: func?.start === insnOff ? func.name : '' };
}

/** Returns the target of a branch; null if a relocation sets it or if it is not in the file. */
export function wordTarget(
  model: ObjectModel,
  section: SectionIndex,
  insnOff: number,
  word: number,
): AlphaTarget | null {
  const relocs = relocationsInRange(model, section, insnOff, insnOff + insnSlot(model));
  const isOpen = relocs.some((reloc) => (model.relocations.symbol[reloc] ?? -1) >= 0);
  return isOpen ? null : alphaTargetAt(model, section, insnOff, word);
}

/** CSS pixels between two lanes of jump arrows, and between the last lane and the text. */
const STEP = 7;
const HEAD = 10;

/** Returns the width of `count` lanes of jump arrows in CSS pixels. */
export function lanesWidth(count: number): number {
  return count * STEP + HEAD;
}

type JumpCellProps = {
  readonly row: number;
  /** Height of the row in CSS pixels. */
  readonly height: number;
  readonly count: number;
  readonly parts: readonly LanePart[];
  /** Row of the selected instruction, whose jumps are highlighted; null if none is selected. */
  readonly lit: number | null;
};

/** Shows the jump arrows of a row. Screen readers skip arrows, since texts name the targets. */
export function JumpCell({ row, height, count, parts, lit }: JumpCellProps) {
  const width = lanesWidth(count);
  const middle = height / 2;
  return (
    <svg className={styles.jumps} width={width} height={height} aria-hidden>
      {parts.toReversed().map(({ lane, from, to }) => {
        const x = (count - lane - 0.5) * STEP;
        const isEnd = row === from || row === to;
        const isUp = row === Math.max(from, to);
        const isDown = row === Math.min(from, to);
        return (
          <g key={lane} className={from === lit || to === lit ? styles.lit : undefined}>
            <path
              d={`M${x} ${isDown ? middle : 0}V${isUp ? middle : height}${isEnd ? `M${x} ${middle}H${width - 2}` : ''}`}
            />
            {row === to ? (
              <path className={styles.head} d={`M${width} ${middle}l-6 -3.5v7z`} />
            ) : null}
          </g>
        );
      })}
    </svg>
  );
}
