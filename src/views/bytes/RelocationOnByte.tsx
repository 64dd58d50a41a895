import { canList } from '#analysis/code/code-listing.ts';
import { relocationOffset } from '#analysis/relocations/by-place.ts';
import { relocationWord } from '#analysis/relocations/list.ts';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import { signedHex } from '#bytes/signed-hex.ts';
import { drawnName } from '#bytes/text.ts';
import { type RelocIndex, sectionIndex } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { isCode } from '#model/sections.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import type { KeyValueItem } from '#ui/KeyValue.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { relocTone, symbolLine } from '#views/parts/relocation-look.ts';
import { TermList } from '#views/parts/Term.tsx';
import { DetailCard } from './DetailCard.tsx';

/** Longer ones have no room beside their numbers. */
const SHORT_FORMULA = 24;

type RelocationOnByteProps = { readonly model: ObjectModel; readonly reloc: RelocIndex };

/** The relocation that changes the byte. */
export function RelocationOnByte({ model, reloc }: RelocationOnByteProps) {
  const meaning = relocationMeaning(model, reloc);
  const { site, formula, numbers, target } = meaning;
  const symbol = drawnName(symbolLine(meaning));
  const items: KeyValueItem[] =
    symbol === '' ? [] : [{ term: 'Symbol', value: symbol, isMono: true }];
  if (target !== null) items.push({ term: 'Target', value: target.what });
  if (site !== null) {
    const bits = site.bitSize === 0 ? 'width not told' : `${site.bitSize} bits`;
    items.push({ term: 'Writes to', value: `${hexText(site.byteOffset)}, ${bits}`, isMono: true });
  }
  if (formula.length > SHORT_FORMULA) {
    items.push({ term: 'Formula', value: formula, isMono: true });
    if (numbers !== '') items.push({ term: 'Numbers', value: numbers, isMono: true });
  } else if (formula !== '') {
    items.push({ term: formula, value: numbers === '' ? 'not known' : numbers, isMono: true });
  } else if (meaning.addend !== null) {
    items.push({ term: 'A', value: signedHex(meaning.addend), isMono: true });
  }
  return (
    <DetailCard
      what={relocationWord(model)}
      title={meaning.typeName}
      tone={relocTone(meaning.belongsTo)}
      actions={
        <>
          <Button size="small" onClick={() => select({ kind: 'relocation', reloc }, 'relocations')}>
            Go to relocation
          </Button>
          {site !== null && canList(model) && isCode(model.sections, site.section) ? (
            <Button size="small" onClick={() => select(insnOf(model, reloc), 'code')}>
              Go to instruction
            </Button>
          ) : null}
        </>
      }
    >
      <TermList items={items} terms={{ A: 'addend' }} />
    </DetailCard>
  );
}

function insnOf(model: ObjectModel, reloc: RelocIndex) {
  return {
    kind: 'insn',
    section: sectionIndex(model.relocations.targetSection[reloc] ?? 0),
    insnOff: relocationOffset(model, reloc),
  } as const;
}
