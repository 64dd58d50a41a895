import { Check, Copy, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { scrollRegion } from './aria.tsx';
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

/** Copies a text; false where the browser refuses, as on a page that is not served securely. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

type CopyableProps = {
  /** Grouped digits are copied without their spaces. */
  readonly text: string;
  /** What it is, for the name of the button: `Copy size`. */
  readonly what: string;
  readonly children: ReactNode;
};

/** A value with a button that copies it, which shows when the value is pointed at or the button has the focus. */
export function Copyable({ text, what, children }: CopyableProps) {
  return (
    <span className={styles.value}>
      {children}
      {text === '' ? null : (
        <span className={styles.copy}>
          <CopyButton text={ungrouped(text)} label={`Copy ${what}`} isIconOnly />
        </span>
      )}
    </span>
  );
}

/** Without the thin spaces between groups of digits. */
export function ungrouped(text: string): string {
  return text.replaceAll('\u202f', '');
}

type CodeProps = {
  /** What is shown, and what is copied. */
  readonly text: string;
  /** Names the block: "C declaration". */
  readonly label: string;
  /** The same text with its parts coloured or linked; the plain text unless told. */
  readonly children?: ReactNode;
};

/** A block of code with a button that copies it. Long lines scroll inside it. */
export function Code({ text, label, children }: CodeProps) {
  return (
    <div className="shrink surface box relative">
      <div className={styles.scroller} {...scrollRegion(label)}>
        <pre className={styles.text}>{children ?? text}</pre>
      </div>
      <div className={styles.codeCopy}>
        <CopyButton text={text} label={`Copy: ${label}`} isIconOnly />
      </div>
    </div>
  );
}
