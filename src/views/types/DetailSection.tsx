import type { ReactNode } from 'react';
import { TermText } from '#views/parts/Term.tsx';
import styles from './DetailSection.module.css';

type DetailSectionProps = {
  readonly title: string;
  /** Beside the title: a count, a summary. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
};

/** A part of what is told about a type. */
export function DetailSection({ title, aside, children }: DetailSectionProps) {
  return (
    <section className="stack gap-2 shrink">
      <header className={styles.header}>
        <h3>
          <TermText text={title} />
        </h3>
        {aside === undefined ? null : <span className="small muted">{aside}</span>}
      </header>
      {children}
    </section>
  );
}
