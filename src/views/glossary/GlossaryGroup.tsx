import type { TermGroup } from '#glossary/term.ts';
import { TERM_NAMES, type TermId } from '#glossary/term-names.ts';
import { TermCard } from '#views/parts/term/TermCard.tsx';
import styles from './GlossaryGroup.module.css';

type GlossaryGroupProps = {
  readonly group: TermGroup;
  /** The card that was gone to. */
  readonly wanted: TermId | null;
  readonly onTerm: (id: TermId) => void;
  readonly onLeave: () => void;
};

/** The cards of one part of the field under its heading. */
export function GlossaryGroup({ group, wanted, onTerm, onLeave }: GlossaryGroupProps) {
  return (
    <section aria-label={group.title} className={styles.group}>
      <h3 className={styles.heading}>{group.title}</h3>
      <div className={styles.cards}>
        {group.cards.map(({ id }) => (
          <article
            key={id}
            aria-label={TERM_NAMES[id][0]}
            className={styles.card}
            tabIndex={-1}
            data-card={id}
            data-wanted={id === wanted}
          >
            <h4 className={styles.title}>{TERM_NAMES[id][0]}</h4>
            {TERM_NAMES[id].length > 1 ? (
              <p className="tiny muted break">also {TERM_NAMES[id].slice(1).join(', ')}</p>
            ) : null}
            <TermCard id={id} onTerm={onTerm} onLeave={onLeave} />
          </article>
        ))}
      </div>
    </section>
  );
}
