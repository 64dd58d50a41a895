import { Printer } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { GLOSSARY } from '#glossary/glossary.ts';
import { TERM_IDS, type TermId, termTitle } from '#glossary/term-names.ts';
import { closeGlossary, useGlossary } from '#store/dialogs.ts';
import { Button } from '#ui/Button.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { scrollRegion } from '#ui/scroll-region.ts';
import styles from './GlossaryDialog.module.css';
import { GlossaryGroup } from './GlossaryGroup.tsx';
import { matchingGroups } from './matching-cards.ts';
import { printOnWhite } from './print-on-white.ts';

/** All cards in a dialog of their own: searched, grouped, and fit to be printed. */
export function GlossaryDialog() {
  const isOpen = useGlossary((state) => state.isOpen);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={closeGlossary}
      title="Glossary"
      description="The words of the field, each with where it is defined."
      size="wide"
    >
      <GlossaryBody />
    </Dialog>
  );
}

function GlossaryBody() {
  const term = useGlossary((state) => state.term);
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
    // What the search hides cannot be gone to.
    setText('');
    setWanted(id);
  };

  return (
    <div className={styles.glossary}>
      <div className={styles.bar}>
        <SearchBox
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
          <p className={styles.none}>No card has these words. Try one of them alone.</p>
        ) : (
          groups.map((group) => (
            <GlossaryGroup
              key={group.title}
              group={group}
              wanted={wanted}
              onTerm={goTo}
              onLeave={closeGlossary}
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
