import { ArrowRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { selectionType } from '#analysis/selection/selection.ts';
import { typeTitle } from '#analysis/types/type-name.ts';
import { drawnName, visible } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import { kindOf, nameOf } from '#model/type-table.ts';
import type { Active } from '#store/session/hooks.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import { KindBadge } from '#views/parts/KindBadge.tsx';
import { Name } from '#views/parts/Name.tsx';
import { TypeSearch, TypeSuggestions } from '#views/parts/TypePicker.tsx';
import { type CompareSide, comparedPair, showPair } from './compared-pair.ts';
import { LockStep } from './LockStep.tsx';
import { compareState } from './state.ts';
import styles from './TypesPart.module.css';

type TypesPartProps = {
  readonly active: Active;
  readonly before: CompareSide;
  readonly after: CompareSide;
};

/** Shows the selected type beside the same type of the other file, or beside a chosen type. */
export function TypesPart({ active, before, after }: TypesPartProps) {
  const { id, model, selection } = active;
  const { a, b } = compareState.useOf(id);
  const selected = selectionType(model, selection);
  const pair = useMemo(
    () => comparedPair(before.types, after.types, selected, { a, b }),
    [before.types, after.types, selected, a, b],
  );
  const isNothing = pair.a === null && pair.b === null;
  return (
    <div className="column shrink shrink-y tall">
      <div className={styles.pickers}>
        <ComparedTypeButton
          term="Type before"
          side={before}
          type={pair.a}
          onChoose={(type) => showPair(before.types, after.types, { a: type, b: null })}
        />
        <ArrowRight size={14} aria-hidden className={styles.arrow} />
        <ComparedTypeButton
          term="Type after"
          side={after}
          type={pair.b}
          onChoose={(type) => showPair(before.types, after.types, { a: pair.a, b: type })}
        />
      </div>
      {pair.a !== null && pair.b === null ? (
        <Callout
          severity="note"
          title={
            before.id === after.id
              ? 'No other type of this name is in the file. Choose the type to compare with.'
              : `${drawnName(after.name)} has no type of this name. It was removed or renamed; any type can be chosen.`
          }
        />
      ) : null}
      <div className="fill">
        {isNothing ? (
          <EmptyState
            title="Choose a type to compare"
            text="Select one in any view, or start with one of these. It is compared line by line with the type of the same name in the other file."
            actions={<TypeSuggestions model={model} view="compare" />}
          />
        ) : (
          <LockStep before={before} after={after} pair={pair} isTitled />
        )}
      </div>
    </div>
  );
}

type ComparedTypeButtonProps = {
  readonly term: string;
  readonly side: CompareSide;
  readonly type: TypeId | null;
  readonly onChoose: (type: TypeId) => void;
};

/** Shows a type as a button that opens a dialog to choose another type. */
function ComparedTypeButton({ term, side, type, onChoose }: ComparedTypeButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className={styles.button} onClick={() => setOpen(true)} isMenu>
        <span className="muted regular">{term}</span>
        {type === null ? (
          <span>Choose a type</span>
        ) : (
          <>
            <KindBadge kind={kindOf(side.types, type)} decorative />
            <span className="shrink small mono clip tight">
              <Name text={typeTitle(side.types, type)} />
            </span>
          </>
        )}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Choose a type of ${visible(side.name)}`}
      >
        <Choice
          side={side}
          type={type}
          onChoose={(id) => {
            setOpen(false);
            onChoose(id);
          }}
        />
      </Dialog>
    </>
  );
}

function Choice({ side, type, onChoose }: Omit<ComparedTypeButtonProps, 'term'>) {
  const [chosen, setChosen] = useState<TypeId | null>(null);
  return (
    <div className="grid gap-2">
      <div className={styles.list}>
        <TypeSearch
          id={side.id}
          types={side.types}
          kinds={0}
          listLabel="Types to compare"
          emptyText="No matching type"
          initialText={type === null ? '' : nameOf(side.types, type)}
          chosen={chosen}
          onSelect={setChosen}
          onChoose={onChoose}
        />
      </div>
      <div className={styles.foot}>
        <Button
          variant="primary"
          disabled={chosen === null}
          onClick={() => (chosen === null ? undefined : onChoose(chosen))}
        >
          Compare
        </Button>
      </div>
    </div>
  );
}
