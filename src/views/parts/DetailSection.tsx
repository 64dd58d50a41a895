import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Landmark } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { Copyable } from '#ui/CopyButton.tsx';
import type { Tone } from '#ui/tone.ts';
import styles from './DetailSection.module.css';
import { Name } from './Name.tsx';
import { TermText } from './Term.tsx';

type DetailSectionProps = {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly actions?: ReactNode;
  readonly tone?: Tone;
  readonly children: ReactNode;
};

/** Shows a part of a detail panel below a small heading. `tone` colours the line beside it. */
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

export type HeadingFact = { readonly term: string; readonly value: ReactNode };

type DetailHeadingProps = {
  /** Title of the shown item, not escaped. */
  readonly title: string;
  readonly badge?: ReactNode;
  /** Label of the button that leads back to the list. */
  readonly back: string;
  /** True if names of facts that are glossary terms have cards. */
  readonly hasCards?: boolean;
  readonly facts: readonly HeadingFact[];
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
  readonly isFocused?: boolean;
  /** Called to go back to the list; absent if there is no list. */
  readonly onBack?: (() => void) | undefined;
};

/** Shows the name, the facts and the actions of an item. */
export function DetailHeading(props: DetailHeadingProps) {
  const { title, badge, facts, actions, children, isFocused, onBack, hasCards = true } = props;
  const back = useRef<HTMLButtonElement>(null);
  // Only narrow screens draw the button. Elsewhere it cannot be focused.
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
          title={props.back}
        >
          <span className={styles.backText}>{props.back}</span>
        </Button>
      )}
      <div className={styles.name}>
        <Copyable text={title} what="name">
          <h2 className={styles.headingTitle}>
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
