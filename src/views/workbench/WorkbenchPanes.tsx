import { useEffect, useMemo, useRef } from 'react';
import { editWorkbench } from '#store/edit-workbench.ts';
import type { Active } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import type { Workbench } from '#store/workbench-state.ts';
import { Split } from '#ui/Split.tsx';
import { useNarrow } from '#ui/ViewWidth.tsx';
import { placeOfType, selectionAtCaret } from './caret-type.ts';
import { DeclarationEditor } from './DeclarationEditor.tsx';
import { ProblemList } from './ProblemList.tsx';
import { ResultPanes } from './ResultPanes.tsx';
import { litBySelection } from './subject.ts';
import { useSettled } from './use-settled.ts';
import styles from './WorkbenchPanes.module.css';
import { WorkbenchToolbar } from './WorkbenchToolbar.tsx';

const NARROW = 719;

type WorkbenchPanesProps = { readonly active: Active; readonly workbench: Workbench };

/** The editor, what is wrong in it, and all that the declarations come to. */
export function WorkbenchPanes({ active, workbench }: WorkbenchPanesProps) {
  const { id, model, selection } = active;
  const { text, places } = workbench;
  const problems = useSettled(workbench.problems);
  const { types } = model;
  const editor = useRef<HTMLTextAreaElement>(null);
  const isNarrow = useNarrow(NARROW);
  const lit = litBySelection(model, selection);
  const litType = lit?.type ?? null;
  const declared = useMemo(
    () => (types && places && litType !== null ? placeOfType(types, places, litType) : null),
    [types, places, litType],
  );

  const follow = (caret: number) => {
    if (types === null || places === null) return;
    const there = selectionAtCaret(types, places, text, caret);
    if (there !== null) select(there);
  };
  const followLatest = useRef(follow);
  followLatest.current = follow;
  // What is typed selects what it declares, as soon as that is known.
  useEffect(() => {
    const field = editor.current;
    if (places === null || field === null || document.activeElement !== field) return;
    followLatest.current(field.selectionStart);
  }, [places]);

  const goTo = (start: number, end: number) => {
    editor.current?.focus();
    editor.current?.setSelectionRange(start, end);
  };

  const writing = (
    <section className="column shrink-y tall surface" aria-labelledby="workbench-declarations">
      <h2 id="workbench-declarations" className="visually-hidden">
        Declarations
      </h2>
      <DeclarationEditor
        field={editor}
        text={text}
        problems={problems}
        declared={declared}
        onText={(typed) => void editWorkbench(id, { text: typed })}
        onCaret={follow}
      />
      <ProblemList text={text} problems={problems} onGoTo={goTo} />
    </section>
  );
  const results = (
    <ResultPanes active={active} workbench={workbench} isStale={problems.length > 0} lit={lit} />
  );
  return (
    <div className="column shrink-y tall">
      <WorkbenchToolbar id={id} model={model} workbench={workbench} />
      <div className="fill">
        {isNarrow ? (
          <div className={styles.stack}>
            {writing}
            {results}
          </div>
        ) : (
          <Split
            label="Resize the editor"
            first={writing}
            second={results}
            firstSize={30}
            minFirst={260}
            minSecond={360}
          />
        )}
      </div>
    </div>
  );
}
