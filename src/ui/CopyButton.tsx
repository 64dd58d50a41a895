import { Check, Copy, TriangleAlert } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import { scrollRegion } from './aria.tsx';
import { Button } from './Button.tsx';
import styles from './CopyButton.module.css';

const SHOWN_MS = 1600;

type CopyButtonProps = {
  /** Text to copy, or a function that returns the text when the button is pressed. */
  readonly text: string | (() => string | Promise<string>);
  /** Accessible name, such as "Copy the declaration"; visible unless `isIconOnly`. */
  readonly label: string;
  readonly isIconOnly?: boolean;
};

type Outcome = 'none' | 'copied' | 'failed';

const ANNOUNCED: Record<Outcome, string> = {
  none: '',
  copied: 'Copied',
  failed: 'The browser blocked copying',
};

const ICONS = { none: Copy, copied: Check, failed: TriangleAlert } as const;

/** Draws a button that copies a text and says whether copying succeeded. */
export function CopyButton({ text, label, isIconOnly = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('none');

  useEffect(() => {
    if (outcome === 'none') return;
    const timer = setTimeout(() => setOutcome('none'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    const isCopied = await writeClipboard(typeof text === 'string' ? text : await text());
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
        {isIconOnly ? null : (
          <span aria-hidden>{outcome === 'none' ? label : ANNOUNCED[outcome]}</span>
        )}
      </Button>
      <span aria-live="polite" className="visually-hidden">
        {ANNOUNCED[outcome]}
      </span>
    </span>
  );
}

/** Copies a text. Resolves to false if the browser refuses, for example without HTTPS. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Draws a read-only text. Focusing the text selects it, so that it can be copied by hand. */
export function CopyField(props: ComponentProps<'textarea'>) {
  return (
    <textarea readOnly spellCheck={false} onFocus={(event) => event.target.select()} {...props} />
  );
}

type CopyableProps = {
  /** Value to copy. The thin spaces between its digits are not copied. */
  readonly text: string;
  /** Name of the value in the button's name: `Copy size` for `size`. */
  readonly what: string;
  readonly children: ReactNode;
};

/** Draws a value with a copy button. The button appears on hover and focus. */
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

/** Returns the text without the narrow spaces between groups of digits. */
export function ungrouped(text: string): string {
  return text.replaceAll('\u202f', '');
}

type CodeProps = {
  /** Text that the block shows and copies. */
  readonly text: string;
  /** Accessible name of the block, such as "C declaration". */
  readonly label: string;
  /** Content that shows `text` with colours or links. By default the block shows plain text. */
  readonly children?: ReactNode;
};

/** Draws a block of code with a copy button. Long lines scroll sideways. */
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
