import { type ReactNode, useEffect, useEffectEvent } from 'react';
import type { TaskKey, Tasks } from '#store/session/tasks.ts';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/bars.tsx';
import { Callout } from '#ui/Callout.tsx';
import { EmptyState } from '#ui/Panel.tsx';
import styles from './WorkState.module.css';

type WorkStateProps<K extends TaskKey, T> = {
  readonly label: string;
  readonly tasks: Tasks<K, T>;
  readonly keyNow: () => K;
  readonly request: Parameters<Tasks<K, T>['run']>[1];
  readonly children: (value: T) => ReactNode;
};

/** Starts some work. Shows its progress, then its result or the reason why it stopped. */
export function WorkState<K extends TaskKey, T>(props: WorkStateProps<K, T>) {
  const { label, tasks, keyNow, request, children } = props;
  const outcome = tasks.useTask(keyNow);
  const start = () => void tasks.run(keyNow(), request);
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
      <ProgressBar label={label} fraction={fraction} onCancel={() => tasks.stop(keyNow())} />
    </div>
  );
}
