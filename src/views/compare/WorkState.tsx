import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { WholeComparison } from '#analysis/compare/compare-tables.ts';
import type { DuplicateGroup } from '#analysis/compare/duplicates.ts';
import { clientOf } from '#store/session/files.ts';
import { type FileId, fileById, session, typesOf } from '#store/session/session.ts';
import { revisionOf, type TaskKey, type TaskState, Tasks } from '#store/session/tasks.ts';
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

/** Starts the work and draws its result; before that its progress, or why it stopped. */
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

const wholes = new Tasks<TaskKey, WholeComparison>();
const duplicates = new Tasks<TaskKey, readonly DuplicateGroup[]>();

/** Returns the state of the comparison of two files; null before it is requested. */
export function useWholeComparison(a: FileId, b: FileId | null): TaskState<WholeComparison> | null {
  return wholes.useTask(() => taskKey(a, b));
}

/** Returns the state of the search for types that share a name; null before it is requested. */
export function useDuplicates(id: FileId): TaskState<readonly DuplicateGroup[]> | null {
  return duplicates.useTask(() => taskKey(id));
}

/** Compares all types of two files, if not yet done or running. */
export async function compareWhole(a: FileId, b: FileId): Promise<void> {
  const other = typesOf(fileById(session.getState(), b));
  const client = clientOf(a);
  if (other === null || client === null) return;
  await wholes.run(taskKey(a, b), (options) => client.call('compare', { other }, options));
}

/** Finds the types of a file that share a name, if not yet done or running. */
export async function findDuplicates(id: FileId): Promise<void> {
  await duplicates.run(taskKey(id), async (options) =>
    clientOf(id)?.call('duplicates', null, options),
  );
}

/** Stops the comparison of two files; it can be started again. */
export function stopComparing(a: FileId, b: FileId): void {
  wholes.stop(taskKey(a, b));
}

/** Stops the search for types that share a name; it can be started again. */
export function stopDuplicates(id: FileId): void {
  duplicates.stop(taskKey(id));
}

function taskKey(...ids: readonly (FileId | null)[]): TaskKey {
  return { files: ids.filter((id) => id !== null).map(revisionOf) };
}
