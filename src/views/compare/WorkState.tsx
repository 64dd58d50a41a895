import type { TaskState } from '#store/tasks.ts';
import { Button } from '#ui/Button.tsx';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import styles from './WorkState.module.css';

/** How far the work is, that it was stopped, or why it failed. */
export function WorkState({
  label,
  outcome,
  onCancel,
  onRetry,
}: {
  readonly label: string;
  readonly outcome: TaskState<unknown> | null;
  readonly onCancel: () => void;
  readonly onRetry: () => void;
}) {
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
