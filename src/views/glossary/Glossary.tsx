import { Printer } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { GLOSSARY } from '#glossary/glossary.ts';
import type { TermGroup } from '#glossary/term.ts';
import { TERM_IDS, TERM_NAMES, type TermId, termTitle } from '#glossary/term-names.ts';
import { closeHelp, useHelp } from '#store/session/dialogs.ts';
import { scrollRegion } from '#ui/aria.tsx';
import { Button } from '#ui/Button.tsx';
import { FoundList } from '#ui/SearchBox.tsx';
import { TermCard } from '#views/parts/term/TermCard.tsx';
import styles from './Glossary.module.css';

/** Shows all cards in groups, a search box and the button *Print*. */
export function Glossary() {
  const term = useHelp((state) => state.term);
  const [text, setText] = useState('');
  const [wanted, setWanted] = useState<TermId | null>(term);
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => matchingGroups(GLOSSARY, text), [text]);
  const count = groups.reduce((sum, { cards }) => sum + cards.length, 0);

  useEffect(() => {
    if (wanted === null) return;
    const card = list.current?.querySelector<HTMLElement>(`[data-card="${wanted}"]`);
    card?.scrollIntoView({ block: 'start' });
    card?.focus({ preventScroll: true });
  }, [wanted]);

  const goTo = (id: TermId) => {
    // Clear the search, which may hide the card.
    setText('');
    setWanted(id);
  };

  return (
    <div className={styles.glossary}>
      <div className={styles.bar}>
        <FoundList
          label="Search the glossary"
          placeholder="vlen, poison, r_info …"
          value={text}
          onChange={(next) => {
            setText(next);
            setWanted(null);
          }}
          found={text === '' ? `${TERM_IDS.length} terms` : `${count} of ${TERM_IDS.length}`}
        />
        <Button size="small" onClick={printOnWhite} icon={Printer}>
          Print
        </Button>
      </div>
      <div ref={list} className={styles.list} {...scrollRegion('All terms')}>
        {groups.length === 0 ? (
          <p className={styles.none}>No matching card. Try fewer words.</p>
        ) : (
          groups.map((group) => (
            <GlossaryGroup
              key={group.title}
              group={group}
              wanted={wanted}
              onTerm={goTo}
              onLeave={closeHelp}
            />
          ))
        )}
      </div>
      <p className="visually-hidden" aria-live="polite">
        {wanted === null ? '' : termTitle(wanted)}
      </p>
    </div>
  );
}

type GlossaryGroupProps = {
  readonly group: TermGroup;
  /** Term of the card that should have the focus; null for none. */
  readonly wanted: TermId | null;
  readonly onTerm: (id: TermId) => void;
  readonly onLeave: () => void;
};

/** Shows the cards of one group. */
function GlossaryGroup({ group, wanted, onTerm, onLeave }: GlossaryGroupProps) {
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
            <h4 className="mono break size-14">{TERM_NAMES[id][0]}</h4>
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

/** Prints the page in light colours, then restores the theme. */
function printOnWhite(): void {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = 'light';
  window.print();
  if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
}

type Card = TermGroup['cards'][number];

/** Returns the groups with only the cards that contain all words of `text`. */
export function matchingGroups(groups: readonly TermGroup[], text: string): readonly TermGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const named = keep(groups, (card) => hasAll(namesOf(card), words));
  // Names are searched first. Sentences are searched only if no name matches.
  return named.length > 0
    ? named
    : keep(groups, (card) => hasAll(`${namesOf(card)} ${card.sentences.join(' ')}`, words));
}

function keep(groups: readonly TermGroup[], test: (card: Card) => boolean): TermGroup[] {
  return groups
    .map(({ title, cards }) => ({ title, cards: cards.filter(test) }))
    .filter(({ cards }) => cards.length > 0);
}

function namesOf({ id }: Card): string {
  return TERM_NAMES[id].join(' ');
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
