import { Boxes } from 'lucide-react';
import { useCallback, useContext, useMemo, useState } from 'react';
import { selectionType } from '#analysis/selection/selection.ts';
import { kindHistogram } from '#analysis/types/type-census.ts';
import { BtfKind } from '#formats/btf/kinds.ts';
import type { TypeId } from '#model/ids.ts';
import { isBpf, type ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { tellHeight } from '#store/page/host.ts';
import { useActive } from '#store/session/hooks.ts';
import { isTypeAlone } from '#store/session/panes.ts';
import { type FileId, fileById, useSession } from '#store/session/session.ts';
import { EmptyState } from '#ui/Panel.tsx';
import { PresentingContext } from '#ui/presenting.ts';
import { Split } from '#ui/Split.tsx';
import { countOf } from '#views/parts/number-text.ts';
import { TypeSuggestions } from '#views/parts/TypePicker.tsx';
import { absentSupplement, SupplementBar } from './SupplementBar.tsx';
import { TypeDetail } from './TypeDetail.tsx';
import { TypeListPane } from './TypeListPane.tsx';
import { WithoutTypes } from './WithoutTypes.tsx';

/** Shows a list of the file's types and the details of the selected type. */
export function TypesView() {
  const active = useActive();
  if (active === null) return null;
  const { model, id, selection } = active;
  if (model.types === null) return <WithoutTypes id={id} model={model} />;
  const panes = <TypesPanes fileId={id} model={model} types={model.types} selection={selection} />;
  if (absentSupplement(model) === undefined) return panes;
  return (
    <div className="column tall">
      <SupplementBar id={id} model={model} />
      <div className="fill">{panes}</div>
    </div>
  );
}

const NOUNS: readonly (readonly [kind: number, singular: string, plural: string])[] = [
  [BtfKind.STRUCT, 'struct', 'structs'],
  [BtfKind.UNION, 'union', 'unions'],
  [BtfKind.FUNC, 'function', 'functions'],
];

/** Shows what to do while no type is selected. */
export function NoTypeSelected(props: { readonly model: ObjectModel; readonly types: TypeTable }) {
  const { model, types } = props;
  const text = useMemo(() => sentence(types), [types]);
  return (
    <EmptyState
      icon={<Boxes size={28} aria-hidden />}
      title="Choose a type from the list"
      text={text}
      // The list beside it begins with the largest structs.
      {...(isBpf(model) ? { actions: <TypeSuggestions model={model} view="types" /> } : {})}
    />
  );
}

function sentence(types: TypeTable): string {
  const counts = new Map(kindHistogram(types).map(({ kind, count }) => [kind, count]));
  const parts = NOUNS.flatMap(([kind, singular, plural]) => {
    const count = counts.get(kind) ?? 0;
    return count === 0 ? [] : [countOf(count, singular, plural)];
  });
  const first = parts.slice(0, -1).join(', ');
  const all = parts.length > 1 ? `${first} and ${parts.at(-1)}` : (parts[0] ?? 'no structs');
  return `This file has ${all}. A type shows its C declaration, layout, references in both directions, and raw record.`;
}

type TypesPanesProps = {
  readonly fileId: FileId;
  readonly model: ObjectModel;
  readonly types: TypeTable;
  readonly selection: Selection;
};

const NO_PATH: readonly number[] = [];

/** Shows the list beside the selected type. A narrow view shows only one of them. */
function TypesPanes({ fileId, model, types, selection }: TypesPanesProps) {
  const selected = selectionType(model, selection);
  const [isListWanted, setListWanted] = useState(false);
  // True after a change between list and details in a narrow view: the shown one takes the focus.
  const [isFocusMoved, setFocusMoved] = useState(false);
  const show = useCallback((pane: 'list' | 'detail') => {
    setListWanted(pane === 'list');
    setFocusMoved(true);
  }, []);
  const onOpen = useCallback(() => show('detail'), [show]);
  const list = useMemo(
    () => ({ isFocused: isFocusMoved, onBack: () => show('list') }),
    [isFocusMoved, show],
  );
  const isPresenting = useContext(PresentingContext);
  const isAlone = useSession((state) => isTypeAlone(state, fileById(state, fileId)));
  const detail = selected !== null && (
    <TypeDetail
      key={selected}
      fileId={fileId}
      types={types}
      type={selected}
      memberPath={memberPathOf(selection, selected)}
      list={isAlone ? null : list}
    />
  );
  if (isAlone && detail !== false) {
    return (
      <div className="tall scroll-y" ref={tellHeight}>
        {/* This element must stay when the type changes, because its height is observed. */}
        <div>{detail}</div>
      </div>
    );
  }
  return (
    <Split
      label="Resize the list of types"
      firstSize={32}
      minFirst={300}
      minSecond={360}
      narrow={isListWanted || selected === null ? 'first' : 'second'}
      first={<TypeListPane fileId={fileId} types={types} selected={selected} onOpen={onOpen} />}
      second={
        // An audience sees each type from its heading on.
        <div key={isPresenting ? selected : null} className="tall scroll-y">
          {detail || <NoTypeSelected model={model} types={types} />}
        </div>
      }
    />
  );
}

function memberPathOf(selection: Selection, selected: TypeId): readonly number[] {
  return selection.kind === 'type' && selection.type === selected ? selection.memberPath : NO_PATH;
}
