import { type ReactNode, useId } from 'react';
import { classNames } from '#ui/class-names.ts';
import type { Tone } from '#ui/tone.ts';
import styles from './DetailCard.module.css';

type DetailCardProps = {
  /** What kind of thing: `Relocation`. */
  readonly what: string;
  /** Its name; a line of its own. */
  readonly title: ReactNode;
  /** The tone of its mark in the hex view. */
  readonly tone?: Tone;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
};

/** One thing that the byte is part of. */
export function DetailCard({ what, title, tone, children, actions }: DetailCardProps) {
  const titleId = useId();
  return (
    <section
      className={classNames(styles.card, tone !== undefined && styles.toned)}
      data-tone={tone}
      aria-labelledby={titleId}
    >
      <h3 id={titleId}>
        <span className={styles.what}>{what}</span> <span className={styles.title}>{title}</span>
      </h3>
      {children}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
