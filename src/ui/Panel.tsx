import { type ReactNode, useId } from 'react';
import { Landmark } from './Landmark.tsx';
import styles from './Panel.module.css';

type PanelProps = {
  readonly title: string;
  /** Beside the title: a count, a badge. */
  readonly aside?: ReactNode;
  /** At the right of the title: buttons. */
  readonly actions?: ReactNode;
  /** Whether the body keeps a distance from the edges; a list or a table does not. */
  readonly isPadded?: boolean;
  readonly children: ReactNode;
};

/** A section with a title; fills its place, and its body scrolls. */
export function Panel({ title, aside, actions, isPadded = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <Landmark className="column shrink-y tall surface" aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className="ellipsis size-13">
          {title}
        </h2>
        {aside}
        <div className="row gap-1 rigid at-end">{actions}</div>
      </header>
      <div className={styles.body} data-padded={isPadded}>
        {children}
      </div>
    </Landmark>
  );
}
