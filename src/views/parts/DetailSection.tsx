import { type ReactNode, useId } from 'react';
import { Landmark } from '#ui/aria.tsx';
import type { Tone } from '#ui/tone.ts';
import styles from './DetailSection.module.css';
import { TermText } from './Term.tsx';

type DetailSectionProps = {
  readonly title: string;
  /** Beside the title. */
  readonly aside?: ReactNode;
  /** At the right of the title: links to other views. */
  readonly actions?: ReactNode;
  readonly tone?: Tone;
  readonly children: ReactNode;
};

/** A part of a detail panel under a small heading. A tone draws a line in its colour beside it. */
export function DetailSection({ title, aside, actions, tone, children }: DetailSectionProps) {
  const titleId = useId();
  return (
    <Landmark className={styles.section} data-tone={tone} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h3 id={titleId} className={styles.title}>
          <TermText text={title} />
        </h3>
        {aside === undefined ? null : <span className="small muted">{aside}</span>}
        {actions === undefined ? null : <div className="wrapping gap-1 at-end">{actions}</div>}
      </header>
      {children}
    </Landmark>
  );
}
