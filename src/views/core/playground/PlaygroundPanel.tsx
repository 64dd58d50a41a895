import { useState } from 'react';
import type { Hop } from '#analysis/core/playground.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import { useActive } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import type { FileId } from '#store/session.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Split } from '#ui/Split.tsx';
import { TypeSuggestions } from '#views/parts/TypePicker.tsx';
import { keepWalk, keptWalk } from './kept-walks.ts';
import { TypeChooser } from './TypeChooser.tsx';
import { WalkPane } from './WalkPane.tsx';
import { newWalk, selectionOf, type Walk, walkOf } from './walk-state.ts';

/** Any access to any type: its access string, what to write for it in C, and what it comes to on each kernel. */
export function PlaygroundPanel() {
  const active = useActive();
  const types = active?.model.types ?? null;
  if (active === null || types === null) return null;
  const { id, model, selection } = active;
  return <Playground id={id} model={model} types={types} selection={selection} />;
}

function Playground({
  id,
  model,
  types,
  selection,
}: {
  readonly id: FileId;
  readonly model: ObjectModel;
  readonly types: TypeTable;
  readonly selection: Selection;
}) {
  const [kept, setKept] = useState(() => keptWalk(model));
  const walk = walkOf(model, selection, kept);
  const go = (next: Walk) => {
    setKept(next);
    keepWalk(model, next);
    const selected = selectionOf(types, next);
    if (selected !== null) select(selected);
  };
  return (
    <Split
      label="Resize the list of types"
      firstSize={26}
      minFirst={180}
      minSecond={260}
      first={
        <TypeChooser
          id={id}
          types={types}
          chosen={walk?.hops[0]?.root ?? null}
          onChoose={(root: TypeId) => go(newWalk(types, root))}
        />
      }
      second={
        walk === null ? (
          <EmptyState
            title="Choose a type"
            text="Then go down its members, or type an access string such as 0:1:2: each step is explained, with what to write in C and what it comes to on each open kernel."
            actions={<TypeSuggestions model={model} view="core" />}
          />
        ) : (
          <WalkPane
            id={id}
            model={model}
            types={types}
            hops={walk.hops}
            onHops={(hops: readonly Hop[]) => go({ hops, core: null })}
          />
        )
      }
    />
  );
}
