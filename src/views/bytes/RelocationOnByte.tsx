import { relocationMeaning } from '#analysis/relocation-meaning.ts';
import { visible } from '#bytes/text.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { relocTone, signedHex, symbolLine } from '#views/parts/relocation-look.ts';
import { DetailCard } from './DetailCard.tsx';

type RelocationOnByteProps = { readonly model: ObjectModel; readonly reloc: RelocIndex };

/** The ELF relocation that changes the byte. */
export function RelocationOnByte({ model, reloc }: RelocationOnByteProps) {
  const meaning = relocationMeaning(model, reloc);
  const { site, formula, numbers, target } = meaning;
  const items: KeyValueItem[] = [
    { term: 'Symbol', value: visible(symbolLine(meaning)), isMono: true },
  ];
  if (target !== null) items.push({ term: 'Target', value: target.what });
  if (site !== null) {
    const bits = site.bitSize === 0 ? 'width not told' : `${site.bitSize} bits`;
    items.push({ term: 'Writes to', value: `${hexText(site.byteOffset)}, ${bits}`, isMono: true });
  }
  if (formula !== '') {
    items.push({ term: formula, value: numbers === '' ? 'not known' : numbers, isMono: true });
  } else if (meaning.addend !== null) {
    items.push({ term: 'A', value: signedHex(meaning.addend), isMono: true });
  }
  return (
    <DetailCard
      what="ELF relocation"
      title={meaning.typeName}
      tone={relocTone(meaning.belongsTo)}
      actions={
        <>
          <Button size="small" onClick={() => select({ kind: 'relocation', reloc }, 'relocations')}>
            Go to relocation
          </Button>
          {site !== null && isBpf(model) && isCode(model.sections, site.section) ? (
            <Button size="small" onClick={() => select(insnOf(model, reloc), 'code')}>
              Go to instruction
            </Button>
          ) : null}
        </>
      }
    >
      <KeyValue items={items} />
    </DetailCard>
  );
}

function insnOf(model: ObjectModel, reloc: RelocIndex) {
  return {
    kind: 'insn',
    section: sectionIndex(model.relocations.targetSection[reloc] ?? 0),
    insnOff: Number(model.relocations.offset[reloc] ?? 0n),
  } as const;
}
