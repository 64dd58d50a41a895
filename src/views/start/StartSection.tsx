import { type ReactNode, useId } from 'react';
import styles from './StartSection.module.css';

/** Shows a section of the start page. */
export function StartSection(props: {
  readonly title: string;
  readonly about?: string;
  /** Buttons at the end of the heading's line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, about, actions, children } = props;
  const titleId = useId();
  return (
    <section className="stack gap-3" aria-labelledby={titleId}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {about === undefined ? null : <p className="muted">{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
