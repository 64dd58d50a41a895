import { type ReactNode, useId } from 'react';
import { Landmark } from '#ui/aria.tsx';
import { Name } from '#views/parts/Name.tsx';
import { TermText } from '#views/parts/Term.tsx';
import styles from './OverviewCard.module.css';

type OverviewCardProps = {
  readonly title: string;
  /** Beside the title: a count. */
  readonly aside?: ReactNode;
  /** Under the title, in a sentence. */
  readonly about?: ReactNode;
  /** A table goes from edge to edge. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
};

/** A part of the overview under its heading. */
export function OverviewCard(props: OverviewCardProps) {
  const { title, aside, about, isFlush = false, children } = props;
  const titleId = useId();
  return (
    <Landmark className={styles.card} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className="size-13">
          <TermText text={title} />
        </h2>
        {aside === undefined ? null : <span className="small muted">{aside}</span>}
        {about === undefined ? null : <p className={styles.about}>{about}</p>}
      </header>
      <div className={styles.body} data-flush={isFlush}>
        {children}
      </div>
    </Landmark>
  );
}

/** A name out of the file in a cell, which stays empty where there is none. */
export function nameOrNothing(text: string) {
  return text === '' ? null : <Name text={text} />;
}
