import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react';
import { patchedField, patchedValue } from '#analysis/core/core-patch.ts';
import type { CoreRecord } from '#analysis/core/core-records.ts';
import type { LocalValue } from '#analysis/core/core-value.ts';
import { sectionSpan } from '#analysis/selection.ts';
import type { Span } from '#bytes/span.ts';
import { visible } from '#bytes/text.ts';
import { decodeInsn } from '#formats/bpf/insn.ts';
import { sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { useBytes } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import { InsnBytes } from '#views/parts/InsnBytes.tsx';
import { InsnText } from '#views/parts/InsnText.tsx';
import styles from './PatchSection.module.css';
import { patchVerdict } from './patch-verdict.ts';

type PatchSectionProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly record: CoreRecord;
  readonly local: LocalValue;
};

/** The instruction that the record patches: the field in its bytes, and whether it holds the local value. */
export function PatchSection(props: PatchSectionProps) {
  const { model, record } = props;
  const span = insnSpan(model, record);
  return (
    <DetailSection title="Instruction that is patched" tone="reloc-3">
      {span === null ? (
        <p className={styles.words}>
          {record.section < 0
            ? `The file has no section ${visible(record.sectionName)}.`
            : `Section ${visible(record.sectionName)} has no instruction at byte ${record.insnOff}.`}
        </p>
      ) : (
        <Patched {...props} span={span} />
      )}
    </DetailSection>
  );
}

function Patched({ id, model, local, span }: PatchSectionProps & { readonly span: Span }) {
  const bytes = useBytes(id, span.start, span.end);
  const insn = bytes && decodeInsn(bytes, 0, model.endian);
  if (bytes === null || insn === null) return <p className={styles.words}>Reading the bytes…</p>;
  const field = patchedField(insn);
  const verdict = patchVerdict(patchedValue(insn), local);
  return (
    <>
      <p className={styles.bytes}>
        <InsnBytes bytes={bytes.subarray(0, insn.length)} boxed={BOXES[field ?? 'none']} />
      </p>
      <p className={styles.text}>
        <InsnText insn={insn} endian={model.endian} />
      </p>
      <p className={styles.verdict}>
        <span className={styles.mark} data-tone={verdict.tone}>
          {ICONS[verdict.tone]}
          {verdict.title}
        </span>
        <span className={styles.words}>{verdict.words}</span>
      </p>
    </>
  );
}

const BOXES = {
  off: ['off'],
  imm: ['imm'],
  imm64: ['imm', 'next_imm'],
  none: [],
} as const;

const ICONS = {
  ok: <CircleCheck size={14} aria-hidden />,
  danger: <CircleAlert size={14} aria-hidden />,
  neutral: <CircleMinus size={14} aria-hidden />,
};

/** File bytes of the instruction, up to the 16 of a ld_imm64; null where the section has none there. */
function insnSpan(model: ObjectModel, { section, insnOff }: CoreRecord): Span | null {
  const code = section < 0 ? null : sectionSpan(model, sectionIndex(section));
  if (code === null || code.start + insnOff + 8 > code.end) return null;
  const start = code.start + insnOff;
  return { start, end: Math.min(code.end, start + 16) };
}
