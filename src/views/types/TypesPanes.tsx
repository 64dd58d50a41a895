import { useState } from 'react';
import { selectionType } from '#analysis/code/selection.ts';
import type { TypeId } from '#model/ids.ts';
import type { ObjectModel } from '#model/object-model.ts';
import type { Selection } from '#model/selection.ts';
import type { TypeTable } from '#model/type-table.ts';
import type { FileId } from '#store/session.ts';
import { Split } from '#ui/Split.tsx';
import { NoTypeSelected } from './NoTypeSelected.tsx';
import { TypeDetail } from './TypeDetail.tsx';
import { TypeListPane } from './TypeListPane.tsx';
import styles from './TypesPanes.module.css';

type TypesPanesProps = {
  readonly fileId: FileId;
  readonly model: ObjectModel;
  readonly types: TypeTable;
  readonly selection: Selection;
};

const NO_PATH: readonly number[] = [];

/** The list and the selected type beside each other; on a narrow screen one of them. */
export function TypesPanes({ fileId, model, types, selection }: TypesPanesProps) {
  const selected = selectionType(model, selection);
  const [isListWanted, setListWanted] = useState(false);
  // Whoever opens the list or leaves it by hand finds the focus where the page went.
  const [isFocusMoved, setFocusMoved] = useState(false);
  const show = (what: 'list' | 'detail') => {
    setListWanted(what === 'list');
    setFocusMoved(true);
  };
  return (
    <Split
      label="Resize the list of types"
      firstSize={32}
      minFirst={300}
      minSecond={360}
      narrow={isListWanted || selected === null ? 'first' : 'second'}
      first={
        <TypeListPane
          fileId={fileId}
          types={types}
          selected={selected}
          onOpen={() => show('detail')}
        />
      }
      second={
        <div className={styles.detail}>
          {selected === null ? (
            <NoTypeSelected model={model} types={types} />
          ) : (
            <TypeDetail
              key={selected}
              fileId={fileId}
              types={types}
              type={selected}
              memberPath={memberPathOf(selection, selected)}
              isFocused={isFocusMoved}
              onBack={() => show('list')}
            />
          )}
        </div>
      }
    />
  );
}

function memberPathOf(selection: Selection, selected: TypeId): readonly number[] {
  return selection.kind === 'type' && selection.type === selected ? selection.memberPath : NO_PATH;
}
