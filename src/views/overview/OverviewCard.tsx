import { type ReactNode, useId } from 'react';
import { Landmark } from '#ui/aria.tsx';
import { Name } from '#views/parts/Name.tsx';
import { TermText } from '#views/parts/Term.tsx';
import styles from './OverviewCard.module.css';

type OverviewCardProps = {
  readonly title: string;
  /** Count shown beside the title. */
  readonly aside?: ReactNode;
  /** Sentence shown below the title. */
  readonly about?: ReactNode;
  /** True to omit the padding around the content, as for a table. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
};

/** Shows a card of the overview with its title. */
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

/** Returns a name from the file, escaped, for a table cell; null if the name is empty. */
export function nameOrNothing(text: string) {
  return text === '' ? null : <Name text={text} />;
}
