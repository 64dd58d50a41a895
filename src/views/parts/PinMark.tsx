import type { ReactNode } from 'react';
import { visible } from '#bytes/text.ts';
import styles from './PinMark.module.css';

type PinMarkProps = {
  readonly number: number;
  /** What its callout says; the accessible name and the tooltip of the mark. */
  readonly text: string;
  /** Is its callout pointed at? */
  readonly isLit?: boolean;
  /** Is it a person's note, and not of a lesson? */
  readonly isNote?: boolean;
};

/** The number of a lesson's callout or of a note, on what it is pinned to. */
export function PinMark(pin: PinMarkProps) {
  const { isLit = false, isNote = false } = pin;
  return (
    <span
      className={styles.pin}
      data-lit={isLit ? '' : undefined}
      data-note={isNote ? '' : undefined}
      title={pinLabel(pin)}
    >
      <span className="visually-hidden">{isNote ? pinLabel(pin) : 'Pin '}</span>
      <span aria-hidden={isNote}>{pinBadge(pin)}</span>
    </span>
  );
}

/** What a mark shows: `2` of a lesson, `n2` of a note. */
export function pinBadge({ number, isNote }: Pick<PinMarkProps, 'number' | 'isNote'>): string {
  return isNote === true ? `n${number}` : `${number}`;
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
        <PinMark key={pinBadge(pin)} {...pin} />
      ))}
      {children}
    </span>
  );
}

/** `Pin 2: vlen`, `Note 1: read twice`: what a mark is called where it has no room for the text. Code ticks of lessons are left out. */
export function pinLabel({ number, text, isNote }: PinMarkProps): string {
  return visible(
    isNote === true ? `Note ${number}: ${text}` : `Pin ${number}: ${text.replaceAll('`', '')}`,
  );
}
