import { ArrowRight, Crosshair, ExternalLink } from 'lucide-react';
import { useMemo } from 'react';
import { cardOf } from '#glossary/glossary.ts';
import type { Find } from '#glossary/term.ts';
import { type TermId, termTitle } from '#glossary/term-names.ts';
import { useActive } from '#store/hooks.ts';
import { select } from '#store/navigation.ts';
import { VIEW_TITLES } from '#store/session.ts';
import { Button } from '#ui/Button.tsx';
import styles from './TermCard.module.css';
import { TermPicture } from './TermPicture.tsx';

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

/** Leads to such a thing in the open file, or says that it has none. Nothing for what no file holds, and without a file. */
function TermPlace(props: { readonly find: Find | null; readonly onLeave: () => void }) {
  const { find, onLeave } = props;
  const active = useActive();
  const model = active?.model ?? null;
  const place = useMemo(() => (model === null ? null : (find?.(model) ?? null)), [find, model]);
  if (model === null || find === null) return null;
  if (place === null) return <p className="small muted">Not in the open file.</p>;
  return (
    <p>
      <Button
        size="small"
        onClick={() => {
          onLeave();
          select(place.selection, place.view);
        }}
        icon={Crosshair}
      >
        See it in the file
        <span className={styles.view}>{VIEW_TITLES[place.view]}</span>
      </Button>
    </p>
  );
}
