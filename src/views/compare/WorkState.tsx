import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { TaskState } from '#store/session/tasks.ts';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import styles from './WorkState.module.css';

type WorkStateProps<T> = {
  readonly label: string;
  /** Null before the start. */
  readonly outcome: TaskState<T> | null;
  readonly start: () => void;
  readonly onCancel: () => void;
  /** Draws the result. */
  readonly children: (value: T) => ReactNode;
};

/** Starts the work and draws its result; until then how far it is, that it was stopped, or why it failed. */
export function WorkState<T>(props: WorkStateProps<T>) {
  const { label, outcome, start, onCancel, children } = props;
  const isNew = outcome === null;
  const begin = useEffectEvent(start);
  useEffect(() => {
    if (isNew) begin();
  }, [isNew]);
  if (outcome?.step === 'ready') return children(outcome.value);
  if (outcome?.step === 'stopped') {
    return (
      <EmptyState
        title="Stopped"
        text="No result is kept."
        actions={<Button onClick={start}>Begin again</Button>}
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
