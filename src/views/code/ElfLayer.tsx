import { relocationWord } from '#analysis/relocations/list.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { drawnName } from '#bytes/text.ts';
import type { RelocIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { DetailSection } from '#views/parts/DetailSection.tsx';
import styles from './layers.module.css';
import { relocationText } from './relocation-text.ts';

/** A relocation of the instruction: what is written into it, and the numbers. */
export function ElfLayer({
  model,
  reloc,
}: {
  readonly model: ObjectModel;
  readonly reloc: RelocIndex;
}) {
  const meaning = relocationMeaning(model, reloc);
  return (
    <DetailSection
      title={relocationWord(model)}
      tone="reloc-2"
      actions={
        <Button size="small" onClick={() => select({ kind: 'relocation', reloc }, 'relocations')}>
          Show relocation
        </Button>
      }
    >
      <p className={styles.elf}>{drawnName(relocationText(meaning))}</p>
      {meaning.numbers === '' ? null : (
        <p className={styles.numbers}>
          {meaning.formula}: {meaning.numbers}
        </p>
      )}
      <p className={styles.words}>{drawnName(meaning.words)}</p>
    </DetailSection>
  );
}
