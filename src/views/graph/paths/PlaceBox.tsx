import { Autocomplete } from '@base-ui/react/autocomplete';
import { X } from 'lucide-react';
import { useDeferredValue, useId, useMemo, useRef } from 'react';
import type { TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/hooks.ts';
import type { FileId } from '#store/session.ts';
import { Badge } from '#ui/Badge.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
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
  const inputId = useId();
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
    <div className={styles.field}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
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
        <div className={styles.box}>
          <Autocomplete.Input
            id={inputId}
            className={styles.input}
            placeholder={placeholder}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            autoCorrect="off"
            onBlur={() => onDone(value)}
            onKeyDown={(event) => {
              // A suggestion that is lit is taken by the list itself.
              if (event.key === 'Enter' && lit.current === null) onDone(meant());
            }}
          />
          {value === '' ? null : (
            <button
              type="button"
              className={styles.clear}
              aria-label={`Clear ${label}`}
              onClick={() => onDone('')}
            >
              <X size={14} aria-hidden />
            </button>
          )}
        </div>
        <Autocomplete.Portal>
          <Autocomplete.Positioner className={styles.positioner} sideOffset={4} align="start">
            <Autocomplete.Popup className={styles.popup} hidden={items.length === 0}>
              <Autocomplete.List className={styles.list}>
                {(item: PlaceSuggestion) => (
                  <Autocomplete.Item key={item.key} value={item} className={styles.item}>
                    {item.kind === null ? (
                      <Badge text="." tone="kind-data" label="field" />
                    ) : (
                      <KindBadge kind={item.kind} decorative />
                    )}
                    <span className={styles.name}>
                      <Name text={item.name} />
                    </span>
                    <span className={styles.detail}>{item.detail}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </div>
  );
}
