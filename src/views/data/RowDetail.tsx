import { Binary } from 'lucide-react';
import { relocationMeaning } from '#analysis/relocations/meaning.ts';
import type { Value } from '#analysis/values/decode.ts';
import { drawnName } from '#bytes/text.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { select } from '#store/navigation.ts';
import { Button } from '#ui/Button.tsx';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import { BitRuler } from '#views/parts/BitRuler.tsx';
import { hexText } from '#views/parts/number-text.ts';
import { TypeLink } from '#views/parts/TypeLink.tsx';
import { widthText } from '#views/parts/type-size-text.ts';
import { bitParts } from './bit-parts.ts';
import styles from './RowDetail.module.css';
import { Pointer } from './ValueCell.tsx';
import type { ValuePlaces } from './ValueTree.tsx';
import { bytesText, otherForm, previewText } from './value-preview.ts';
import { bytesOfValue, pathOfRow, type ValueRow, valueOfRow } from './value-tree.ts';

type RowDetailProps = {
  readonly model: ObjectModel | null;
  readonly root: Value;
  readonly row: ValueRow;
  readonly places: ValuePlaces;
};

/** The selected part of a value in full: where it lies, bit by bit where it is bits, what fills it. */
export function RowDetail({ model, root, row, places }: RowDetailProps) {
  const part = valueOfRow(root, row);
  if (part === null) return null;
  const span = places.spanOf(part);
  const path = pathOfRow(root, row.key);
  const bits = bitParts(part);
  const reloc = part.content.kind === 'pointer' ? places.relocationOf(part) : null;
  return (
    <section className={styles.card} aria-label="Selected part">
      <div className={styles.head}>
        <h4 className={styles.path}>{drawnName(path.replace(/^\./, '') || 'value')}</h4>
        <div className={styles.actions}>
          {reloc === null ? null : (
            <Button
              size="small"
              onClick={() => select({ kind: 'relocation', reloc }, 'relocations')}
            >
              Show relocation
            </Button>
          )}
          {span === null ? null : (
            <Button size="small" onClick={() => select({ kind: 'bytes', ...span }, 'bytes')}>
              <Binary size={14} aria-hidden />
              Show these bytes
            </Button>
          )}
        </div>
      </div>
      <KeyValue items={itemsOf(model, part, places)} />
      {bits === null ? null : <BitRuler label="Bits of the bytes that it touches" parts={bits} />}
    </section>
  );
}

function itemsOf(model: ObjectModel | null, part: Value, places: ValuePlaces): KeyValueItem[] {
  const { content, scope } = part;
  const other = otherForm(part);
  const items: KeyValueItem[] = [
    { term: 'Type', value: <TypeLink types={scope.types} type={part.type} badge /> },
    {
      term: 'Value',
      value:
        content.kind === 'pointer' && content.target !== null ? (
          <Pointer part={part} target={content.target} places={places} hasRelocation={false} />
        ) : (
          `${drawnName(previewText(part))}${other === '' ? '' : `  ${other}`}`
        ),
      isMono: true,
    },
    { term: 'Place', value: placeText(part, places) },
    { term: 'Bytes', value: bytesText(part), isMono: true },
  ];
  const reloc = content.kind === 'pointer' ? places.relocationOf(part) : null;
  if (reloc !== null && model !== null) {
    const { typeName, words } = relocationMeaning(model, reloc);
    items.push({ term: typeName, value: drawnName(words) });
  }
  return items;
}

function placeText(part: Value, { base }: ValuePlaces): string {
  const byte = bytesOfValue(part).start;
  const within = base === 0 ? '' : `, ${hexText(base + byte)} in the section`;
  const bit = part.isBitfield ? `, bit ${part.bitOffset}` : '';
  return `byte ${hexText(byte)}${within}${bit}; ${widthText(part.bitSize)}`;
}
