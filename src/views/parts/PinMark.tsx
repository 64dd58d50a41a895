import type { ReactNode } from 'react';
import { visible } from '#bytes/text.ts';
import styles from './PinMark.module.css';

type PinMarkProps = {
  readonly number: number;
  /** What its callout says; the accessible name and the tooltip of the mark. */
  readonly text: string;
  /** Is its callout pointed at? */
  readonly isLit?: boolean;
};

/** The number of a lesson's callout, on what it is pinned to. */
export function PinMark({ number, text, isLit = false }: PinMarkProps) {
  return (
    <span className={styles.pin} data-lit={isLit ? '' : undefined} title={pinLabel(number, text)}>
      <span className="visually-hidden">Pin </span>
      {number}
    </span>
  );
}

type PinnedProps = {
  readonly pins: readonly PinMarkProps[];
  readonly children: ReactNode;
};

/** The content of a cell behind the pins that stand on it. */
export function Pinned({ pins, children }: PinnedProps) {
  if (pins.length === 0) return children;
  return (
    <span className="row gap-1 shrink">
      {pins.map((pin) => (
        <PinMark key={pin.number} {...pin} />
      ))}
      {children}
    </span>
  );
}

/** `Pin 2: vlen`: what a mark is called where it has no room for the text. Code ticks are left out. */
export function pinLabel(number: number, text: string): string {
  return visible(`Pin ${number}: ${text.replaceAll('`', '')}`);
}
