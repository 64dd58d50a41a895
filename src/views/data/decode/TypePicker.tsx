import { Combobox } from '@base-ui/react/combobox';
import { ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { sizeOf } from '#analysis/types/sizes.ts';
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import { drawnName } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import { kindOf, type TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { shortSize } from '#views/parts/type-size-text.ts';
import styles from './TypePicker.module.css';

/** More are not listed: a letter more finds the rest. */
const MOST = 60;

type TypePickerProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  /** Accessible name, also shown above it. */
  readonly label: string;
  /** Mask of the kinds to choose from. */
  readonly kinds: number;
  readonly value: TypeId | null;
  readonly onValue: (type: TypeId | null) => void;
  readonly placeholder: string;
};

/** A field to find a type in and to choose it, by any part of its name. */
export function TypePicker(props: TypePickerProps) {
  const { id, types, label, kinds, value, onValue, placeholder } = props;
  const [text, setText] = useState('');
  const titleOf = (type: TypeId) => drawnName(typeExpression(types, type));
  // What stands in the field after a choice is no search for it.
  const isChosen = value !== null && text === titleOf(value);
  const answer = useAnswer(id, 'searchTypes', {
    text: isChosen ? '' : text,
    kinds,
    order: 'name',
    descending: false,
  });
  const items = Array.from((answer.value ?? []).slice(0, MOST), typeId);
  return (
    <Combobox.Root<TypeId>
      items={items}
      filter={null}
      value={value}
      onValueChange={(next) => onValue(next)}
      onInputValueChange={setText}
      itemToStringLabel={titleOf}
      autoHighlight
    >
      <div className={styles.field}>
        <span aria-hidden className={styles.label}>
          {label}
        </span>
        <div className={styles.control}>
          <Combobox.Input
            className={styles.input}
            aria-label={label}
            placeholder={placeholder}
            spellCheck={false}
          />
          <ChevronsUpDown size={14} aria-hidden className={styles.icon} />
        </div>
      </div>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} align="start" className={styles.positioner}>
          <Combobox.Popup className={styles.popup}>
            {items.length === 0 ? (
              <p className={styles.none}>
                {answer.step === 'waiting' ? 'Looking…' : 'No type of that name'}
              </p>
            ) : null}
            <Combobox.List className={styles.list}>
              {(type: TypeId) => (
                <Combobox.Item key={type} value={type} className={styles.item}>
                  <KindBadge kind={kindOf(types, type)} decorative />
                  <span className={styles.name}>
                    <Name text={typeTitle(types, type)} />
                  </span>
                  <span className={styles.size}>{shortSize(sizeOf(types, type))}</span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
