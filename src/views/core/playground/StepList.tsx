import type { AccessPath } from '#analysis/core/access-path.ts';
import { drawnName } from '#bytes/text.ts';
import type { TypeTable } from '#model/type-table.ts';
import styles from './StepList.module.css';
import { stepCaption } from './step-caption.ts';

/** What each index of an access string means, one under the other. A click goes back to it. */
export function StepList({
  types,
  path,
  onStep,
}: {
  readonly types: TypeTable;
  readonly path: AccessPath;
  /** The access string up to the step. */
  readonly onStep: (accessStr: string) => void;
}) {
  const { steps } = path;
  if (steps.length === 0) return null;
  const rows = steps.map((step, at) => ({ at, step }));
  return (
    <ol className={styles.list}>
      {rows.map(({ at, step }) => {
        const isLast = at === steps.length - 1;
        const upTo = steps.slice(0, at + 1).map((one) => one.index);
        return (
          <li key={at} className={styles.step}>
            <button
              type="button"
              className={styles.index}
              title={isLast ? 'Here the way ends' : 'Go back to here'}
              aria-current={isLast ? 'step' : undefined}
              onClick={() => onStep(upTo.join(':'))}
            >
              {step.index}
            </button>
            <span className={styles.name}>{drawnName(stepCaption(types, step))}</span>
            <span className={styles.words}>{drawnName(step.words)}</span>
          </li>
        );
      })}
    </ol>
  );
}
