import type { ReactNode } from 'react';
import styles from './Code.module.css';
import { CopyButton } from './CopyButton.tsx';
import { scrollRegion } from './scroll-region.ts';

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
      <div className={styles.copy}>
        <CopyButton text={text} label={`Copy: ${label}`} isIconOnly />
      </div>
    </div>
  );
}
