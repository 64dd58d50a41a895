import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './CopyButton.module.css';
import { writeClipboard } from './clipboard.ts';

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
  failed: 'The browser blocked copying',
};

const ICONS = { none: Copy, copied: Check, failed: TriangleAlert } as const;

/** Copies a text to the clipboard, then shows and says how that went. */
export function CopyButton({ text, label, isIconOnly = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('none');

  useEffect(() => {
    if (outcome === 'none') return;
    const timer = setTimeout(() => setOutcome('none'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    const isCopied = await writeClipboard(typeof text === 'string' ? text : text());
    setOutcome(isCopied ? 'copied' : 'failed');
  };

  const Icon = ICONS[outcome];
  return (
    <span className={styles.wrap} data-outcome={outcome}>
      <Button
        variant="quiet"
        size="small"
        aria-label={label}
        title={isIconOnly ? label : undefined}
        onClick={() => void copy()}
      >
        <Icon size={14} aria-hidden className={styles.icon} />
        {isIconOnly ? null : <span aria-hidden>{outcome === 'none' ? label : SAID[outcome]}</span>}
      </Button>
      <span aria-live="polite" className="visually-hidden">
        {SAID[outcome]}
      </span>
    </span>
  );
}
