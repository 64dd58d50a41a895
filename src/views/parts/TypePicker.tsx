import { Combobox } from '@base-ui/react/combobox';
import { ChevronsUpDown } from 'lucide-react';
import {
  type ComponentProps,
  type FocusEventHandler,
  memo,
  type ReactNode,
  useId,
  useMemo,
  useState,
} from 'react';
import type { TypeQuery } from '#analysis/find/type-search.ts';
import { sizeOf } from '#analysis/types/sizes.ts';
import { typeExpression, typeTitle } from '#analysis/types/type-name.ts';
import { Derived, isRest, type Steps } from '#bytes/long-work.ts';
import { drawnName } from '#bytes/text.ts';
import { type TypeId, typeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import { typeSelection } from '#model/selection.ts';
import { isComposite } from '#model/type-items.ts';
import { kindOf, nameOffOf, sizeOrTypeOf, type TypeTable } from '#model/type-table.ts';
import { select } from '#store/address/navigation.ts';
import { useAnswer } from '#store/session/hooks.ts';
import type { FileId } from '#store/session/session.ts';
import type { ViewName } from '#store/session/views.ts';
import { FoundList, useEnter } from '#ui/SearchBox.tsx';
import { VirtualList } from '#ui/VirtualList.tsx';
import { KindBadge } from './KindBadge.tsx';
import { Name } from './Name.tsx';
import { countOf, shortSize } from './number-text.ts';
import styles from './TypePicker.module.css';
import { useRun } from './WhenReady.tsx';

/** Shows a type in a list: its kind, its name and `aside`. */
const TypeLine = memo(function TypeLine(props: {
  readonly types: TypeTable;
  readonly type: TypeId;
  readonly aside: string | null;
  /** True to keep the badge out of the option's accessible name. */
  readonly hasPlainBadge?: boolean;
}) {
  const { types, type, aside, hasPlainBadge = true } = props;
  return (
    <PickerLine
      badge={<KindBadge kind={kindOf(types, type)} decorative={hasPlainBadge} />}
      name={typeTitle(types, type)}
      aside={aside}
    />
  );
});

/** Shows one line in a list of choices. `name` is not escaped. */
export function PickerLine(props: {
  readonly badge: ReactNode;
  readonly name: string;
  readonly aside: string | null;
}) {
  return (
    <>
      {props.badge}
      <span className={styles.name}>
        <Name text={props.name} />
      </span>
      <span className="rigid small mono muted">{props.aside}</span>
    </>
  );
}

type TypeSearchProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  /** Bit mask of the kinds that are listed; 0 lists all kinds. */
  readonly kinds: number;
  readonly listLabel: string;
  readonly emptyText: string;
  readonly initialText?: string;
  /** Key that focuses the search box, shown in the box. */
  readonly hint?: string;
  readonly chosen: TypeId | null;
  /** Called when a pointer or a key selects a row. */
  readonly onSelect: (type: TypeId | null) => void;
  /** Called when a row is chosen with Enter or a double click. */
  readonly onChoose: (type: TypeId) => void;
  readonly showsChosen?: boolean;
};

/** Shows a search box for the types of a file, and the list of matches. */
export function TypeSearch(props: TypeSearchProps) {
  const { id, types, kinds, chosen, onSelect, onChoose, showsChosen = false } = props;
  const [text, setText] = useState(props.initialText ?? '');
  const query: TypeQuery = { text, kinds, order: 'name', descending: false };
  const answer = useAnswer(id, 'searchTypes', query);
  const ids = answer.value;
  const renderRow = useMemo(
    () => (row: number) => {
      const type = typeId(ids?.[row] ?? 0);
      return <TypeLine types={types} type={type} aside={`[${type}]`} hasPlainBadge={false} />;
    },
    [ids, types],
  );
  const index = ids === null || chosen === null ? -1 : ids.indexOf(chosen);
  const selectedIndex = index < 0 ? null : index;
  const typeAt = (row: number) => {
    const type = ids?.[row];
    return type === undefined ? null : typeId(type);
  };
  const choose = (row: number) => {
    const type = typeAt(row);
    if (type !== null) onChoose(type);
  };
  return (
    <div className="stack gap-2 shrink-y tall head-and-body">
      <FoundList
        label="Find a type"
        placeholder="task_struct, enum bpf_map_type, #12"
        value={text}
        onChange={(next) => {
          setText(next);
          if (!showsChosen) onSelect(null);
        }}
        isWaiting={answer.step === 'waiting'}
        onEnter={() => choose(showsChosen ? 0 : (selectedIndex ?? 0))}
        {...(props.hint === undefined ? {} : { hint: props.hint })}
        {...(ids === null || text === '' ? {} : { found: countOf(ids.length, 'type') })}
      />
      <div className="shrink-y line-above">
        {ids === null ? null : (
          <VirtualList
            list={ids}
            label={props.listLabel}
            count={ids.length}
            rowHeight={24}
            selectedIndex={selectedIndex}
            scrollToIndex={showsChosen ? selectedIndex : null}
            onSelect={(row) => onSelect(typeAt(row))}
            onActivate={choose}
            renderRow={renderRow}
            emptyText={props.emptyText}
          />
        )}
      </div>
    </div>
  );
}

const MAX_LISTED = 60;

type TypeFieldProps = {
  readonly id: FileId;
  readonly types: TypeTable;
  readonly label: string;
  readonly kinds: number;
  readonly value: TypeId | null;
  readonly onValue: (type: TypeId | null) => void;
  readonly placeholder: string;
};

/** Shows a field to choose a type by any part of its name. */
export function TypeField(props: TypeFieldProps) {
  const { id, types, label, kinds, value, onValue, placeholder } = props;
  const [text, setText] = useState('');
  const titleOf = (type: TypeId) => drawnName(typeExpression(types, type));
  // If the field shows the chosen type, its text is not a search.
  const isChosen = value !== null && text === titleOf(value);
  const answer = useAnswer(id, 'searchTypes', {
    text: isChosen ? '' : text,
    kinds,
    order: 'name',
    descending: false,
  });
  // While matches are loading, `answer.value` has those of an earlier text.
  const isWaiting = answer.step === 'waiting';
  const ids = answer.step === 'ready' ? answer.value : [];
  const items = Array.from(ids.slice(0, MAX_LISTED), typeId);
  const [isOpen, setOpen] = useState(false);
  const enter = useEnter(isWaiting, () => {
    const [first] = items;
    if (first === undefined) return;
    onValue(first);
    setOpen(false);
  });
  return (
    <Combobox.Root<TypeId>
      items={items}
      filter={null}
      value={value}
      onValueChange={(next) => onValue(next)}
      open={isOpen}
      onOpenChange={setOpen}
      onInputValueChange={(typed) => {
        enter.cancel();
        setText(typed);
      }}
      itemToStringLabel={titleOf}
      autoHighlight
    >
      <PickerInput
        label={label}
        placeholder={placeholder}
        onBlur={enter.cancel}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !isOpen || !isWaiting) return;
          event.preventDefault();
          event.preventBaseUIHandler();
          enter.press(null);
        }}
        end={<ChevronsUpDown size={14} aria-hidden className={styles.icon} />}
      />
      <PickerPopup
        items={items}
        none={isWaiting ? 'Searching…' : 'No matching type'}
        renderItem={(type) => (
          <PickerItem key={type} value={type}>
            <TypeLine types={types} type={type} aside={shortSize(sizeOf(types, type))} />
          </PickerItem>
        )}
      />
    </Combobox.Root>
  );
}

/** Shows the text field of a combobox or autocomplete with its label. Use it inside the root. */
export function PickerInput(props: {
  readonly label: string;
  readonly placeholder: string;
  /** Icon or button at the end of the field. */
  readonly end: ReactNode;
  readonly onBlur?: FocusEventHandler;
  readonly onKeyDown?: ComponentProps<typeof Combobox.Input>['onKeyDown'];
}) {
  const { label, placeholder, end, onBlur, onKeyDown } = props;
  const inputId = useId();
  return (
    <div className={styles.field}>
      <label className="small soft" htmlFor={inputId}>
        {label}
      </label>
      <div className="row relative">
        <Combobox.Input
          id={inputId}
          className={styles.input}
          placeholder={placeholder}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          onBlur={onBlur}
          onKeyDown={onKeyDown}
        />
        {end}
      </div>
    </div>
  );
}

/** Shows the list of a combobox or autocomplete. Without items it shows `none`, or is hidden. */
export function PickerPopup<T>(props: {
  readonly items: readonly T[];
  readonly none?: string;
  readonly renderItem: (item: T) => ReactNode;
}) {
  const { items, none, renderItem } = props;
  const isEmpty = items.length === 0;
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} align="start" className={styles.positioner}>
        <Combobox.Popup className={styles.popup} hidden={isEmpty && none === undefined}>
          {isEmpty && none !== undefined ? <p className="muted pad-3">{none}</p> : null}
          <Combobox.List className={styles.list}>{renderItem}</Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}

/** Shows an item of a `PickerPopup`. */
export function PickerItem(props: { readonly value: unknown; readonly children: ReactNode }) {
  return (
    <Combobox.Item value={props.value} className={styles.item}>
      {props.children}
    </Combobox.Item>
  );
}

const MAX_SUGGESTED = 8;

/** Shows buttons for a few suggested types. A click selects the type and shows it in `view`. */
export function TypeSuggestions(props: { readonly model: ObjectModel; readonly view: ViewName }) {
  const { model, view } = props;
  const id = useId();
  // Draw the view first, since finding the largest types of a kernel takes time.
  const suggested = useRun(suggestions.runOf(model));
  const table = model.types;
  if (suggested === null || table === null || suggested.types.length === 0) return null;
  const { why, types } = suggested;
  return (
    <div className={styles.suggestions}>
      <p className={styles.suggestionsTitle} id={id}>
        {why === 'core' ? 'Types in CO-RE relocations' : 'Largest types'}
      </p>
      <ul className={styles.suggestionList} aria-labelledby={id}>
        {types.map((type) => (
          <li key={type}>
            <button
              type="button"
              className={styles.suggestion}
              onClick={() => select(typeSelection(type), view)}
            >
              <TypeLine
                types={table}
                type={type}
                aside={countOf(sizeOrTypeOf(table, type), 'byte')}
              />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Types that a view suggests while nothing is selected. */
type SuggestedTypes = {
  /** `core`: the most frequent types of CO-RE records. `size`: the largest structs. */
  readonly why: 'core' | 'size';
  readonly types: readonly TypeId[];
};

/** Computes at most `limit` named structs and unions to suggest; none for a file without types. */
export function* suggestedTypes(model: ObjectModel, limit: number): Steps<SuggestedTypes> {
  const { types } = model;
  if (types === null) return { why: 'size', types: [] };
  const named = typesOfCore(model, types).slice(0, limit);
  if (named.length > 0) return { why: 'core', types: named };
  return { why: 'size', types: yield* largestTypes(types, limit) };
}

/** Cached for all views, since a file may have a million types. */
const suggestions = new Derived((model: ObjectModel) => suggestedTypes(model, MAX_SUGGESTED));

function typesOfCore(model: ObjectModel, types: TypeTable): TypeId[] {
  const { core } = model.ext;
  const uses = new Map<TypeId, number>();
  for (let i = 0; i < core.count; i++) {
    const id = typeId(core.typeId[i] ?? 0);
    if (isNamedComposite(types, id)) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  return [...uses].sort(([a, m], [b, n]) => n - m || a - b).map(([id]) => id);
}

function* largestTypes(types: TypeTable, limit: number): Steps<readonly TypeId[]> {
  const composites: TypeId[] = [];
  for (let i = 0; i < types.count; i++) {
    if (isRest(i)) yield;
    const id = typeId(types.firstId + i);
    if (isNamedComposite(types, id)) composites.push(id);
  }
  return composites
    .sort((a, b) => sizeOrTypeOf(types, b) - sizeOrTypeOf(types, a) || a - b)
    .slice(0, limit);
}

function isNamedComposite(types: TypeTable, id: TypeId): boolean {
  return isComposite(kindOf(types, id)) && nameOffOf(types, id) !== 0;
}
