import type { ReactNode } from 'react';
import styles from './Copyable.module.css';
import { CopyButton } from './CopyButton.tsx';

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
