import { Autocomplete } from '@base-ui/react/autocomplete';
import { X } from 'lucide-react';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { FieldName } from '#analysis/paths/field-names.ts';
import { placeOfType } from '#analysis/paths/place-text.ts';
import { typeKeyOf } from '#analysis/types/type-key.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import { typeId } from '#model/ids.ts';
import { kindOf, nameOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import { Badge } from '#ui/Badge.tsx';
import { useEnter } from '#ui/SearchBox.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { PickerInput, PickerItem, PickerLine, PickerPopup } from '#views/parts/TypePicker.tsx';
import styles from './PlaceBox.module.css';

type PlaceBoxProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly label: string;
  readonly placeholder: string;
  /** Whether fields are suggested too, not only types. */
  readonly isField: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Called on Enter, when a suggestion is chosen, and when the box loses the focus. */
  readonly onDone: (value: string) => void;
};

const NO_FIELDS = { typed: '', limit: 0 };

/** Shows a text box for the start or the end of a path, with suggestions. */
export function PlaceBox(props: PlaceBoxProps) {
  const { id, types, label, placeholder, isField, value, onChange, onDone } = props;
  const typed = useDeferredValue(value);
  const typeAnswer = useAnswer(id, 'searchTypes', {
    text: typed.trim() === '' ? '#0' : typed,
    kinds: KINDS,
    order: 'name',
    descending: false,
  });
  const asked = isField ? { typed, limit: MAX_FIELDS } : NO_FIELDS;
  const fieldAnswer = useAnswer(id, 'fieldNames', asked);
  const [ids, fields] = [typeAnswer.value, fieldAnswer.value];
  const isWaiting =
    typed !== value || typeAnswer.step === 'waiting' || fieldAnswer.step === 'waiting';
  const items = useMemo(
    () => placeSuggestions(types, typed, ids, fields ?? []),
    [types, typed, ids, fields],
  );
  const lit = useRef<PlaceSuggestion | null>(null);
  const [isOpen, setOpen] = useState(false);
  const chosenPlace = () => {
    const text = value.trim();
    const first = isOpen ? items.find(({ name }) => name.startsWith(text)) : undefined;
    return text === '' ? value : (first?.place ?? value);
  };
  const enter = useEnter(isWaiting, () => {
    setOpen(false);
    onDone(chosenPlace());
  });
  return (
    <Autocomplete.Root
      items={items}
      filter={null}
      mode="none"
      // Highlight the first suggestion, which Enter chooses, only if it begins with the typed text.
      autoHighlight={items[0]?.name.startsWith(typed.trim()) === true}
      value={value}
      onItemHighlighted={(item: PlaceSuggestion | undefined) => {
        lit.current = item ?? null;
      }}
      open={isOpen}
      onOpenChange={setOpen}
      itemToStringValue={(item: PlaceSuggestion) => item.place}
      onValueChange={(next, { reason }) => {
        enter.cancel();
        if (reason === 'item-press') onDone(next);
        else onChange(next);
      }}
    >
      <PickerInput
        label={label}
        placeholder={placeholder}
        onBlur={() => {
          enter.cancel();
          onDone(value);
        }}
        onKeyDown={(event) => {
          // The list chooses a highlighted suggestion on Enter, unless it is from an earlier text.
          if (event.key !== 'Enter' || (lit.current !== null && !isWaiting)) return;
          // Otherwise Base UI closes the list before the first suggestion is chosen.
          event.preventBaseUIHandler();
          enter.press(null);
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

type PlaceSuggestion = {
  /** React key, different for each suggestion. */
  readonly key: string;
  /** Text for the box. A getter, because computing the text can need a scan of all types. */
  readonly place: string;
  /** BTF_KIND_* of the type; null for a field. */
  readonly kind: number | null;
  /** Name of the type or field, not escaped. */
  readonly name: string;
  readonly detail: string;
};

const MAX_TYPES = 8;
const MAX_FIELDS = 6;

const KINDS = (1 << BtfKind.STRUCT) | (1 << BtfKind.UNION) | (1 << BtfKind.TYPEDEF);

/** Returns suggested types and fields. Exact names are first. */
export function placeSuggestions(
  t: TypeTable,
  typed: string,
  ids: Uint32Array | null,
  fields: readonly FieldName[],
): PlaceSuggestion[] {
  const text = typed.trim();
  if (text === '') return [];
  const head = /^(.*?)(?:\.|->)/.exec(text)?.[1] ?? null;
  const ofFields = fields.map(({ name, count }) => ({
    key: `.${name}`,
    place: `${head === null || head === '' ? '*' : head}.${name}`,
    kind: null,
    name: head === null || head === '*' ? name : `${head}.${name}`,
    detail: head === null || head === '*' ? countOf(count, 'member') : 'field',
  }));
  if (head !== null) return ofFields;
  const ofTypes = [...(ids ?? []).slice(0, MAX_TYPES)].map((number) => ofType(t, number));
  const isWhole = ({ name }: PlaceSuggestion) => name === text;
  return [
    ...ofTypes.filter(isWhole),
    ...ofFields.filter(isWhole),
    ...ofTypes.filter((each) => !isWhole(each)),
    ...ofFields.filter((each) => !isWhole(each)),
  ];
}

function ofType(t: TypeTable, number: number): PlaceSuggestion {
  const id = typeId(number);
  const kind = kindOf(t, id);
  return {
    key: `${number}`,
    get place() {
      return placeOfType(typeKeyOf(t, id));
    },
    kind,
    name: nameOf(t, id),
    detail: kind === BtfKind.TYPEDEF ? 'typedef' : countOf(sizeOrTypeOf(t, id), 'byte'),
  };
}
