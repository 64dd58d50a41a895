import { ArrowRight, ExternalLink } from 'lucide-react';
import { cardOf } from '#lessons/glossary/glossary.ts';
import { type TermId, termTitle } from '#lessons/glossary/term-names.ts';
import styles from './TermCard.module.css';
import { TermPicture } from './TermPicture.tsx';
import { TermPlace } from './TermPlace.tsx';

type TermCardProps = {
  readonly id: TermId;
  /** Leads on to another term. */
  readonly onTerm: (id: TermId) => void;
  /** What the card stands in gets out of the way: the page goes somewhere. */
  readonly onLeave: () => void;
};

/** A term: what it is in two sentences, a picture, where it is defined, where the open file has one. Its title stands outside. */
export function TermCard({ id, onTerm, onLeave }: TermCardProps) {
  const card = cardOf(id);
  if (card === null) return null;
  const { says, picture, source, related, find } = card;
  return (
    <div className="stack gap-3">
      <p className={styles.says}>{says.join(' ')}</p>
      <TermPicture picture={picture} />
      <TermPlace find={find} onLeave={onLeave} />
      <p className="small muted break">
        Defined in{' '}
        <a href={source.address} target="_blank" rel="noopener">
          {source.document}, {source.section}
          <ExternalLink size={11} aria-hidden className={styles.external} />
          <span className="visually-hidden"> (opens a new tab)</span>
        </a>
      </p>
      <ul className="wrapping gap-1" aria-label="Related terms">
        {related.map((other) => (
          <li key={other}>
            <button type="button" className={styles.other} onClick={() => onTerm(other)}>
              {termTitle(other)}
              <ArrowRight size={11} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
