import { MATRIX_STATES } from '#analysis/core/matrix/matrix.ts';
import { STATE_TONES, StateMark } from '#views/core/parts/StateMark.tsx';
import { worstState } from './matrix-text.ts';
import styles from './StateBar.module.css';

type StateBarProps = {
  readonly counts: readonly number[];
  readonly title: string;
};

/** Many cells summed up: how many are in the worst state, over a bar of all states. `title` says it whole. */
export function StateBar({ counts, title }: StateBarProps) {
  const worst = worstState(counts);
  if (worst === null) return null;
  const count = counts[MATRIX_STATES.indexOf(worst)] ?? 0;
  return (
    <span className={styles.sum} title={title}>
      <StateMark
        state={worst}
        text={worst === 'same' ? 'all same' : `${count} ${worst}`}
        title={title}
      />
      <span className={styles.bar} aria-hidden>
        {MATRIX_STATES.map((state, i) =>
          (counts[i] ?? 0) === 0 ? null : (
            <span
              key={state}
              className={styles.part}
              data-tone={STATE_TONES[state]}
              style={{ flexGrow: counts[i] }}
            />
          ),
        )}
      </span>
    </span>
  );
}
