import { setMatrix } from '#store/core-matrix.ts';
import { cancelCore } from '#store/core-results.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { countOf } from '#views/parts/number-text.ts';
import styles from './MatrixProgress.module.css';
import { doneFraction } from './progress.ts';
import type { TargetColumn } from './use-matrix.ts';

/** How far the whole table is, with a way to stop and to go on. Nothing once all have answered. */
export function MatrixProgress({
  object,
  columns,
  isStopped,
}: {
  readonly object: FileId;
  readonly columns: readonly TargetColumn[];
  readonly isStopped: boolean;
}) {
  const ended = columns.filter(({ outcome }) => isEnded(outcome?.step)).length;
  if (ended === columns.length) return null;
  const detail = `${ended} of ${countOf(columns.length, 'target')}`;
  if (isStopped) {
    return (
      <div className={styles.stopped}>
        <span>Stopped after {detail}</span>
        <Button size="small" onClick={() => setMatrix(object, { stopped: false })}>
          Resume
        </Button>
      </div>
    );
  }
  const cancel = () => {
    // First of all, so that nothing is asked anew when the outcomes go.
    setMatrix(object, { stopped: true });
    cancelCore(object);
  };
  return (
    <ProgressBar
      label="Resolving"
      fraction={doneFraction(columns.map(({ outcome }) => outcome))}
      detail={detail}
      onCancel={cancel}
    />
  );
}

function isEnded(step: string | undefined): boolean {
  return step === 'ready' || step === 'failed';
}
