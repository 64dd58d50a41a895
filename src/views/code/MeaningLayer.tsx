import { callText } from '#analysis/code/helpers.ts';
import { type Insn, jumpTarget } from '#formats/bpf/insn.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { InsnText } from '#views/parts/InsnText.tsx';
import { JumpButton } from './JumpButton.tsx';
import { jumpLink } from './jump-link.ts';
import styles from './layers.module.css';

/** The text of the instruction, where it leads, and what a number in it is known to mean. */
export function MeaningLayer({
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
  const target = jumpTarget(insn);
  const leaves = target !== null && (target < 0 || target >= codeLength);
  const words = callText(insn);
  return (
    <DetailSection title="Instruction">
      <p className={styles.text}>
        <InsnText insn={insn} endian={model.endian} />
        {link === null ? null : <JumpButton section={section} link={link} />}
      </p>
      {words === null ? null : <p className={styles.words}>{words}</p>}
      {leaves ? (
        <p className={styles.words}>
          As it stands it leads to instruction {target / 8}, which is not in this section.
        </p>
      ) : null}
      {insn.truncated ? (
        <p className={styles.words}>The second half of this ld_imm64 is missing.</p>
      ) : null}
    </DetailSection>
  );
}
