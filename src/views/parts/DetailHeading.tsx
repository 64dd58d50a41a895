import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '#ui/Button.tsx';
import { Copyable } from '#ui/CopyButton.tsx';
import styles from './DetailHeading.module.css';
import { Name } from './Name.tsx';
import { TermText } from './Term.tsx';

export type HeadingFact = { readonly term: string; readonly value: ReactNode };

type DetailHeadingProps = {
  /** Raw text. */
  readonly title: string;
  readonly badge?: ReactNode;
  /** What the button back says. */
  readonly back: string;
  /** Do the names of the facts have the cards of their terms? */
  readonly hasCards?: boolean;
  readonly facts: readonly HeadingFact[];
  readonly actions?: ReactNode;
  /** Under the facts: the declaration, or what it is in words. */
  readonly children?: ReactNode;
  readonly isFocused?: boolean;
  /** Leads to the list; absent where there is none. */
  readonly onBack?: (() => void) | undefined;
};

/** Name and facts of what is shown, and the ways to other views of it. */
export function DetailHeading(props: DetailHeadingProps) {
  const { title, badge, facts, actions, children, isFocused, onBack, hasCards = true } = props;
  const back = useRef<HTMLButtonElement>(null);
  // The button is drawn on narrow screens only; elsewhere it takes no focus.
  useEffect(() => {
    if (isFocused) back.current?.focus();
  }, [isFocused]);
  return (
    <header className={styles.heading} data-padded={hasCards}>
      {onBack === undefined ? null : (
        <Button
          ref={back}
          variant="quiet"
          className={styles.back}
          onClick={onBack}
          icon={ArrowLeft}
        >
          {props.back}
        </Button>
      )}
      <div className={styles.name}>
        <Copyable text={title} what="name">
          <h2 className={styles.title}>
            {badge}
            <Name text={title} {...(hasCards ? { otherwise: '(no name)' } : {})} />
          </h2>
        </Copyable>
      </div>
      {facts.length === 0 ? null : (
        <dl className={styles.facts}>
          {facts.map(({ term, value }) => (
            <div key={term} className={styles.fact}>
              <dt>{hasCards ? <TermText text={term} /> : term}</dt>
              <dd data-plain={typeof value === 'string' ? undefined : ''}>
                {typeof value === 'string' ? (
                  <Copyable text={value} what={term}>
                    {value}
                  </Copyable>
                ) : (
                  value
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      {children === undefined ? null : <div className={styles.more}>{children}</div>}
    </header>
  );
}
