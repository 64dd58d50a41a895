import { functionAt } from '#analysis/objects/functions.ts';
import type { Insn } from '#formats/bpf/insn.ts';
import type { SectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { insnText } from '#print/insn.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { Name } from '#views/parts/Name.tsx';
import { DetailCard } from './DetailCard.tsx';

type InsnOnByteProps = {
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  readonly insn: Insn;
  /** The byte, counted from the start of the section. */
  readonly byteOffset: number;
};

/** The instruction that the byte is part of, and which field of it. */
export function InsnOnByte({ model, section, insn, byteOffset }: InsnOnByteProps) {
  const func = functionAt(model, section, insn.offset);
  return (
    <DetailCard
      what="Instruction"
      title={insnText(insn, model.endian)}
      actions={
        <Button
          size="small"
          onClick={() => select({ kind: 'insn', section, insnOff: insn.offset }, 'code')}
        >
          Go to instruction
        </Button>
      }
    >
      <KeyValue
        items={[
          { term: 'Index', value: grouped(Math.floor(insn.offset / 8)), isMono: true },
          ...(func === null ? [] : [{ term: 'Function', value: <Name text={func.name} /> }]),
          { term: 'Field', value: fieldOf(byteOffset - insn.offset), isMono: true },
        ]}
      />
    </DetailCard>
  );
}

/** Source: Documentation/bpf/standardization/instruction-set.rst, "Instruction encoding". */
function fieldOf(offset: number): string {
  const half = offset >= 8 ? ' (second half)' : '';
  const at = offset % 8;
  if (at === 0) return `opcode${half}`;
  if (at === 1) return `dst_reg, src_reg${half}`;
  return `${at < 4 ? 'off' : 'imm'}${half}`;
}
