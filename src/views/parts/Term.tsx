import { Popover } from '@base-ui/react/popover';
import { X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { labelPieces } from '#glossary/find-terms.ts';
import { type TermId, termTitle } from '#glossary/term-names.ts';
import { KeyValue, type KeyValueItem } from '#ui/KeyValue.tsx';
import styles from './Term.module.css';

// Loaded with the first card that opens, because most users open none.
const TermCard = lazy(async () => ({
  default: (await import('#views/parts/term/TermCard.tsx')).TermCard,
}));

/** Milliseconds on a term until its card opens: a passing pointer opens none. */
const HOVER_MS = 500;
/** Milliseconds until a card that was left closes: the pointer can move from term to card. */
const LEAVE_MS = 200;

/**
 * Shows a term whose card opens on hover, Enter or tap. The term is a button, so do not use it in
 * buttons, links or rows of long lists.
 */
export function Term({ id, children }: { readonly id: TermId; readonly children?: ReactNode }) {
  const [shown, setShown] = useState(id);
  const [isOpen, setOpen] = useState(false);
  const title = termTitle(shown);
  const change = (open: boolean) => {
    setOpen(open);
    // Begin with this term's card, even if another term was reached in the card before.
    if (open) setShown(id);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={change}>
      <Popover.Trigger
        openOnHover
        delay={HOVER_MS}
        closeDelay={LEAVE_MS}
        className={styles.term}
        data-term={id}
      >
        {children ?? termTitle(id)}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} collisionPadding={8} className={styles.positioner}>
          <Popover.Popup className={styles.popup}>
            <Popover.Title className={styles.title}>{title}</Popover.Title>
            <ErrorBoundary fallback={<p>The card could not be loaded.</p>}>
              <Suspense fallback={<p className={styles.waiting}>Loading the card…</p>}>
                <TermCard id={shown} onTerm={setShown} onLeave={() => setOpen(false)} />
              </Suspense>
            </ErrorBoundary>
            <Popover.Close className={styles.close} aria-label="Close card">
              <X size={14} aria-hidden />
            </Popover.Close>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type TermListProps = {
  readonly items: readonly KeyValueItem[];
  /** Terms by label, for labels with several meanings, such as `Encoding`. */
  readonly terms?: Readonly<Partial<Record<string, TermId>>>;
};

/** Shows names and values. A name that is a glossary term has a card. */
export function TermList({ items, terms = {} }: TermListProps) {
  return (
    <KeyValue items={items} renderTerm={(term) => <TermText text={term} as={terms[term]} />} />
  );
}

type TermTextProps = {
  readonly text: string;
  /** Term of the whole label, if the label has several meanings. */
  readonly as?: TermId | undefined;
};

/** Shows a label of the page. Its terms have cards. Do not use it for texts from a file. */
export function TermText({ text, as }: TermTextProps) {
  if (as !== undefined) return <Term id={as}>{text}</Term>;
  return labelPieces(text).map(({ start, text: piece, term }) =>
    term === null ? (
      piece
    ) : (
      <Term key={start} id={term}>
        {piece}
      </Term>
    ),
  );
}
