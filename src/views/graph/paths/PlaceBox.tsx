import { Autocomplete } from '@base-ui/react/autocomplete';
import { X } from 'lucide-react';
import { useDeferredValue, useMemo, useRef } from 'react';
import type { TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { Badge } from '#ui/Badge.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { PickerInput, PickerItem, PickerLine, PickerPopup } from '#views/parts/TypePicker.tsx';
import styles from './PlaceBox.module.css';
import {
  MOST_FIELDS,
  type PlaceSuggestion,
  placeSuggestions,
  typeQuery,
} from './place-suggestions.ts';

type PlaceBoxProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly label: string;
  readonly placeholder: string;
  /** May it be a field? */
  readonly isField: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Enter, a suggestion taken, or the box left. */
  readonly onDone: (value: string) => void;
};

const NO_FIELDS = { typed: '', limit: 0 };

/** One end of a question: a text with suggestions out of the file. */
export function PlaceBox(props: PlaceBoxProps) {
  const { id, types, label, placeholder, isField, value, onChange, onDone } = props;
  const typed = useDeferredValue(value);
  const ids = useAnswer(id, 'searchTypes', typeQuery(typed.trim() === '' ? '#0' : typed)).value;
  const asked = isField ? { typed, limit: MOST_FIELDS } : NO_FIELDS;
  const fields = useAnswer(id, 'fieldNames', asked).value;
  const items = useMemo(
    () => placeSuggestions(types, typed, ids, fields ?? []),
    [types, typed, ids, fields],
  );
  const lit = useRef<PlaceSuggestion | null>(null);
  const isOpen = useRef(false);
  // Suggestions may come a moment after the last letter: then none is lit yet.
  const meant = () => {
    const text = value.trim();
    const first = isOpen.current ? items.find(({ name }) => name.startsWith(text)) : undefined;
    return text === '' ? value : (first?.place ?? value);
  };
  return (
    <Autocomplete.Root
      items={items}
      filter={null}
      mode="none"
      // Enter takes the first suggestion only where that goes on from what is typed.
      autoHighlight={items[0]?.name.startsWith(typed.trim()) === true}
      value={value}
      onItemHighlighted={(item: PlaceSuggestion | undefined) => {
        lit.current = item ?? null;
      }}
      onOpenChange={(open) => {
        isOpen.current = open;
      }}
      itemToStringValue={(item: PlaceSuggestion) => item.place}
      onValueChange={(next, { reason }) => {
        if (reason === 'item-press') onDone(next);
        else onChange(next);
      }}
    >
      <PickerInput
        label={label}
        placeholder={placeholder}
        onBlur={() => onDone(value)}
        onKeyDown={(event) => {
          // The list itself takes a highlighted suggestion.
          if (event.key === 'Enter' && lit.current === null) onDone(meant());
        }}
        end={
          value === '' ? null : (
            <button
              type="button"
              className={styles.clear}
              aria-label={`Clear ${label}`}
              onClick={() => onDone('')}
            >
              <X size={14} aria-hidden />
            </button>
          )
        }
      />
      <PickerPopup
        items={items}
        renderItem={(item) => (
          <PickerItem key={item.key} value={item}>
            <PickerLine
              badge={
                item.kind === null ? (
                  <Badge text="." tone="kind-data" label="field" />
                ) : (
                  <KindBadge kind={item.kind} decorative />
                )
              }
              name={item.name}
              aside={item.detail}
            />
          </PickerItem>
        )}
      />
    </Autocomplete.Root>
  );
}
