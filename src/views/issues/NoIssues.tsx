import { Check, CircleCheck, Hourglass } from 'lucide-react';
import type { ObjectModel } from '#model/object-model.ts';
import { checksOf } from './checks.ts';
import styles from './NoIssues.module.css';

/** Says that all is well, and what was looked at to say so. */
export function NoIssues({
  model,
  isLooking,
}: {
  readonly model: ObjectModel;
  /** The closer look is not done. */
  readonly isLooking: boolean;
}) {
  return (
    <div className={styles.page}>
      <CircleCheck size={32} aria-hidden className={styles.icon} />
      <h2 className={styles.title}>{isLooking ? 'Nothing wrong so far' : 'Nothing wrong here'}</h2>
      <p className={styles.text}>
        {isLooking
          ? 'The file was read without a complaint. A closer look at its records is under way.'
          : 'Every part of this file was read to its end and says what it should.'}
      </p>
      <ul className={styles.checks} aria-label="What was checked">
        {checksOf(model).map(({ what, how, isCloser }) => (
          <li key={what} className={styles.check}>
            {isLooking && isCloser ? (
              <Hourglass size={14} aria-label="under way" className={styles.waits} />
            ) : (
              <Check size={14} aria-label="checked" className={styles.done} />
            )}
            <span className={styles.what}>{what}</span>
            <span className={styles.how}>{how}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
