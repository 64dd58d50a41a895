import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './CopyButton.module.css';

const SHOWN_MS = 1600;

type CopyButtonProps = {
  /** The text, or a function that makes it when it is asked for. */
  readonly text: string | (() => string);
  /** What is copied: "Copy the declaration". The accessible name, and the text unless `isIconOnly`. */
  readonly label: string;
  readonly isIconOnly?: boolean;
};

type Outcome = 'none' | 'copied' | 'failed';

const SAID: Record<Outcome, string> = {
  none: '',
  copied: 'Copied',
  failed: 'The browser refused to copy',
};

/** Copies a text to the clipboard, then shows and says how that went. */
export function CopyButton({ text, label, isIconOnly = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('none');

  useEffect(() => {
    if (outcome === 'none') return;
    const timer = setTimeout(() => setOutcome('none'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  // A page that is not served securely has no clipboard at all: that is a refusal too.
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  };

  return (
    <span className={styles.wrap} data-outcome={outcome}>
      <Button
        variant="quiet"
        size="small"
        aria-label={label}
        title={isIconOnly ? label : undefined}
        onClick={() => void copy()}
      >
        <OutcomeIcon outcome={outcome} />
        {isIconOnly ? null : <span aria-hidden>{outcome === 'none' ? label : SAID[outcome]}</span>}
      </Button>
      <span aria-live="polite" className="visually-hidden">
        {SAID[outcome]}
      </span>
    </span>
  );
}

function OutcomeIcon({ outcome }: { readonly outcome: Outcome }) {
  if (outcome === 'copied') return <Check size={14} aria-hidden className={styles.copied} />;
  if (outcome === 'failed')
    return <TriangleAlert size={14} aria-hidden className={styles.failed} />;
  return <Copy size={14} aria-hidden />;
}
