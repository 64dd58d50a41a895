import { useMemo } from 'react';
import { compareTypes, loneType, type TypeComparison } from '#analysis/compare/compare-types.ts';
import type { TypeId } from '#model/ids.ts';
import type { TaskState } from '#store/tasks.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { type CompareSide, graphOf } from './compared-pair.ts';
import styles from './WorkState.module.css';

type WorkStateProps = {
  readonly label: string;
  readonly outcome: TaskState<unknown> | null;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
};

/** How far the work is, that it was stopped, or why it failed. */
export function WorkState({ label, outcome, onCancel, onRetry }: WorkStateProps) {
  if (outcome?.step === 'stopped') {
    return (
      <EmptyState
        title="Stopped"
        text="Nothing of it is kept."
        actions={<Button onClick={onRetry}>Begin again</Button>}
      />
    );
  }
  if (outcome?.step === 'failed') {
    return (
      <div className={styles.state}>
        <Callout severity="error" title={outcome.issue.message} isAlert>
          {outcome.issue.advice}
        </Callout>
      </div>
    );
  }
  const fraction =
    outcome?.step === 'running' && outcome.total > 0 ? outcome.done / outcome.total : null;
  return (
    <div className={styles.state}>
      <ProgressBar label={label} fraction={fraction} onCancel={onCancel} />
    </div>
  );
}

/** The types that are compared; null where a side has none. */
export type ComparedPair = { readonly a: TypeId | null; readonly b: TypeId | null };

/** Two types in lock-step, or one of them alone; null where there is none. */
export function useComparison(
  before: CompareSide,
  after: CompareSide,
  { a, b }: ComparedPair,
): TypeComparison | null {
  return useMemo(() => {
    const graph = graphOf(before.types, after.types);
    if (a !== null && b !== null) return compareTypes(graph, a, b);
    if (a !== null) return loneType(graph, 'a', a);
    return b === null ? null : loneType(graph, 'b', b);
  }, [before.types, after.types, a, b]);
}
