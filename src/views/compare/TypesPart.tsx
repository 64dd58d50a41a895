import { ArrowRight } from 'lucide-react';
import { useMemo } from 'react';
import { selectionType } from '#analysis/code/selection.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeId } from '#model/ids.ts';
import type { Active } from '#store/hooks.ts';
import { useViewParam } from '#store/view-state.ts';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { TypeSuggestions } from '#views/parts/TypePicker.tsx';
import { ComparedTypeButton } from './ComparedTypeButton.tsx';
import type { CompareSide } from './compare-sides.ts';
import { comparedPair, showPair } from './compared-pair.ts';
import { LockStep } from './LockStep.tsx';

import styles from './TypesPart.module.css';

/** The selected type in lock-step with its counterpart, or with any type that is chosen. */
export function TypesPart({
  active,
  before,
  after,
}: {
  readonly active: Active;
  readonly before: CompareSide;
  readonly after: CompareSide;
}) {
  const { id, model, selection } = active;
  const a = useViewParam(id, 'compare', 'a');
  const b = useViewParam(id, 'compare', 'b');
  const selected = selectionType(model, selection);
  const pair = useMemo(
    () => comparedPair(before.types, after.types, selected, { a, b }),
    [before.types, after.types, selected, a, b],
  );
  const isNothing = pair.a === null && pair.b === null;
  const choose = (patch: { readonly a?: TypeId; readonly b?: TypeId }) =>
    showPair(before.types, after.types, { a: pair.a, b: pair.b, ...patch });
  return (
    <div className={styles.part}>
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
          onChoose={(type) => choose({ b: type })}
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
      <div className={styles.lines}>
        {isNothing ? (
          <EmptyState
            title="Choose a type to compare"
            text="Select one anywhere in the page, or begin with one of these. It is set beside the type of the same name in the other file, line by line."
            actions={<TypeSuggestions model={model} view="compare" />}
          />
        ) : (
          <LockStep before={before} after={after} pair={pair} isTitled />
        )}
      </div>
    </div>
  );
}
