import { RotateCw } from 'lucide-react';
import { drawnName } from '#bytes/text.ts';
import { type CoreTask, resolveCore } from '#store/core-results.ts';
import { useCoreView } from '#store/core-view.ts';
import type { FileId } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import styles from './ColumnState.module.css';
import { countsWords } from './cell-words.ts';
import { columnFraction } from './progress.ts';
import { StateBar } from './StateBar.tsx';

/** Under a target's name: what all relocations come to on it, how far it is, or that it failed. */
export function ColumnState({
  object,
  target,
  name,
  outcome,
  counts,
}: {
  readonly object: FileId;
  readonly target: FileId;
  /** Of the target. Raw text. */
  readonly name: string;
  readonly outcome: CoreTask | null;
  readonly counts: readonly number[];
}) {
  const fresh = useCoreView((state) => state.fresh);
  switch (outcome?.step) {
    case undefined:
      return <span className={styles.words}>waiting</span>;
    case 'running':
      return <Running fraction={columnFraction(outcome)} name={name} />;
    case 'failed':
      return (
        <Button
          size="small"
          variant="danger"
          className={styles.retry}
          title={drawnName(outcome.issue.message)}
          aria-label={`Failed on ${drawnName(name)}: try again`}
          onClick={() => void resolveCore({ object, target, fresh })}
        >
          <RotateCw size={12} aria-hidden />
          Failed, retry
        </Button>
      );
    default:
      return <StateBar counts={counts} title={countsWords(counts)} />;
  }
}

function Running({ fraction, name }: { readonly fraction: number; readonly name: string }) {
  const percent = Math.round(100 * fraction);
  return (
    <span className={styles.running}>
      <span className={styles.words}>{percent} %</span>
      <span
        role="progressbar"
        className={styles.track}
        aria-label={drawnName(name)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span className={styles.done} style={{ width: `${percent}%` }} />
      </span>
    </span>
  );
}
