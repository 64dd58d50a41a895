import { functionAt } from '#analysis/objects/functions.ts';
import { relocationsTouching } from '#analysis/relocations/by-place.ts';
import { drawnName } from '#bytes/text.ts';
import type { SectionIndex } from '#model/ids.ts';
import { insnSlot, type ObjectModel } from '#model/object-model.ts';
import { wordTextAt } from '#print/alpha-insn.ts';
import { useBytes } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { grouped } from '#ui/grouped.ts';
import { KeyValue } from '#ui/KeyValue.tsx';
import { Name } from '#views/parts/Name.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { wordOf } from '#views/parts/WordText.tsx';
import styles from './ByteDetail.module.css';
import { DetailCard } from './DetailCard.tsx';
import { RelocationOnByte } from './RelocationOnByte.tsx';

type WordOnByteProps = {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly section: SectionIndex;
  /** Bytes from the start of the section. */
  readonly byteOffset: number;
};

/** No compiler writes as many for one instruction; a hostile file may. */
const MAX_CARDS = 4;

/** A byte of an instruction that is one word: whatever changes the word concerns it. */
export function WordOnByte({ id, model, section, byteOffset }: WordOnByteProps) {
  const slot = insnSlot(model);
  const insnOff = byteOffset - (byteOffset % slot);
  const start = (model.sections.fileOffset[section] ?? 0) + insnOff;
  const bytes = useBytes(id, start, start + slot);
  const relocs = relocationsTouching(model, section, insnOff, insnOff + slot);
  const isWhole = insnOff + slot <= (model.sections.byteLength[section] ?? 0);
  const text =
    bytes === null || !isWhole
      ? null
      : wordTextAt(model, section, insnOff, Number(wordOf(bytes, model.endian)));
  const func = functionAt(model, section, insnOff);
  return (
    <>
      {relocs.slice(0, MAX_CARDS).map((reloc) => (
        <RelocationOnByte key={reloc} model={model} reloc={reloc} />
      ))}
      {relocs.length > MAX_CARDS ? (
        <p className={styles.more}>
          {countOf(relocs.length - MAX_CARDS, 'more relocation')} of this instruction
        </p>
      ) : null}
      {text === null ? null : (
        <DetailCard
          what="Instruction"
          title={drawnName(text)}
          actions={
            <Button size="small" onClick={() => select({ kind: 'insn', section, insnOff }, 'code')}>
              Go to instruction
            </Button>
          }
        >
          <KeyValue
            items={[
              { term: 'Index', value: grouped(insnOff / slot), isMono: true },
              ...(func === null ? [] : [{ term: 'Function', value: <Name text={func.name} /> }]),
            ]}
          />
        </DetailCard>
      )}
    </>
  );
}
