import type { AccessPath } from '#analysis/core/access-path.ts';
import { drawnName } from '#bytes/text.ts';
import styles from './AccessChips.module.css';
import { chipCaption } from './chip-caption.ts';
import { departsAt, targetStepOf } from './path-lanes.ts';

/** The target's path under the local one: quiet as far as both are alike, and lit where the local index is. */
export function TargetChips({
  local,
  target,
  shown,
}: {
  readonly local: AccessPath;
  readonly target: AccessPath;
  /** Number of the local step that is looked at. */
  readonly shown: number;
}) {
  const departs = departsAt(local, target) ?? target.steps.length;
  const lit = targetStepOf(local, target, shown);
  const chips = target.steps.map((step, at) => ({ at, step }));
  return (
    <ol className={styles.row} aria-label="Path in the target">
      {chips.map(({ at, step }) => (
        <li key={at} className={styles.item}>
          {at === 0 ? null : (
            <span className={styles.colon} aria-hidden>
              :
            </span>
          )}
          <span
            className={styles.chip}
            data-state={at < departs ? 'alike' : 'departed'}
            data-lit={at === lit}
          >
            <span className={styles.index}>{step.index}</span>{' '}
            <span className={styles.caption}>{drawnName(chipCaption(target, at, 'step'))}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
