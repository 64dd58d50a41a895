import { helperName } from '#analysis/code/helpers.ts';
import { type Insn, isCall } from '#formats/bpf/insn.ts';
import { CALL_SOURCE } from '#formats/bpf/opcodes.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { InsnText } from '#views/parts/InsnText.tsx';
import styles from './InsnCell.module.css';
import { JumpButton } from './JumpButton.tsx';
import { jumpLink } from './jump-link.ts';

/** An instruction in the listing: its text, and where it leads or whom it calls. */
export function InsnCell({
  model,
  section,
  insn,
  codeLength,
}: {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly insn: Insn;
  readonly codeLength: number;
}) {
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
